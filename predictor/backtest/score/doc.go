// Package score judges forecasts, an oracle and the rules of thumb by what happened. It is given
// one track at a time, keeps a bounded number of episodes of each family, and tells nothing that
// it cannot give confidence limits for.
//
// # Who is judged
//
// Players: the forecast as served, the same estimator with segment bases and check phase given
// (the oracle, the ceiling), and every rule of package baseline. All see the same polls.
//
// # What counts
//
//   - An episode gives each cell of a table at most perEpisode forecasts, evenly spread over its
//     polls: neighbours tell nothing new. Confidence limits are bootstrapped over episodes.
//   - Times are shares of the retention R. Near, mid and far are 0.5-2, 4-8 and 16-30 hours of a
//     retention of one day before the truth.
//   - Absolute errors are in check intervals C: a deadline that is known but for the phase of the
//     checks is off by C/4 in the mean.
//   - An error is relative to the time that was left. "No loss in sight" where there was one, and
//     everything worse than that, counts as 9.99.
//   - A forecast with an event between it and the truth that nobody could foresee is not judged
//     for its error. Forecasts of a moving group are not judged across the onset of its fault.
//   - A forecast that is absent is neither right nor wrong: the share that was there is told beside
//     every error. In Brier scores it is a half, in bands everything from now on.
//   - Topics that compact as well are judged on floor, state and lost count only, and so are tiered
//     ones with a limit on bytes, where the forecast has to abstain.
//
// # Probabilities
//
// P(T <= h) is read off the line through (now, 0), (earliest, 0.05), (loss, 0.5), (latest, 0.95)
// and a last point at 1 as far beyond latest as that is beyond the loss. Where one of them is
// Forever the line stays level from the one before. The oracle and the rules of
// thumb, which have no band, are certain.
package score
