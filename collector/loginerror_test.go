package collector_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"

	"kafka-retention-exporter/model"
)

// failing is a login for which somebody else refuses what we would say, at first or later.
type failing struct {
	sasl.Mechanism
	later bool
}

var errNoToken = errors.New("get a token: 401 Unauthorized")

func (f failing) Authenticate(context.Context, string) (sasl.Session, []byte, error) {
	if f.later {
		return f, []byte("first"), nil
	}
	return nil, nil, errNoToken
}

func (failing) Challenge([]byte) (bool, []byte, error) { return false, nil, errNoToken }

// TestLoginThatFailsOnOurSideIsALogin: whoever else is asked for it, and not "failed".
func TestLoginThatFailsOnOurSideIsALogin(t *testing.T) {
	for name, later := range map[string]bool{"at first": false, "after the broker's answer": true} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			f.answer(kmsg.SASLHandshake, func(r kmsg.Request) kmsg.Response { return r.ResponseKind() })
			f.answer(kmsg.SASLAuthenticate, func(r kmsg.Request) kmsg.Response { return r.ResponseKind() })
			config := f.config()
			config.SASL = failing{plain.Auth{User: "monitor", Pass: "secret"}.AsMechanism(), later}
			s := poll(t, newCollector(t, config), clock())
			p := problem(t, s, model.StageMetadata, "sasl")
			if s.Reached || !strings.Contains(p.Detail, errNoToken.Error()) {
				t.Errorf("reached %v, problem: %+v", s.Reached, p)
			}
		})
	}
}
