package world

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/collectors"
	versioncollector "github.com/prometheus/client_golang/prometheus/collectors/version"

	"kafka-retention-exporter/collector"
	"kafka-retention-exporter/exporter"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// PollInterval is the pace of the exporter: the program's default of 30 seconds, compressed like all else. Every
// clock is this computer's, so that none needs tolerance.
const PollInterval = time.Second

// running is the exporter as the program itself wires it, on a listener that is open already.
type running struct {
	source   *collector.Collector
	loop     *exporter.Runtime
	server   *http.Server
	listener net.Listener
}

func newExporter(brokers []string, listener net.Listener, logger *slog.Logger) (*running, error) {
	cluster := collector.Default()
	cluster.Brokers = brokers
	source, err := collector.New(cluster)
	if err != nil {
		return nil, err
	}
	forecasts := predictor.New(predictor.Config{Poll: model.MillisOf(PollInterval)})
	loop, err := exporter.New(exporter.Config{PollInterval: PollInterval, SizesEvery: cluster.SizesEvery}, source, forecasts, time.Now, logger)
	if err != nil {
		source.Close()
		return nil, err
	}
	handler, err := loop.Handler("/metrics", versioncollector.NewCollector("kafka_retention"),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if err != nil {
		source.Close()
		return nil, err
	}
	return &running{source, loop, &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}, listener}, nil
}

// run polls and answers until ctx ends or the server cannot go on.
func (r *running) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	polling := make(chan struct{})
	go func() { defer close(polling); r.loop.Run(ctx) }()
	serving := make(chan error, 1)
	go func() { serving <- r.server.Serve(r.listener) }()
	var err error
	select {
	case err = <-serving:
	case <-ctx.Done():
	}
	cancel()
	last, stop := context.WithTimeout(context.Background(), 3*time.Second)
	defer stop()
	_ = r.server.Shutdown(last) // who still reads after that is cut off
	<-polling
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (r *running) close() { r.source.Close() }

// url is where a browser on this computer finds the exporter.
func (r *running) url() string {
	host, port, err := net.SplitHostPort(r.listener.Addr().String())
	if err != nil {
		return "http://" + r.listener.Addr().String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}
