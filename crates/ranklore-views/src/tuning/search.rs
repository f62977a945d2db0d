//! The search of a system: batches of trials, of which the worse ones end early.
//!
//! The trials of a batch run in parallel. Which of them end early depends only on their values, so
//! neither threads nor shards change a result.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::mpsc::channel;
use std::time::Instant;

use ranklore_contest::UnixSeconds;
use ranklore_replay::{Error, Progress, Sampler, SearchPoint, SearchSpace};
use ranklore_store::{Study, TrialRow, TrialState, Writer};
use rayon::prelude::*;

use crate::tuning::part::{RUNG_SHARES, TuningPart, loss};
use crate::tuning::request::SearchOptions;
use crate::tuning::trial::Trial;

/// The trials of a batch that go on to all contests: after a batch is pruned, this many keep the
/// cores busy.
const COMPLETED_OF_BATCH: u64 = 4;

/// The trials that are compared with each other, if the sampler does not say how many: each
/// comparison but the last ends half of them.
const BATCH: u64 = COMPLETED_OF_BATCH << (RUNG_SHARES.len() - 1);

/// The difference between the losses of pruned trials, relative to the worst other one.
const PRUNED_STEP: f64 = 1e-9;

/// The search of a system.
pub(super) struct SystemSearch<'s> {
    pub(super) part: &'s TuningPart<'s>,
    pub(super) space: &'s SearchSpace,
    pub(super) study: Study,
    pub(super) options: &'s SearchOptions,
    pub(super) now: UnixSeconds,
    pub(super) start: Instant,
    pub(super) watch: &'s dyn Progress,
}

/// The trials of a search that ended.
#[derive(Default)]
pub(super) struct EndedTrials {
    pub(super) best: Option<BestTrial>,
    /// The objective of the default parameters.
    pub(super) default: Option<f64>,
    pub(super) ended: u64,
    pub(super) pruned: u64,
    pub(super) failed: u64,
    pub(super) is_interrupted: bool,
}

/// The best trial of a search.
pub(super) struct BestTrial {
    pub(super) number: u64,
    pub(super) point: SearchPoint,
    pub(super) objective: f64,
}

impl SystemSearch<'_> {
    /// Runs all trials, and stores each before it begins and when it ends. Those of earlier processes
    /// are not run again.
    ///
    /// # Errors
    /// [`Error::Store`], [`Error::InvalidParameters`]. An interruption is no error: the trials that
    /// ended are returned.
    pub(super) fn run(&self, store: &mut Writer) -> Result<EndedTrials, Error> {
        let options = self.options;
        let mut sampler = options.sampler.sampler(self.space, options.trials, options.seed)?;
        let rows = store.trials_of_study(&self.study)?.into_iter();
        let mut stored: HashMap<u64, TrialRow> = rows.map(|row| (row.number, row)).collect();
        let mut ended = EndedTrials::default();
        let task = format!("tuning {}", self.study.system);
        self.watch.begin_task(&task, sampler.trials());
        let mut start = 0;
        let mut batch = 0;
        while start < sampler.trials() {
            let numbers = start..self.batch_end(&*sampler, start);
            start = numbers.end;
            batch += 1;
            if options.shard.is_some_and(|shard| !shard.has_batch(batch - 1)) {
                continue;
            }
            let mut trials = self.ask(&mut *sampler, numbers, &mut stored)?;
            let result = self.run_batch(store, &mut trials);
            for (trial, loss) in trials.iter().zip(self.losses(&trials)) {
                ended.add(trial, self);
                sampler.tell(trial.number, &trial.point, loss);
            }
            self.report(&ended);
            match result {
                Err(Error::Interrupted) => {
                    ended.is_interrupted = true;
                    break;
                }
                result => result?,
            }
        }
        Ok(ended)
    }

    /// Returns the end of the batch that begins with a trial.
    fn batch_end(&self, sampler: &dyn Sampler, start: u64) -> u64 {
        let end = if self.options.sampler.is_independent() {
            start + BATCH
        } else {
            sampler.batch_end(start)
        };
        end.min(sampler.trials())
    }

    /// Returns the trials of a batch.
    fn ask(
        &self,
        sampler: &mut dyn Sampler,
        numbers: Range<u64>,
        stored: &mut HashMap<u64, TrialRow>,
    ) -> Result<Vec<Trial<'_>>, Error> {
        numbers
            .map(|number| {
                let point = sampler.ask(number);
                let spec = self.space.spec(&point);
                Trial::new(self.part, number, (point, spec), stored.remove(&number))
            })
            .collect()
    }

    /// Runs the trials of a batch, and ends the worse half of them after each part of the contests.
    fn run_batch(&self, store: &mut Writer, trials: &mut [Trial<'_>]) -> Result<(), Error> {
        self.store_trials(store, trials.iter().filter(|trial| trial.is_new()))?;
        for rung in 0..self.part.rungs.len() {
            self.advance_all(store, trials, rung)?;
            self.prune(trials, rung);
            let pruned = trials.iter().filter(|trial| trial.state == TrialState::Pruned);
            self.store_trials(store, pruned)?;
        }
        Ok(())
    }

    /// Replays the next part of the contests with all trials that have not ended, in parallel, and
    /// stores those that end with it.
    fn advance_all(
        &self,
        store: &mut Writer,
        trials: &mut [Trial<'_>],
        rung: usize,
    ) -> Result<(), Error> {
        let (send, receive) = channel();
        std::thread::scope(|threads| {
            // This thread may be the only one of its pool, so another one stores.
            let storing = threads.spawn(move || {
                let mut interruption = Ok(());
                for row in receive {
                    match row {
                        Ok(row) => store_rows(store, row)?,
                        Err(error) => interruption = Err(error),
                    }
                }
                interruption
            });
            let running = trials.par_iter_mut().filter(|t| t.state == TrialState::Running);
            // Ends early if the receiver is dropped, since a row could not be stored.
            let _: Option<()> = running.try_for_each_with(send, |send, trial| {
                let result = trial.advance(rung, self.watch);
                let has_ended = trial.state != TrialState::Running;
                let row = has_ended.then(|| trial.row(&self.study, self.time())).flatten();
                send.send(result.map(|()| row)).ok()
            });
            storing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Ends the worse half of the trials after a part of the contests. The default parameters always
    /// go on, to be compared with.
    fn prune(&self, trials: &mut [Trial<'_>], rung: usize) {
        if rung + 1 == self.part.rungs.len() {
            return;
        }
        let running = trials.iter_mut().filter(|trial| trial.state == TrialState::Running);
        let mut running: Vec<&mut Trial<'_>> = running.collect();
        let losses: Option<Vec<f64>> = running.iter().map(|trial| trial.loss(rung)).collect();
        // Without predictions there is nothing to compare.
        let Some(mut losses) = losses else { return };
        losses.sort_by(f64::total_cmp);
        let Some(&median) = losses.get(losses.len().div_ceil(2).saturating_sub(1)) else {
            return;
        };
        for trial in &mut running {
            if trial.number > 0 && trial.loss(rung).is_some_and(|loss| loss > median) {
                trial.prune(rung);
            }
        }
    }

    /// Returns the losses of the trials of a batch, as the sampler is told. Those of pruned trials are
    /// above all others, best first: those that went further.
    fn losses(&self, trials: &[Trial<'_>]) -> Vec<Option<f64>> {
        let completed =
            |trial: &Trial<'_>| Some(loss(self.part.contests.objective, trial.objective()?));
        let mut losses: Vec<Option<f64>> = trials.iter().map(completed).collect();
        let worst = losses.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut pruned: Vec<usize> = (0..trials.len())
            .filter(|&index| trials[index].state == TrialState::Pruned)
            .collect();
        pruned.sort_by(|&a, &b| {
            let [(a_part, a_loss), (b_part, b_loss)] = [a, b].map(|index| trials[index].pruned());
            b_part.cmp(&a_part).then(a_loss.total_cmp(&b_loss))
        });
        let step = PRUNED_STEP * worst.abs().max(1.0);
        for (place, index) in (1..).zip(pruned) {
            losses[index] = Some(worst + f64::from(place) * step).filter(|loss| loss.is_finite());
        }
        losses
    }

    fn store_trials<'t>(
        &self,
        store: &mut Writer,
        trials: impl Iterator<Item = &'t Trial<'t>>,
    ) -> Result<(), Error> {
        let rows = trials.filter_map(|trial| trial.row(&self.study, self.time()));
        store_rows(store, rows)
    }

    /// Returns the time now, in Unix seconds.
    fn time(&self) -> i64 {
        self.now.get() + self.start.elapsed().as_secs() as i64
    }

    fn report(&self, ended: &EndedTrials) {
        if let Some(best) = &ended.best {
            let metric = self.part.contests.objective;
            let decimals = usize::from(metric.info().decimals);
            let value = format!("{:.decimals$}", best.objective);
            self.watch.describe(&format!("best {} {value}", metric.as_str()));
        }
        self.watch.advance(ended.ended, 0, 0);
    }
}

impl EndedTrials {
    fn add(&mut self, trial: &Trial<'_>, search: &SystemSearch<'_>) {
        match trial.state {
            // Interrupted.
            TrialState::Running => return,
            TrialState::Pruned => self.pruned += 1,
            TrialState::Failed => self.failed += 1,
            TrialState::Completed => {}
        }
        self.ended += 1;
        let Some(objective) = trial.objective() else {
            return;
        };
        if trial.number == 0 {
            self.default = Some(objective);
        }
        let is_better =
            |best: &BestTrial| search.part.contests.objective.is_better(objective, best.objective);
        if self.best.as_ref().is_none_or(is_better) {
            self.best = Some(BestTrial {
                number: trial.number,
                point: trial.point.clone(),
                objective,
            });
        }
    }
}

fn store_rows(store: &mut Writer, rows: impl IntoIterator<Item = TrialRow>) -> Result<(), Error> {
    let mut rows = rows.into_iter().peekable();
    if rows.peek().is_none() {
        return Ok(());
    }
    let mut batch = store.batch()?;
    for row in rows {
        batch.replace_trial(&row)?;
    }
    batch.commit()?;
    Ok(())
}
