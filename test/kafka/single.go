package kafka

import (
	"errors"
	"fmt"
)

// Single is one broker for a program that is no test: it lives until Close.
type Single struct {
	*Ops
	cluster *Cluster
	ports   []func()
}

// StartSingle runs a broker whose data goes to a folder, and returns when groups can commit there.
func StartSingle(dir string, o Options) (*Single, error) {
	o.Brokers = 1
	if o.Version == "" {
		o.Version = DefaultVersion
	}
	classPath, err := jarsOnce(o)
	if err != nil {
		return nil, fmt.Errorf("start kafka: %w", err)
	}
	s := &Single{cluster: &Cluster{}}
	if err = s.cluster.prepare(dir, o, classPath, s.port); err == nil {
		err = s.cluster.run()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start kafka %s: %w", o.Version, err), s.Close())
	}
	s.Ops = s.cluster.Ops
	return s, nil
}

func (s *Single) port() (int, error) {
	port, free, err := ReservePort()
	if err == nil {
		s.ports = append(s.ports, free)
	}
	return port, err
}

// Address is its client listener, host:port.
func (s *Single) Address() string { return s.cluster.brokers[0].Address() }

// PID is its process.
func (s *Single) PID() int { return s.cluster.brokers[0].started().PID() }

// Close ends the broker at once. Its data stays.
func (s *Single) Close() error {
	if s.cluster.Ops != nil {
		s.cluster.Close()
	}
	err := s.cluster.each(func(b *Broker) error { b.Kill(); return nil })
	for _, free := range s.ports {
		free()
	}
	return err
}
