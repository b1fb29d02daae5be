package positions_test

import (
	"testing"
	"time"

	"kafka-retention-exporter/collector/positions"
)

func TestSourcesThatCannotBe(t *testing.T) {
	good := positions.Source{Name: "job", File: "f", MaxAge: time.Minute}
	for _, c := range []struct {
		want    string
		sources []positions.Source
	}{
		{"", []positions.Source{good, {Name: "other", URL: "https://host/path", MaxAge: time.Minute}}},
		{"want a name", []positions.Source{{File: "f", MaxAge: 1}}},
		{"job: want one of file, url and connect-topic", []positions.Source{{Name: "job", MaxAge: 1}}},
		{"job: want one of file, url and connect-topic", []positions.Source{{Name: "job", File: "f", URL: "http://h", MaxAge: 1}}},
		{"job: want one of file, url and connect-topic", []positions.Source{{Name: "job", File: "f", Connect: positions.MirrorMaker(), MaxAge: 1}}},
		{"job: connector: needs a connect-topic", []positions.Source{{Name: "job", Connect: mirror("", "c"), MaxAge: 1}}},
		{"job: connector: want the name of a source connector", []positions.Source{{Name: "job", Connect: mirror("t", ""), MaxAge: 1}}},
		{"job: topic-field, partition-field and offset-field: want names", []positions.Source{{Name: "job", Connect: &positions.Connect{Topic: "t", Connector: "c"}, MaxAge: 1}}},
		{"job: max-age: want a positive duration, have 0s", []positions.Source{{Name: "job", Connect: mirror("t", "c")}}},
		{"", []positions.Source{{Name: "job", Connect: mirror("t", "c"), MaxAge: 1}}},
		{"job: max-age: want a positive duration, have 0s", []positions.Source{{Name: "job", File: "f"}}},
		{"job: url: want http://host or https://host, have ftp://h", []positions.Source{{Name: "job", URL: "ftp://h", MaxAge: 1}}},
		{"job: url: want http://host or https://host, have host/path", []positions.Source{{Name: "job", URL: "host/path", MaxAge: 1}}},
		{"job: two sources have this name", []positions.Source{good, good}},
	} {
		err := positions.Validate(c.sources)
		if have := message(err); have != c.want {
			t.Errorf("%+v: %q, want %q", c.sources, have, c.want)
		}
	}
}

func mirror(topic, connector string) *positions.Connect {
	c := positions.MirrorMaker()
	c.Topic, c.Connector = topic, connector
	return c
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
