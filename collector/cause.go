package collector

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// The causes that are not names of Kafka's errors.
const (
	causeDeadline      = "deadline"       // no answer within the time one broker has
	causeRefused       = "refused"        // nobody listens at that port
	causeUnreachable   = "unreachable"    // no such host, no route, or no longer a broker of the cluster
	causeDisconnected  = "disconnected"   // the connection broke
	causeTLS           = "tls"            // one side speaks TLS and the other does not, or a certificate was refused
	causeSASL          = "sasl"           // the login failed
	causeCanceled      = "canceled"       // the poll was ended from outside
	causeMissing       = "missing_answer" // asked for, and not in the answer
	causeSuspicious    = "empty_answer"   // empty where there was something; not believed until it is repeated
	causeStartAboveEnd = "start_above_end"
	causeTooLarge      = "too_large"             // an answer larger than any that can be meant
	causeMalformed     = "malformed"             // an answer that cannot be read
	causeThrottled     = "throttled"             // the broker lets us wait: a quota is used up
	causeUndivided     = "undivided"             // by how many partitions exporters divide the cluster is not known
	causeKeeper        = "position_source"       // positions kept elsewhere cannot be read
	causeKeptOld       = "position_source_stale" // they are older than their source may be
	causeNameTaken     = "position_name_taken"   // a group of the cluster has the name they were to have
	causeOther         = "failed"
)

// causeOf names the cause of a failed request in one word.
func causeOf(err error) string {
	for _, known := range []func(error) (string, bool){kafkaCause, answerCause, contextCause, tlsCause, networkCause} {
		if cause, ok := known(err); ok {
			return cause
		}
	}
	return causeOther
}

// kafkaCause is for error codes in answers.
func kafkaCause(err error) (string, bool) {
	var code *kerr.Error
	if !errors.As(err, &code) {
		return "", false
	}
	switch code {
	case kerr.SaslAuthenticationFailed, kerr.UnsupportedSaslMechanism, kerr.IllegalSaslState:
		return causeSASL, true
	}
	return code.Message, true
}

// errThrottled is the deadline of a broker that let us wait for all of it (KIP-219).
var errThrottled = errors.New("throttled by a quota of the broker")

// onlyAnswer tells whether an error is one answer's and not its broker's.
func onlyAnswer(err error) bool {
	cause, _ := answerCause(err)
	return cause == causeTooLarge || cause == causeMalformed
}

// answerCause is for what a broker sent, or held back, and for what we could not say to log in. kgo tells of a large answer in words only;
// the same words with an alert in them are for tlsCause.
func answerCause(err error) (string, bool) {
	text := err.Error()
	switch {
	case errors.Is(err, errThrottled):
		return causeThrottled, true
	case errors.Is(err, errLogin):
		return causeSASL, true
	case errors.Is(err, kbin.ErrNotEnoughData):
		return causeMalformed, true
	case strings.Contains(text, "invalid large response size") && !strings.Contains(text, "tls alert"):
		return causeTooLarge, true
	}
	return "", false
}

func contextCause(err error) (string, bool) {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return causeDeadline, true
	case errors.Is(err, context.Canceled), errors.Is(err, kgo.ErrClientClosed):
		return causeCanceled, true
	}
	return "", false
}

// tlsCause recognises a mismatch of protocols. kgo tells some of these only in words: a plaintext
// request to a TLS port is answered by an alert that looks like a size, a broker that expects TLS
// or a login just closes the connection, and so does a plaintext port at a TLS greeting (nothing
// else reads or writes while a connection is being made).
func tlsCause(err error) (string, bool) {
	var (
		record      tls.RecordHeaderError
		alert       tls.AlertError
		certificate *tls.CertificateVerificationError
		unknown     x509.UnknownAuthorityError
		host        x509.HostnameError
		first       *kgo.ErrFirstReadEOF
		op          *net.OpError
	)
	text := err.Error()
	switch {
	case errors.As(err, &record), errors.As(err, &alert), errors.As(err, &certificate), errors.As(err, &unknown), errors.As(err, &host):
		return causeTLS, true
	case errors.As(err, &first) && strings.Contains(text, "SASL"):
		return causeSASL, true
	case errors.As(err, &first), strings.Contains(text, "tls alert"), strings.Contains(text, "tls: "):
		return causeTLS, true
	case strings.Contains(text, "unable to dial") && errors.As(err, &op) && (op.Op == "read" || op.Op == "write"):
		return causeTLS, true
	case strings.Contains(strings.ToLower(text), "sasl"):
		return causeSASL, true
	}
	return "", false
}

func networkCause(err error) (string, bool) {
	var (
		name *net.DNSError
		op   *net.OpError
	)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return causeRefused, true
	case errors.As(err, &name), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return causeUnreachable, true
	case strings.Contains(err.Error(), "unknown broker"):
		// kgo does not export this error: its last metadata no longer lists the broker.
		return causeUnreachable, true
	case errors.As(err, &op) && op.Timeout():
		return causeDeadline, true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.As(err, &op),
		strings.Contains(err.Error(), "connection has died"):
		return causeDisconnected, true
	}
	return "", false
}

// detailOf is the error as one line for people.
func detailOf(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	const most = 300
	if len(text) > most {
		text = text[:most] + "..."
	}
	return text
}
