package login_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kafka-retention-exporter/collector/login"
)

// TestTokenServiceIsAskedWhenATokenIsNeeded: one token serves many connections until it expires,
// and the next one is asked for with the secret of then.
func TestTokenServiceIsAskedWhenATokenIsNeeded(t *testing.T) {
	path, asked, lifetime := file(t, "first-secret"), 0, 3600
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked++
		user, password, _ := req.BasicAuth()
		if err := req.ParseForm(); err != nil || user != "exporter" || req.Form.Get("grant_type") != "client_credentials" ||
			req.Form.Get("scope") != "kafka read" || req.Form.Get("audience") != "cluster" {
			t.Errorf("asked by %s with %v: %v", user, req.Form, err)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"access_token":"for-%s-%d","token_type":"bearer","expires_in":%d}`, password, asked, lifetime)
	}))
	defer service.Close()
	s := login.Settings{
		Mechanism: "OAUTHBEARER", Username: "exporter", PasswordFile: path,
		TokenURL: service.URL, TokenScope: "kafka read", TokenAudience: "cluster",
	}
	mechanism, err := login.New(s, environment())
	if err != nil {
		t.Fatal(err)
	}
	sends := func(want string) {
		t.Helper()
		_, sent, err := mechanism.Authenticate(context.Background(), "b:1")
		if err != nil || !strings.Contains(string(sent), "auth=Bearer "+want+"\x01") {
			t.Errorf("sent %q, %v; want %s", sent, err, want)
		}
	}
	sends("for-first-secret-1")
	sends("for-first-secret-1")
	lifetime = 1 // what expires within seconds is not used again
	if mechanism, err = login.New(s, environment()); err != nil {
		t.Fatal(err)
	}
	sends("for-first-secret-2")
	rewrite(t, path, "second-secret")
	sends("for-second-secret-3")
}

// TestRefusedByTheTokenService: the answer may repeat what was sent, so only its code is told.
func TestRefusedByTheTokenService(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":"invalid_client","error_description":"wrong secret hush-hush"}`)
	}))
	defer service.Close()
	mechanism, err := login.New(login.Settings{Mechanism: "OAUTHBEARER", Username: "exporter", PasswordFile: file(t, "hush-hush"), TokenURL: service.URL}, environment())
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = mechanism.Authenticate(context.Background(), "b:1")
	if want := "get a token from " + service.URL + ": 401 Unauthorized, invalid_client"; err == nil || err.Error() != want {
		t.Errorf("have %v, want %s", err, want)
	}
}
