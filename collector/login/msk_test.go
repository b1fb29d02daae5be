package login_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	signer "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/collector/login"
)

// TestManagedStreaming logs in to a server that checks what is sent as Amazon MSK does: the request
// that it stands for, signed anew by AWS' own signer, must have the same signature. The identity
// comes from the environment, the first link of AWS' chain.
func TestManagedStreaming(t *testing.T) {
	identity := aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", SessionToken: "session/+token"}
	t.Setenv("AWS_ACCESS_KEY_ID", identity.AccessKeyID)
	t.Setenv("AWS_SESSION_TOKEN", identity.SessionToken)
	t.Setenv("AWS_REGION", "eu-central-1")
	for secretKey, welcome := range map[string]bool{identity.SecretAccessKey: true, "another": false} {
		t.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
		mechanism, err := login.New(login.Settings{Mechanism: "AWS_MSK_IAM"}, environment())
		if err != nil {
			t.Fatal(err)
		}
		client, err := kgo.NewClient(kgo.SeedBrokers(managedServer(t, identity)), kgo.SASL(mechanism), kgo.RequestRetries(0))
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		if err := client.Ping(t.Context()); (err == nil) != welcome {
			t.Errorf("with secret %s: %v", secretKey, err)
		}
	}
}

// managedServer is a broker that lets one identity in.
func managedServer(t *testing.T, identity aws.Credentials) (address string) {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	cluster.ControlKey(kmsg.SASLHandshake.Int16(), func(r kmsg.Request) (kmsg.Response, error, bool) {
		cluster.KeepControl()
		response := r.ResponseKind().(*kmsg.SASLHandshakeResponse)
		if r.(*kmsg.SASLHandshakeRequest).Mechanism != "AWS_MSK_IAM" {
			response.ErrorCode = kerr.UnsupportedSaslMechanism.Code
		}
		return response, nil, true
	})
	cluster.ControlKey(kmsg.SASLAuthenticate.Int16(), func(r kmsg.Request) (kmsg.Response, error, bool) {
		cluster.KeepControl()
		response := r.ResponseKind().(*kmsg.SASLAuthenticateResponse)
		response.SASLAuthBytes = []byte(`{"version":"2020_10_22","request-id":"1"}`)
		if err := checkPayload(r.(*kmsg.SASLAuthenticateRequest).SASLAuthBytes, identity); err != nil {
			response.ErrorCode, response.ErrorMessage = kerr.SaslAuthenticationFailed.Code, new(err.Error())
		}
		return response, nil, true
	})
	return cluster.ListenAddrs()[0]
}

func checkPayload(payload []byte, identity aws.Credentials) error {
	var sent map[string]string
	if err := json.Unmarshal(payload, &sent); err != nil {
		return err
	}
	at, err := time.Parse("20060102T150405Z", sent["x-amz-date"])
	if err != nil || time.Since(at).Abs() > 15*time.Minute {
		return fmt.Errorf("date %q: %w", sent["x-amz-date"], err)
	}
	if sent["host"] != "127.0.0.1" || sent["action"] != "kafka-cluster:Connect" || sent["version"] != "2020_10_22" {
		return fmt.Errorf("sent %v", sent)
	}
	query := url.Values{"Action": {sent["action"]}, "X-Amz-Expires": {sent["x-amz-expires"]}}
	request, err := http.NewRequest(http.MethodGet, "https://"+sent["host"]+"/?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	nothing := sha256.Sum256(nil)
	signed, _, err := signer.NewSigner().PresignHTTP(request.Context(), identity, request, hex.EncodeToString(nothing[:]), "kafka-cluster", "eu-central-1", at)
	if err != nil {
		return err
	}
	parsed, err := url.Parse(signed)
	if err != nil {
		return err
	}
	if want := parsed.Query().Get("X-Amz-Signature"); want == "" || sent["x-amz-signature"] != want {
		return fmt.Errorf("signature %s, want %s", sent["x-amz-signature"], want)
	}
	return nil
}
