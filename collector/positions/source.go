package positions

import (
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Source says where the positions of one job are, and under which name they are shown.
type Source struct {
	Name string // shown as the name of a consumer group
	File string // one of File, URL and Connect
	URL  string
	// Connect is a topic of Kafka Connect; nil for none.
	Connect *Connect
	// MaxAge is how old what it says may be before it is unknown.
	MaxAge time.Duration
}

// DefaultMaxAge suits jobs that write a checkpoint every minute or so.
const DefaultMaxAge = 5 * time.Minute

// Validate tells what is wrong with the source, if anything.
func (s Source) Validate() error {
	switch {
	case s.Name == "":
		return errors.New("want a name")
	case s.Connect != nil && s.File+s.URL == "":
		if err := s.Connect.validate(); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	case s.Connect != nil, (s.File == "") == (s.URL == ""):
		return fmt.Errorf("%s: want one of file, url and connect-topic", s.Name)
	}
	switch {
	case s.MaxAge <= 0:
		return fmt.Errorf("%s: max-age: want a positive duration, have %v", s.Name, s.MaxAge)
	}
	if s.URL == "" {
		return nil
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%s: url: want http://host or https://host, have %s", s.Name, u.Redacted())
	}
	return nil
}

// Validate tells what is wrong with a set of sources: each on its own, and names that are not one.
func Validate(all []Source) error {
	names := map[string]bool{}
	for _, s := range all {
		if err := s.Validate(); err != nil {
			return err
		}
		if names[s.Name] {
			return fmt.Errorf("%s: two sources have this name", s.Name)
		}
		names[s.Name] = true
	}
	return nil
}
