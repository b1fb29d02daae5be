package exporter

import (
	"net/url"
	"strconv"
	"strings"

	"kafka-retention-exporter/predictor"
)

// filter is what of the list is wanted. It lives in the URL, so that a view of it can be kept,
// sent to a colleague, and works without a script.
type filter struct {
	Query string // part of a group's or a topic's name, in any case
	State string // a word of the metric group_state
	Risk  string // a word of risk
	Topic string
	Group string
	page  int // from 1
}

// pageRows is how many rows one page shows.
const pageRows = 100

func filterOf(q url.Values) filter {
	page, err := strconv.Atoi(q.Get("page"))
	if err != nil || page < 1 {
		page = 1
	}
	return filter{
		Query: strings.TrimSpace(q.Get("q")), State: q.Get("state"), Risk: q.Get("risk"),
		Topic: q.Get("topic"), Group: q.Get("group"), page: page,
	}
}

func (f filter) all() bool { return f.Plain() && f.Query == "" && f.State == "" }

// Plain tells whether nothing is filtered that the form does not show.
func (f filter) Plain() bool { return f.Risk == "" && f.Topic == "" && f.Group == "" }

// Any tells whether anything is filtered at all.
func (f filter) Any() bool { return !f.all() }

// wants decides about one pair. What is cheap is looked at first; the state only is in the
// forecast as it may be shown now.
func (f filter) wants(pair *predictor.Forecast, r risk, now func() predictor.Forecast) bool {
	switch {
	case f.Risk != "" && f.Risk != r.String(),
		f.Topic != "" && f.Topic != pair.Key.Topic,
		f.Group != "" && f.Group != pair.Key.Group && f.Group != labelValue(pair.Key.Group),
		f.Query != "" && !contains(pair.Key.Group, f.Query) && !contains(pair.Key.Topic, f.Query):
		return false
	case f.State != "":
		state, ok := now().State.Get()
		return ok && state.String() == f.State
	}
	return true
}

func contains(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}

// values are the query of the filter, without what is empty.
func (f filter) values() url.Values {
	out := url.Values{}
	for name, value := range map[string]string{"q": f.Query, "state": f.State, "risk": f.Risk, "topic": f.Topic, "group": f.Group} {
		if value != "" {
			out.Set(name, value)
		}
	}
	return out
}

// with is the URL of the same list with one thing changed, from its first page.
func (f filter) with(name, value string) string {
	q := f.values()
	q.Del(name)
	if value != "" {
		q.Set(name, value)
	}
	return listURL(q)
}

// listURL is relative, since a proxy may serve the exporter under a path of its own.
func listURL(q url.Values) string {
	if len(q) == 0 {
		return "./"
	}
	return "./?" + q.Encode()
}

// Chips are the filters that the form does not show, each with the way to drop it.
func (f filter) Chips() (out []chip) {
	add := func(name, says, value string) {
		if value != "" {
			out = append(out, chip{name, says, value, f.with(name, "")})
		}
	}
	add("group", "Group", labelValue(f.Group))
	add("topic", "Topic", labelValue(f.Topic))
	add("risk", "Only", f.Risk)
	return out
}

type chip struct{ Name, Says, Value, Drop string }

// Hidden are the values that the form has to carry along.
func (f filter) Hidden() []chip { return f.Chips() }

// pageLinks are the ways to the other pages of a list; empty where there is none.
type pageLinks struct {
	First, Previous, Next, Last string
	Number, Of                  int
	first                       int // index of the first row shown
}

func (f filter) pages(rows int) pageLinks {
	of := max(1, (rows+pageRows-1)/pageRows)
	number := min(f.page, of)
	p := pageLinks{Number: number, Of: of, first: (number - 1) * pageRows}
	link := func(n int) string {
		if n < 1 || n > of || n == number {
			return ""
		}
		return f.with("page", strconv.Itoa(n))
	}
	p.First, p.Previous, p.Next, p.Last = link(1), link(number-1), link(number+1), link(of)
	return p
}

func stateChoices() (out []string) {
	for _, s := range predictor.States() {
		out = append(out, s.String())
	}
	return out
}
