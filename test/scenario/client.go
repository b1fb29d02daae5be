package scenario

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// client is one of a group's clients, a member or a committer.
type client struct {
	leave context.CancelFunc
	line  *line
	gone  chan struct{} // closed when it has ended
}

// join starts the group's clients.
func (g *group) join() {
	for range max(1, g.spec.Members) {
		g.clients = append(g.clients, g.client())
	}
}

func (g *group) client() *client {
	ctx, leave := context.WithCancel(g.play.ctx)
	c := &client{leave: leave, line: &line{}, gone: make(chan struct{})}
	g.play.launch("group "+g.pair.Group, ctx, func(ctx context.Context) error {
		defer close(c.gone)
		if g.spec.Kind == Memberless {
			return g.runAlone(ctx)
		}
		return g.runMember(ctx, c.line)
	})
	return c
}

// leave ends all clients.
func (g *group) leave() {
	for _, c := range g.clients {
		c.leave()
	}
	g.clients = nil
}

// kill ends all clients, and the broker hears nothing of it.
func (g *group) kill() {
	for _, c := range g.clients {
		c.line.cut()
	}
	g.leave()
}

// roll restarts one client after the other.
func (g *group) roll(ctx context.Context, away time.Duration) error {
	for i, c := range g.clients {
		c.leave()
		<-c.gone
		if !sleepUntil(ctx, time.Now().Add(away)) {
			return nil
		}
		g.clients[i] = g.client()
	}
	return nil
}

// line is what connects a member to the brokers.
type line struct {
	mu   sync.Mutex
	dead bool
	all  []net.Conn
}

var errCut = errors.New("line is cut")

func (l *line) dial(ctx context.Context, network, host string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, host)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		_ = conn.Close()
		return nil, errCut
	}
	l.all = append(l.all, conn)
	return conn, nil
}

// cut ends all connections for good.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dead = true
	for _, conn := range l.all {
		_ = conn.Close() // what else could be done about it
	}
}
