package login

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/oauth"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// tokenPatience is how long a token service may take.
const tokenPatience = 10 * time.Second

// oauth logs in with a bearer token (KIP-255): one that somebody else keeps fresh in a file, or one
// that a token service gives for the client's credentials.
func (s Settings) oauth(env Lookup) (sasl.Mechanism, error) {
	token, err := s.token(env)
	if err != nil {
		return nil, err
	}
	return oauth.Oauth(func(context.Context) (oauth.Auth, error) {
		bearer, err := token()
		return oauth.Auth{Token: bearer}, err
	}), nil
}

func (s Settings) token(env Lookup) (secret, error) {
	switch {
	case (s.TokenFile == "") == (s.TokenURL == ""):
		return nil, errors.New("token-file: mechanism OAUTHBEARER wants either it or token-url")
	case s.TokenFile != "" && s.Username+s.PasswordFile+s.TokenScope+s.TokenAudience != "":
		return nil, errors.New("token-file: with it there is nobody to ask for a token, and no use for username, password-file, token-scope and token-audience")
	case s.TokenFile != "":
		bearer := fromFile(s.TokenFile)
		if _, err := bearer(); err != nil {
			return nil, fmt.Errorf("token-file: %w", err)
		}
		return bearer, nil
	}
	if at, err := url.Parse(s.TokenURL); err != nil || at.Host == "" {
		return nil, fmt.Errorf("token-url: want an address like https://host/path, have %q", s.TokenURL)
	}
	password, err := s.credentials(env)
	if err != nil {
		return nil, err
	}
	// Kept until shortly before it expires: many connections need it at once.
	kept := oauth2.ReuseTokenSource(nil, tokenService{settings: s, secret: password})
	return func() (string, error) {
		token, err := kept.Token()
		if err != nil {
			return "", err
		}
		return token.AccessToken, nil
	}, nil
}

// tokenService asks for a token each time; the client's secret is read again for that.
type tokenService struct {
	settings Settings
	secret   secret
}

// Token asks the service.
func (t tokenService) Token() (*oauth2.Token, error) {
	password, err := t.secret()
	if err != nil {
		return nil, err
	}
	cfg := clientcredentials.Config{
		ClientID: t.settings.Username, ClientSecret: password, TokenURL: t.settings.TokenURL,
		Scopes: strings.Fields(t.settings.TokenScope),
	}
	if t.settings.TokenAudience != "" {
		cfg.EndpointParams = url.Values{"audience": {t.settings.TokenAudience}}
	}
	ctx := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{Timeout: tokenPatience})
	token, err := cfg.Token(ctx)
	if err != nil {
		return nil, fmt.Errorf("get a token from %s: %w", t.settings.TokenURL, short(err))
	}
	return token, nil
}

// short leaves out what the service wrote: it may hold what it was sent.
func short(err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return err
	}
	status := "no status"
	if refused.Response != nil {
		status = refused.Response.Status
	}
	if refused.ErrorCode != "" {
		return fmt.Errorf("%s, %s", status, refused.ErrorCode)
	}
	return errors.New(status)
}
