package exporter

import (
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"kafka-retention-exporter/answers"
	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// The JSON of /api/v1/forecasts. An unknown value is null, and then "reason" says why there is
// no loss instant; what is infinite is the string "+Inf".
type (
	jsonReport struct {
		Up               bool              `json:"up"`
		ClusterID        string            `json:"cluster_id"`
		LastPoll         any               `json:"last_poll"`
		ForecastsUnknown map[string]int    `json:"forecasts_unknown"`
		UnknownGroups    []jsonUnknown     `json:"unknown_groups"`
		Problems         []jsonProblem     `json:"problems"`
		Findings         []answers.Finding `json:"findings"`
		Pairs            []jsonPair        `json:"pairs"`
	}
	jsonUnknown struct {
		Group  string `json:"consumergroup"`
		Reason string `json:"reason"`
	}
	jsonProblem struct {
		Stage  string `json:"stage"`
		Cause  string `json:"cause"`
		Count  int    `json:"count"`
		Detail string `json:"detail,omitempty"`
		Broker any    `json:"broker"`
		Topic  string `json:"topic,omitempty"`
		Group  string `json:"consumergroup,omitempty"`
	}
	jsonPair struct {
		Group       string     `json:"consumergroup"`
		Topic       string     `json:"topic"`
		Partition   int32      `json:"partition"`
		State       any        `json:"state"`
		Reason      any        `json:"reason"`
		Rule        any        `json:"rule"`
		Position    any        `json:"committed_offset"`
		Lag         any        `json:"lag_records"`
		NextStamp   any        `json:"next_record_timestamp"`
		Used        any        `json:"retention_used_ratio"`
		Loss        any        `json:"loss"`
		Earliest    any        `json:"loss_earliest"`
		Latest      any        `json:"loss_latest"`
		Stopped     any        `json:"stopped_loss"`
		Floor       any        `json:"stopped_loss_floor"`
		TimeToLoss  any        `json:"time_to_loss_seconds"`
		LostRecords int64      `json:"lost_records_total"`
		Exposed     any        `json:"failover_exposed_records"`
		PositionAt  any        `json:"committed_offset_read"`
		InputsAt    any        `json:"inputs_read"`
		Inputs      jsonInputs `json:"inputs"`
	}
	jsonInputs struct {
		LogStart       any    `json:"log_start_offset"`
		End            any    `json:"end_offset"`
		Size           any    `json:"size_bytes"`
		BytesUnread    any    `json:"unread_bytes"`
		RetentionMs    any    `json:"retention_ms"`
		RetentionBytes any    `json:"retention_bytes"`
		CheckInterval  any    `json:"check_interval_ms"`
		Pace           any    `json:"group_offsets_per_second"`
		ProduceRate    any    `json:"produce_offsets_per_second"`
		ByteRate       any    `json:"produce_bytes_per_second"`
		SegmentBase    any    `json:"segment_base_offset"`
		SegmentEnd     any    `json:"next_segment_base_offset"`
		GroupState     string `json:"group_state"`
		Leader         any    `json:"leader"`
	}
	jsonInstant struct {
		Time any     `json:"time"` // RFC 3339, null in years that it cannot write
		Unix float64 `json:"unix"` // seconds
	}
)

// renderForecasts writes the same facts as /metrics, with the inputs each forecast was made from.
func renderForecasts(w io.Writer, v *view) error {
	out := jsonReport{
		Up: v.up(), LastPoll: nil,
		ForecastsUnknown: map[string]int{}, UnknownGroups: []jsonUnknown{},
		Problems: []jsonProblem{}, Findings: answers.Findings(v.findings), Pairs: []jsonPair{},
	}
	if v.snapshot != nil {
		out.ClusterID = v.snapshot.ClusterID
	}
	if at, ok := v.published.At(); ok {
		out.LastPoll = instantJSON(at)
	}
	for reason, n := range v.unknown {
		out.ForecastsUnknown[reason.String()] = n
	}
	for _, p := range v.problems {
		out.Problems = append(out.Problems, problemJSON(p))
	}
	if v.report != nil {
		for _, group := range slices.Sorted(maps.Keys(v.report.UnknownGroups)) {
			out.UnknownGroups = append(out.UnknownGroups, jsonUnknown{labelValue(group), v.report.UnknownGroups[group].String()})
		}
	}
	for f := range v.pairs() {
		out.Pairs = append(out.Pairs, pairJSON(f, v.report.At))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false) // command lines are to be copied
	return encoder.Encode(out)
}

func problemJSON(p model.Problem) jsonProblem {
	out := jsonProblem{
		Stage: string(p.Stage), Cause: p.Cause, Count: max(1, p.Count), Detail: p.Detail,
		Topic: labelValue(p.Topic), Group: labelValue(p.Group),
	}
	if p.HasBroker {
		out.Broker = p.Broker
	}
	return out
}

func pairJSON(f predictor.Forecast, polled model.Instant) jsonPair {
	p := jsonPair{
		Group: labelValue(f.Key.Group), Topic: labelValue(f.Key.Topic), Partition: f.Key.Partition,
		State: wordJSON(f.State), Reason: wordJSON(f.Reason), Rule: wordJSON(f.Rule),
		Position: valueJSON(f.Position), Lag: valueJSON(f.Lag), Used: numberJSON(f.Used),
		NextStamp: maybeInstantJSON(f.NextStamp), Loss: maybeInstantJSON(f.Loss),
		Earliest: maybeInstantJSON(f.Earliest), Latest: maybeInstantJSON(f.Latest),
		Stopped: maybeInstantJSON(f.Stopped), Floor: maybeInstantJSON(f.Floor),
		LostRecords: f.LostOffsets, Exposed: valueJSON(f.FailoverExposed),
		PositionAt: maybeInstantJSON(f.PositionAt), InputsAt: maybeInstantJSON(f.InputsAt),
		Inputs: inputsJSON(f.Inputs),
	}
	if left, ok := timeToLoss(f, polled); ok {
		p.TimeToLoss = floatJSON(left)
	}
	return p
}

func inputsJSON(in predictor.Inputs) jsonInputs {
	return jsonInputs{
		LogStart: valueJSON(in.LogStart), End: valueJSON(in.End), Size: valueJSON(in.Size),
		BytesUnread: valueJSON(in.BytesUnread), RetentionMs: valueJSON(in.RetentionMs),
		RetentionBytes: valueJSON(in.RetentionBytes), CheckInterval: valueJSON(in.CheckInterval),
		Pace: numberJSON(in.Pace), ProduceRate: numberJSON(in.ProduceRate), ByteRate: numberJSON(in.ByteRate),
		SegmentBase: valueJSON(in.SegmentBase), SegmentEnd: valueJSON(in.SegmentEnd),
		GroupState: in.GroupState, Leader: valueJSON(in.Leader),
	}
}

func valueJSON[T any](m model.Maybe[T]) any {
	if v, ok := m.Get(); ok {
		return v
	}
	return nil
}

func wordJSON[T interface{ String() string }](m model.Maybe[T]) any {
	if v, ok := m.Get(); ok {
		return v.String()
	}
	return nil
}

func numberJSON(m model.Maybe[float64]) any {
	if v, ok := m.Get(); ok {
		return floatJSON(v)
	}
	return nil
}

// floatJSON writes infinity as a string, since JSON has no number for it.
func floatJSON(v float64) any {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return v
}

func maybeInstantJSON(m model.Maybe[model.Instant]) any {
	if t, ok := m.Get(); ok {
		return instantJSON(t)
	}
	return nil
}

func instantJSON(t model.Instant) any {
	if t == model.Forever {
		return "+Inf"
	}
	out := jsonInstant{Unix: seconds(t)}
	if at := time.UnixMilli(int64(t)).UTC(); at.Year() >= 0 && at.Year() <= 9999 {
		out.Time = at.Format("2006-01-02T15:04:05.000Z07:00")
	}
	return out
}
