package collector

import (
	"context"
	"regexp"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"kafka-retention-exporter/model"
)

// release is what a broker's ApiVersions told about it. The zero value knows nothing.
type release struct {
	newest map[int16]int16 // newest version of each request
	name   string          // like "4.4"; empty where it matches no release
}

// has tells whether the broker knows a request in the given version or a newer one. Where its
// versions could not be read it is taken for a present one.
func (r release) has(request kmsg.Key, version int16) bool {
	newest, ok := r.newest[int16(request)]
	return r.newest == nil || ok && newest >= version
}

var releaseName = regexp.MustCompile(`^(?:at least )?v(\d+\.\d+)$`)

// releaseOf reads an ApiVersions answer. kversion's guess is "v4.3", or "at least v4.4" for what
// is newer than it knows; its other forms ("between ...", "unknown custom version ...") are no
// release of Apache Kafka.
func releaseOf(answer *kmsg.ApiVersionsResponse) release {
	r := release{newest: map[int16]int16{}}
	for _, k := range answer.ApiKeys {
		r.newest[k.ApiKey] = k.MaxVersion
	}
	guess := kversion.FromApiVersionsResponse(answer).VersionGuess()
	if found := releaseName.FindStringSubmatch(guess); found != nil {
		r.name = found[1]
	}
	return r
}

// releases asks brokers for their versions where they are not known, or where a new connection
// says that the broker may have been upgraded.
func (p *poll) releases() {
	work := map[model.BrokerID]struct{}{}
	for id := range p.peers {
		known := p.c.memory.releases[id].newest != nil
		if p.c.wire.takeConnected(id) || !known {
			work[id] = struct{}{}
		}
	}
	for _, a := range fanOut(p, work, askRelease) {
		if a.err != nil {
			p.problems.add(model.StageMetadata, a.err, about{broker: a.peer})
			continue
		}
		a.peer.release = a.result
		p.c.memory.releases[a.peer.id] = a.result
		// Asking may itself have been what connected.
		p.c.wire.takeConnected(a.peer.id)
		if a.result.name != "" {
			p.versions[a.peer.id] = model.ReadAt(a.result.name, p.now())
		}
	}
}

func askRelease(ctx context.Context, b *peer, now func() model.Instant, _ struct{}) (release, error) {
	request := kmsg.NewPtrApiVersionsRequest()
	request.ClientSoftwareName, request.ClientSoftwareVersion = softwareName, softwareVersion
	answer, _, err := ask[*kmsg.ApiVersionsResponse](ctx, b, now, request)
	if err != nil {
		return release{}, err
	}
	if err := kerr.ErrorForCode(answer.ErrorCode); err != nil {
		return release{}, err
	}
	return releaseOf(answer), nil
}
