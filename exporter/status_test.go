package exporter_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kafka-retention-exporter/model"
	"kafka-retention-exporter/predictor"
)

// statusOf is what paths answer after one poll over variedCluster, with the given report.
func statusOf(t *testing.T, report func(*model.Snapshot, model.Instant) *predictor.Report, look func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, variedCluster)
		r.predictor.report = report
		r.predictor.logs = threeSegments
		r.start()
		synctest.Wait()
		look(r)
	})
}

// threeSegments is the log of orders as variedReport has it, in three segments.
func threeSegments(topic string, now model.Instant) []predictor.Log {
	if topic != "orders" {
		return nil
	}
	return []predictor.Log{{
		Key: model.PartitionKey{Topic: "orders"}, Settings: dayOrGigabyte(), Sized: true, Laid: true,
		Marks: model.Marks{Start: 10, HighWatermark: 100, End: 100}, Check: 300_000, NextPass: now + 60_000,
		Segments: []model.Segment{
			{Base: 10, Size: 3000, Largest: now - 3_000_000, Stamped: true},
			{Base: 40, Size: 3000, Largest: now - 2_000_000, Stamped: true},
			{Base: 70, Size: 3000, Largest: now - 1_000_000, Stamped: true},
		},
		Goes: []model.Instant{now + 900_000, now + 3_600_000, model.Forever},
	}}
}

// withInputs is variedReport with what the drawings are made from.
func withInputs(s *model.Snapshot, now model.Instant) *predictor.Report {
	report := variedReport(s, now)
	for i := range report.Pairs {
		if report.Pairs[i].Key.Topic == "orders" && report.Pairs[i].Position.IsKnown() {
			report.Pairs[i].Inputs = predictor.Inputs{
				LogStart: model.Known(model.Offset(10)), End: model.Known(model.Offset(100)), Size: model.Known(model.Bytes(9000)),
				BytesUnread: model.Known(model.Bytes(4000)), RetentionMs: model.Known(model.Millis(86_400_000)), RetentionBytes: model.Known(model.Bytes(1 << 30)),
				CheckInterval: model.Known(model.Millis(300_000)), Pace: model.Known(0.001), ProduceRate: model.Known(0.01), ByteRate: model.Known(1.0),
				SegmentBase: model.Known(model.Offset(40)), SegmentEnd: model.Known(model.Offset(70)), GroupState: "Stable", Leader: model.Known(model.BrokerID(1)),
			}
		}
	}
	return report
}

func TestStatusPage(t *testing.T) {
	statusOf(t, withInputs, func(r *rig) {
		compareGolden(t, "testdata/status.golden.html", r.get("/").Body.String())
	})
}

func TestPairPage(t *testing.T) {
	statusOf(t, withInputs, func(r *rig) {
		compareGolden(t, "testdata/pair.golden.html", r.get("/pair?group=billing&topic=orders&partition=0").Body.String())
	})
}

// TestLostPairTellsWhatIsGone has the numbers of position 4, log start 10 and end 100.
func TestLostPairTellsWhatIsGone(t *testing.T) {
	statusOf(t, withInputs, func(r *rig) {
		page := r.get("/pair?group=reports&topic=orders&partition=0").Body.String()
		for _, want := range []string{
			"Offsets 4 to 9, 6 offsets, were deleted before the group read them",
			"with auto.offset.reset=earliest it reads on from offset 10",
			"With latest it skips 90 offsets more",
			"--group &#39;reports&#39; --topic orders:0 --reset-offsets --to-earliest --execute",
		} {
			if !strings.Contains(strings.ToLower(page), strings.ToLower(want)) {
				t.Errorf("the page lacks %q", want)
			}
		}
		if strings.Contains(page, "The race") {
			t.Error("a race is drawn that is over")
		}
	})
}

func TestUnknownPairPageClaimsNothing(t *testing.T) {
	statusOf(t, withInputs, func(r *rig) {
		for _, group := range []string{"fresh", "billing"} { // one without offset, one whose leader is silent
			topic := map[string]string{"fresh": "orders", "billing": "secret"}[group]
			page := r.get("/pair?partition=0&group=" + group + "&topic=" + topic).Body.String()
			if !strings.Contains(page, `<p class="left">unknown</p>`) || strings.Contains(page, "The race") || strings.Contains(page, "s-unread") || strings.Contains(page, "s-read") || strings.Contains(page, "To buy time") {
				t.Errorf("%s on %s: got %s", group, topic, page)
			}
		}
	})
}

func TestPairsThatDoNotExistAreNotFound(t *testing.T) {
	statusOf(t, withInputs, func(r *rig) {
		for _, query := range []string{"", "?group=billing&topic=orders", "?group=billing&topic=orders&partition=1", "?group=none&topic=orders&partition=0", "?group=<b>x&topic=orders&partition=0"} {
			w := r.get("/pair" + query)
			if w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "<b>") {
				t.Errorf("%s: status %d: %s", query, w.Code, w.Body)
			}
		}
	})
}

func TestStatusPagesEscapeNames(t *testing.T) {
	odd := []string{"<script>alert(1)</script>", `"><b>`, "a\xffb", "a&b=c", "日本"}
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 30*time.Second, time.Now, func(now model.Instant) *model.Snapshot {
			s := healthyCluster(now)
			for _, name := range odd {
				s.Groups[name] = s.Groups["billing"]
			}
			s.Problems = []model.Problem{{Stage: model.StageEnds, Cause: "odd", Detail: "<b>bold</b>"}}
			return s
		})
		r.start()
		synctest.Wait()
		page := r.get("/").Body.String()
		if strings.Contains(page, "<script>") || strings.Contains(page, "<b>") {
			t.Error("a name is served as markup")
		}
		links := regexp.MustCompile(`<th scope="row"><a href="\./(pair\?[^"]+)"`).FindAllStringSubmatch(page, -1)
		if len(links) != len(odd)+1 {
			t.Fatalf("%d links to pairs, want %d", len(links), len(odd)+1)
		}
		for _, link := range links {
			w := r.get("/" + strings.ReplaceAll(link[1], "&amp;", "&"))
			if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "<script>") || strings.Contains(w.Body.String(), "<b>") {
				t.Errorf("%s: status %d", link[1], w.Code)
			}
		}
	})
}

// crowd is a report of 250 pairs of which partition 249 loses first.
func crowd(_ *model.Snapshot, now model.Instant) *predictor.Report {
	report := &predictor.Report{At: now}
	for i := range 250 {
		f := predictor.Forecast{Key: model.PairKey{Group: fmt.Sprintf("Group-%d", i%5), PartitionKey: model.PartitionKey{Topic: "t", Partition: int32(i)}}}
		f.Loss, f.InputsAt, f.State = model.Known(now+100_000_000-model.Instant(i)*1000), model.Known(now), model.Known(predictor.Progressing)
		if i%50 == 0 {
			f.State = model.Known(predictor.Stalled)
		}
		report.Pairs = append(report.Pairs, f)
	}
	return report
}

// rowsOf are the partitions of the rows, in order.
func rowsOf(page string) (out []string) {
	for _, m := range regexp.MustCompile(`</td><td class="number">(\d+)</td><td>`).FindAllStringSubmatch(page, -1) {
		out = append(out, m[1])
	}
	return out
}

func TestStatusPageShowsTheSoonestFirstPageByPage(t *testing.T) {
	statusOf(t, crowd, func(r *rig) {
		next := ""
		var seen []string
		for _, want := range []struct {
			rows int
			says string
		}{{100, "1 to 100 of 250"}, {100, "101 to 200 of 250"}, {50, "201 to 250 of 250"}} {
			page := r.get("/" + next).Body.String()
			rows := rowsOf(page)
			seen = append(seen, rows...)
			if len(rows) != want.rows || !strings.Contains(page, want.says) {
				t.Errorf("%q: %d rows, want %d and %q", next, len(rows), want.rows, want.says)
			}
			if m := regexp.MustCompile(`href="\./(\?[^"]*)" rel="next"`).FindStringSubmatch(page); m != nil {
				next = m[1]
			}
		}
		for i, partition := range seen {
			if partition != fmt.Sprint(249-i) {
				t.Fatalf("row %d is partition %s, want %d", i, partition, 249-i)
			}
		}
	})
}

func TestStatusPageFilters(t *testing.T) {
	statusOf(t, crowd, func(r *rig) {
		for query, want := range map[string]string{
			"":                             "1 to 100 of 250",
			"q=GROUP-3":                    "1 to 50 of 50, out of 250",
			"q=nobody":                     "None of 250 is like that.",
			"group=Group-1":                "1 to 50 of 50, out of 250",
			"group=group-1":                "None of 250 is like that.",
			"topic=t":                      "1 to 100 of 250",
			"topic=u":                      "None of 250 is like that.",
			"state=stalled":                "1 to 5 of 5, out of 250",
			"state=nonsense":               "None of 250 is like that.",
			"state=stalled&group=Group-1":  "None of 250 is like that.",
			"risk=safe":                    "1 to 100 of 250",
			"risk=now":                     "None of 250 is like that.",
			"page=2":                       "101 to 200 of 250",
			"page=99":                      "201 to 250 of 250",
			"page=-1":                      "1 to 100 of 250",
			"q=" + url.QueryEscape("<b>"):  "None of 250 is like that.",
			"q=group&state=stalled&page=1": "1 to 5 of 5, out of 250",
		} {
			page := r.get("/?" + query).Body.String()
			if !strings.Contains(page, want+"</p>") || strings.Contains(page, "<b>") {
				t.Errorf("%s: want %q, got %q", query, want, regexp.MustCompile(`role="status">[^<]+</p>`).FindString(page))
			}
		}
	})
}

// TestNextIsTheSoonestLossThatIsForecast has a lost pair and one of unknown pace before it.
func TestNextIsTheSoonestLossThatIsForecast(t *testing.T) {
	unpaced := func(s *model.Snapshot, now model.Instant) *predictor.Report {
		report := variedReport(s, now)
		early := report.Pairs[1]
		early.Key.Group, early.Loss, early.Stopped = "early", model.Maybe[model.Instant]{}, model.Known(now+60_000)
		early.Reason = model.Known(predictor.NotEnoughHistory)
		report.Pairs = append(report.Pairs, early)
		return report
	}
	only := func(s *model.Snapshot, now model.Instant) *predictor.Report {
		report := unpaced(s, now)
		report.Pairs = report.Pairs[len(report.Pairs)-1:]
		return report
	}
	for name, c := range map[string]struct {
		report       func(*model.Snapshot, model.Instant) *predictor.Report
		title, group string
	}{
		"one is forecast":        {unpaced, "Loses records next", ">billing</a></dd>"},
		"only one that may stop": {only, "May lose records next", ">early</a></dd>"},
		"nobody": {func(_ *model.Snapshot, now model.Instant) *predictor.Report { return &predictor.Report{At: now} },
			"Loses records next", "No group with an offset is known"},
	} {
		t.Run(name, func(t *testing.T) {
			statusOf(t, c.report, func(r *rig) {
				card, _, _ := strings.Cut(r.get("/").Body.String(), "</section>")
				if !strings.Contains(card, c.title) || !strings.Contains(card, c.group) {
					t.Errorf("got %s", card)
				}
			})
		})
	}
}

// TestUrgencyIsThatOfTheAlerts tries both sides of min(24 h, R/2) and min(4 h, R/6).
func TestUrgencyIsThatOfTheAlerts(t *testing.T) {
	const hour = model.Millis(3_600_000)
	for _, c := range []struct {
		left, retention model.Millis // no retention.ms in force where 0
		want            string
	}{
		{4 * hour, 48 * hour, "now"}, {4*hour + 1, 48 * hour, "soon"}, {24 * hour, 48 * hour, "soon"}, {24*hour + 1, 48 * hour, "safe"},
		{hour, 6 * hour, "now"}, {hour + 1, 6 * hour, "soon"}, {3 * hour, 6 * hour, "soon"}, {3*hour + 1, 6 * hour, "safe"},
		{4 * hour, 0, "now"}, {24 * hour, 0, "soon"}, {25 * hour, 0, "safe"}, {-hour, 48 * hour, "now"},
	} {
		statusOf(t, func(_ *model.Snapshot, now model.Instant) *predictor.Report {
			f := predictor.Forecast{Key: model.PairKey{Group: "g"}, Loss: model.Known(now.Add(c.left)), InputsAt: model.Known(now)}
			if c.retention > 0 {
				f.Inputs.RetentionMs = model.Known(c.retention)
			}
			return &predictor.Report{At: now, Pairs: []predictor.Forecast{f}}
		}, func(r *rig) {
			if page := r.get("/").Body.String(); !strings.Contains(page, `<tr class="risk-`+c.want+`">`) {
				t.Errorf("%d ms left of %d: not %s", c.left, c.retention, c.want)
			}
		})
	}
}

// TestTimeLeftIsInWords looks at what people read, at the edges of the units.
func TestTimeLeftIsInWords(t *testing.T) {
	for left, want := range map[model.Millis]string{
		400: "1 second", 59_400: "59 seconds", 59_600: "1 minute", 61_000: "1 minute 1 second", 3_599_700: "1 hour",
		5_400_000: "1 hour 30 minutes", 86_400_000: "1 day", 90_000_000: "1 day 1 hour", 86_399_999: "1 day",
		5 * 86_400_000: "5 days", 0: "due", 365 * 5 * 86_400_000: "5 years",
	} {
		statusOf(t, func(_ *model.Snapshot, now model.Instant) *predictor.Report {
			f := predictor.Forecast{Key: model.PairKey{Group: "g"}, Loss: model.Known(now.Add(left)), InputsAt: model.Known(now)}
			return &predictor.Report{At: now, Pairs: []predictor.Forecast{f}}
		}, func(r *rig) {
			if page := r.get("/").Body.String(); !strings.Contains(page, `<p class="left">`+want+`</p>`) {
				t.Errorf("%d ms: %s", left, regexp.MustCompile(`<p class="left">[^<]*`).FindString(page))
			}
		})
	}
}
