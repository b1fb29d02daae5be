package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"kafka-retention-exporter/alerts"
	"kafka-retention-exporter/examples/world"
	"kafka-retention-exporter/test/monitoring"
)

// scale brings the rules, which are for a retention of a day or more, to that of the world.
const scale = float64(world.Retention) / float64(24*time.Hour)

// servers is what stands around the exporter, with the addresses it has.
type servers struct {
	exporter, prometheus, alertmanager string
	out                                *printer
}

// run keeps all of it up until ctx ends or a server does, and leaves nothing behind.
func (s servers) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "kafka-retention-stack-")
	if err != nil {
		return fmt.Errorf("make a folder for the servers: %w", err)
	}
	err = s.runIn(ctx, dir)
	return errors.Join(err, os.RemoveAll(dir))
}

func (s servers) runIn(ctx context.Context, dir string) error {
	rules, err := writeRules(dir)
	if err != nil {
		return err
	}
	receiver, end, err := s.receive()
	if err != nil {
		return err
	}
	defer end()
	config, err := monitoring.AlertmanagerConfig(receiver, scale)
	if err != nil {
		return err
	}
	alertmanager, err := monitoring.StartAlertmanager(ctx, dir, s.alertmanager, config)
	if err != nil {
		return err
	}
	defer alertmanager.Stop()
	if config, err = monitoring.PrometheusConfig(s.exporter, rules, s.alertmanager); err != nil {
		return err
	}
	prometheus, err := monitoring.StartPrometheus(ctx, dir, s.prometheus, config)
	if err != nil {
		return err
	}
	defer prometheus.Stop()
	s.out.addresses(s, rules)
	select {
	case <-ctx.Done():
		return nil
	case <-alertmanager.Done():
		return errors.New("alertmanager has ended; its console:\n" + alertmanager.Console())
	case <-prometheus.Done():
		return errors.New("prometheus has ended; its console:\n" + prometheus.Console())
	}
}

// writeRules does what kafka-retention-exporter rules --scale=... does.
func writeRules(dir string) (path string, err error) {
	o := alerts.Default()
	o.Scale = scale
	text, err := alerts.Render(o)
	if err != nil {
		return "", fmt.Errorf("render rules: %w", err)
	}
	path = filepath.Join(dir, "rules.yml")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return "", fmt.Errorf("write rules: %w", err)
	}
	return path, nil
}

// receive prints what Alertmanager sends to the returned address, until end is called.
func (s servers) receive() (address string, end func(), err error) {
	handler, err := monitoring.Receiver(s.out.message)
	if err != nil {
		return "", nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen for alerts: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	return listener.Addr().String(), func() { _ = server.Close() }, nil
}
