package login_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	signer "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"kafka-retention-exporter/collector/login"
)

// TestManagedStreamingPayload checks what is sent to a broker of Amazon MSK: the request that it
// stands for, signed anew by AWS' own signer, has the same signature. The identity comes from the
// environment, as the first link of AWS' chain.
func TestManagedStreamingPayload(t *testing.T) {
	identity := aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", SessionToken: "session/+token"}
	t.Setenv("AWS_ACCESS_KEY_ID", identity.AccessKeyID)
	t.Setenv("AWS_SECRET_ACCESS_KEY", identity.SecretAccessKey)
	t.Setenv("AWS_SESSION_TOKEN", identity.SessionToken)
	var sent map[string]string
	if err := json.Unmarshal([]byte(first(t, login.Settings{Mechanism: "AWS_MSK_IAM"}, environment())), &sent); err != nil {
		t.Fatal(err)
	}
	at, err := time.Parse("20060102T150405Z", sent["x-amz-date"])
	if err != nil || time.Since(at).Abs() > time.Hour {
		t.Errorf("date %q: %v", sent["x-amz-date"], err)
	}
	host := "b-1.example.kafka.eu-central-1.amazonaws.com"
	if sent["host"] != host || sent["action"] != "kafka-cluster:Connect" || sent["version"] != "2020_10_22" {
		t.Errorf("sent %v", sent)
	}
	query := url.Values{"Action": {sent["action"]}, "X-Amz-Expires": {sent["x-amz-expires"]}}
	request, err := http.NewRequest(http.MethodGet, "https://"+host+"/?"+query.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	nothing := sha256.Sum256(nil)
	signed, _, err := signer.NewSigner().PresignHTTP(t.Context(), identity, request, hex.EncodeToString(nothing[:]), "kafka-cluster", "eu-central-1", at)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := url.Parse(signed)
	if err != nil {
		t.Fatal(err)
	}
	if want := parsed.Query().Get("X-Amz-Signature"); want == "" || sent["x-amz-signature"] != want {
		t.Errorf("signature %s, want %s", sent["x-amz-signature"], want)
	}
}
