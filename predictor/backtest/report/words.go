package report

// words open the page.
func (p *page) words(run Run) {
	p.WriteString("# How good the forecasts are\n\n")
	p.say("Written by `%s` (seed %d). Do not edit: run it again.", run.Command, run.Seed)
	p.title("What was measured")
	p.say("%d episodes of %d scenario families were played on the broker's own rules of rolling and deleting segments: one partition, one group, "+
		"real traffic shapes where `../shared/traces` has them, and an exporter that polls with jitter, misses polls and restarts. It sees what it sees in production, by the same code. "+
		"What the log start really did afterwards is the truth. %d episodes are of families that no constant was chosen on; they come first, and only they count. "+
		"The others are in a second set of tables, on seeds that were not used for choosing.", p.Episodes, len(p.Held.Families)+len(p.Tuned.Families), p.Held.Episodes)
	p.say("Beside the forecast stand rules of thumb, on the same polls, and an oracle: the same with the true segment bases and the phase of the broker's checks, and of a batch job all its runs, but without the future: the bytes to come and the pace of the group are those of the forecast. " +
		"What the oracle cannot do, no forecast from outside can.")
	var rows [][]string
	for _, player := range p.Players {
		rows = append(rows, []string{player.Name, player.Means})
	}
	p.table([]string{"name", "what it does"}, rows)
	p.title("How to run it")
	p.WriteString("```\n" +
		"go run ./predictor/backtest -seed 1 -episodes 200          # all families; with -report predictor/BACKTEST.md: this file\n" +
		"go run ./predictor/backtest -short                         # a sample within a minute\n" +
		"go run ./predictor/backtest -episode stop/17 -seed 1 -v    # one episode, poll by poll\n" +
		"```\n\n")
	p.say("The same seed gives the same figures, the cost apart.")
	p.title("What it means at three in the morning")
	p.meaning()
	p.title("How to read the tables")
	p.say("Times are shares of the retention R, written as hours of a retention of one day: \"6 h before\" is R/4, and the range from R/6 to R/3 (\"1 h\": R/48 to R/12, \"24 h\": 2R/3 to 5R/4). " +
		"Errors of an instant are relative to the time that was left; \"never\" is a forecast that saw no loss. " +
		"Absolute errors are in check intervals, written as seconds of the default one of 300 s: who does not know the phase of the checks is off by 75 s in the mean. " +
		"An exporter is warm once it has been up for longer than a segment lives, from its first record to its deletion: something written after its start has been deleted; without a state file each start begins anew. " +
		"\"After two steps\" it has seen the log start move twice, or been up for R: much of what it forecasts for was written before it looked. " +
		"In brackets are 95 %% confidence limits, bootstrapped over episodes; an episode gives each cell at most eight forecasts. Where all agree, the limit is that of the rule of three.")
	p.say("A page is right if the loss follows within two horizons (the horizon is R/6); recall counts losses whose page was there R/48 before, of groups whose fault and first commit were there a horizon before. A nightly job may be on time and lose all the same, where retention.bytes takes its records before its next run: pages that such a loss follows are not counted against it. " +
		"The exporter's page is the alert KafkaRetentionLossPredicted as shipped, with its waiting and lingering; a rule of thumb pages while its instant is inside the horizon. " +
		"A pair is healthy while it has no fault and nothing that it is to read next is deleted within the horizon. A group without a fault that is nearer than that to losing something and gets away is a near miss: " +
		"a page for it is wrong and counts in the precision, but is no false alarm; the column beside has both. " +
		"A band without an upper edge holds every loss: its share is told beside. P(T <= h) is a straight line through (now, 0), (earliest, 5 %%), (loss, 50 %%), (latest, 95 %%); the oracle and rules of thumb are certain.")
	p.title("Limits")
	p.say("It is a simulation: one partition, one broker's deletion, groups that behave as scripts say. Traffic shapes are real, consumers are not: no public trace of committed offsets exists. "+
		"Forecasts with something in between that nobody can foresee (a change of settings, DeleteRecords, a re-creation, a failover, a producer that stops for good, a backfill, a stamp from the future, a reset) "+
		"are not judged for their error but on floor, state and recovery, in a table of their own. So are those across the onset of a group's fault: nobody knows at noon that a consumer will crash at two. "+
		"Topics that compact as well are judged on floor, state and lost count only, and so are tiered ones with a limit on bytes, where the forecast abstains. The promise of the size rule stands on a ceiling of %v times the most bytes that ever came within a poll. "+
		"The lost count is held against what was deleted unread in truth: a group that loses records and goes on from the log start between two polls is never seen below it, and what it lost then is not counted.", ceiling)
}

// meaning puts the main figures into sentences.
func (p *page) meaning() {
	pages := p.Held.All.Pages
	if len(pages) == 0 || !pages[ours].Recall.Known() {
		p.say("Nothing was paged for in this run.")
		return
	}
	own := pages[ours]
	p.say("Of %d losses that one could be woken for, %s were announced in time; %s of all pages were followed by the loss. Half of the pages leave more than %s, nine of ten more than %s.",
		own.Losses, format(percent).value(own.Recall), format(percent).value(own.Precision), format(hours).value(own.Lead50), format(hours).value(own.Lead10))
	if best, ok := p.Held.All.Best(p.Players, paging, true); ok {
		rival := pages[best]
		p.say("The best rule of thumb (%s) announces %s, and %s of its pages are right.",
			p.Players[best].Name, format(percent).value(rival.Recall), format(percent).value(rival.Precision))
	}
	for _, rule := range rules(&p.Held) {
		s := &p.Held.ByRule[rule]
		f := s.Floors[ours]
		if f.Labelled == 0 {
			continue
		}
		p.say("Under %s retention the floor was asked for %d times in %d episodes and was too late without a cause %d times, in %d episodes (95 %% limit: %s of episodes). "+
			"Before the floor nothing is lost, so that one may go back to sleep until then; half of the time it is later than %s of the real deadline.",
			ruleName(rule), f.Labelled, s.Episodes, f.Late, f.Broken, percent(f.Limit), format(percent).value(f.Tight))
	}
}
