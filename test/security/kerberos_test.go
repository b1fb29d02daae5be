package security

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	kafkatest "kafka-retention-exporter/test/kafka"
	"kafka-retention-exporter/test/process"
)

// kdc is a Kerberos realm of its own: Debian's krb5-kdc on a free port, its database in a folder
// of the test.
type kdc struct {
	dir    string
	config string // krb5.conf
	env    []string
}

const realm = "RETENTION.TEST"

func newKDC(t *testing.T) *kdc {
	t.Helper()
	k := &kdc{dir: t.TempDir()}
	k.config = filepath.Join(k.dir, "krb5.conf")
	port := kafkatest.FreePort(t)
	k.write(t, "krb5.conf", fmt.Sprintf("[libdefaults]\n default_realm = %s\n dns_lookup_kdc = false\n dns_canonicalize_hostname = false\n rdns = false\n udp_preference_limit = 1\n"+
		"[realms]\n %s = {\n  kdc = 127.0.0.1:%d\n }\n", realm, realm, port))
	k.write(t, "kdc.conf", fmt.Sprintf("[kdcdefaults]\n kdc_listen = 127.0.0.1:%d\n kdc_tcp_listen = 127.0.0.1:%d\n"+
		"[realms]\n %s = {\n  database_name = %s/principal\n  key_stash_file = %s/stash\n  supported_enctypes = aes256-cts-hmac-sha1-96:normal\n }\n", port, port, realm, k.dir, k.dir))
	k.env = append(os.Environ(), "KRB5_CONFIG="+k.config, "KRB5_KDC_PROFILE="+filepath.Join(k.dir, "kdc.conf"))
	k.run(t, "kdb5_util", "create", "-s", "-P", "master-secret", "-r", realm)
	server, err := process.Start(k.command("krb5kdc", "-n"), filepath.Join(k.dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Stop(5 * time.Second) })
	k.await(t, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	return k
}

func (k *kdc) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(k.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// command finds programs where Debian puts those of administrators.
func (k *kdc) command(name string, args ...string) *exec.Cmd {
	path, err := exec.LookPath(name)
	if err != nil {
		path = filepath.Join("/usr/sbin", name)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = k.env
	return cmd
}

func (k *kdc) run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := k.command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v (Debian: krb5-kdc, krb5-admin-server)\n%s", name, strings.Join(args, " "), err, out)
	}
}

func (k *kdc) await(t *testing.T, address string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the KDC does not answer: %v", err)
		}
	}
}

// principal makes one with a random key and returns a keytab with it.
func (k *kdc) principal(t *testing.T, name string) (keytab string) {
	t.Helper()
	keytab = filepath.Join(k.dir, strings.ReplaceAll(name, "/", "-")+".keytab")
	k.run(t, "kadmin.local", "-r", realm, "-q", "addprinc -randkey "+name)
	k.run(t, "kadmin.local", "-r", realm, "-q", "ktadd -norandkey -k "+keytab+" "+name)
	return keytab
}

// withPassword makes a principal that has one.
func (k *kdc) withPassword(t *testing.T, name, password string) {
	t.Helper()
	k.run(t, "kadmin.local", "-r", realm, "-q", "addprinc -pw "+password+" "+name)
}
