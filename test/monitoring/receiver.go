package monitoring

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/template"

	"kafka-retention-exporter/alerts"
)

// Message is what a person gets to read, at the receiver that a path stands for.
type Message struct {
	Path        string
	Title, Text string
	Alerts      Alerts // only in messages of the webhook
}

// Alerts are those of one message.
type Alerts []Alert

// Alert is one of them.
type Alert struct {
	Status      string // firing or resolved
	Labels      map[string]string
	Annotations map[string]string
}

// Firing are those that fire.
func (a Alerts) Firing() Alerts { return a.of("firing") }

// Resolved are those that are over.
func (a Alerts) Resolved() Alerts { return a.of("resolved") }

func (a Alerts) of(status string) (some Alerts) {
	for _, one := range a {
		if one.Status == status {
			some = append(some, one)
		}
	}
	return some
}

// Receiver takes the messages of Alertmanager's webhook and of Slack's, and calls note with each.
func Receiver(note func(Message)) (http.Handler, error) {
	words, err := template.New("").Parse(alerts.ExampleTemplate)
	if err != nil {
		return nil, fmt.Errorf("read the message template: %w", err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m, err := read(words, r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		m.Path = r.URL.Path
		note(m)
		_, _ = io.WriteString(w, "ok") // as Slack answers
	}), nil
}

// payload is what the webhook sends, which has no words, or what Slack gets, which has little else.
type payload struct {
	Status                          string
	Alerts                          Alerts
	CommonLabels, CommonAnnotations map[string]string

	Attachments []struct{ Title, Text string }
}

// read puts the webhook's data into the template that Alertmanager uses for Slack: both say the same.
func read(words *template.Template, body io.Reader) (m Message, err error) {
	var p payload
	if err := json.NewDecoder(body).Decode(&p); err != nil {
		return m, fmt.Errorf("decode the message: %w", err)
	}
	if len(p.Attachments) > 0 {
		return Message{Title: p.Attachments[0].Title, Text: strings.TrimSpace(p.Attachments[0].Text)}, nil
	}
	m.Alerts = p.Alerts
	for name, out := range map[string]*string{"kafka_retention.title": &m.Title, "kafka_retention.text": &m.Text} {
		var text strings.Builder
		if err := words.ExecuteTemplate(&text, name, p); err != nil {
			return m, fmt.Errorf("put the message into words: %w", err)
		}
		*out = strings.TrimSpace(text.String())
	}
	return m, nil
}
