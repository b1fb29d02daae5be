package collector

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/sasl"
)

// errLogin is a login that failed on our side, before or between what brokers say: a token service,
// a ticket server or an identity that refuses, a file that cannot be read.
var errLogin = errors.New("log in")

// marking is a mechanism whose errors say that they are of the login: kgo gives them back as they are.
type marking struct{ sasl.Mechanism }

var _ sasl.ClosingMechanism = marking{}

// Authenticate begins a session.
func (m marking) Authenticate(ctx context.Context, host string) (sasl.Session, []byte, error) {
	session, first, err := m.Mechanism.Authenticate(ctx, host)
	if err != nil {
		return nil, nil, markLogin(err)
	}
	return markingSession{session}, first, nil
}

// Close closes a mechanism that wants to be.
func (m marking) Close() {
	if closing, ok := m.Mechanism.(sasl.ClosingMechanism); ok {
		closing.Close()
	}
}

type markingSession struct{ sasl.Session }

// Challenge answers a broker.
func (s markingSession) Challenge(said []byte) (done bool, answer []byte, err error) {
	done, answer, err = s.Session.Challenge(said)
	if err != nil {
		err = markLogin(err)
	}
	return done, answer, err
}

// markLogin leaves alone what ended because we do.
func markLogin(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", errLogin, err)
}
