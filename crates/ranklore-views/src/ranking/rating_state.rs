//! The state of the ratings of a run, by which views recognise that kept ones are still true.

use ranklore_store::{OFFICIAL, RunId, RunRow, Store};

use ranklore_replay::Error;

/// The state of the ratings of a run. Current ratings of one state are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RatingState {
    /// The number of contests, the hash of everything that their ratings depend on, and when the run
    /// was rated. A rebuild gives competitors other ids: it counts as a correction of the sources.
    Replayed {
        contests: u32,
        chain: [u8; 32],
        rated_at: i64,
        corrections: Option<i64>,
    },
    /// The hash of the whole database, for ratings that are not replayed.
    Database([u8; 32]),
}

impl RatingState {
    pub(crate) fn load(store: &Store, run: &RunRow) -> Result<Self, Error> {
        let contests = store.count_positions(run.run_id)?;
        let last_position = contests.checked_sub(1);
        let chain = match last_position.filter(|_| run.system != OFFICIAL) {
            Some(last) => store.chain_at(run.run_id, last)?,
            None => None,
        };
        Ok(match chain {
            Some(chain) => Self::Replayed {
                contests,
                chain,
                rated_at: run.rated_at,
                corrections: run.source_corrections,
            },
            None => Self::Database(store.state_hash()?),
        })
    }

    /// Returns the number of contests of this state, if the run has the same first ones `now`, and
    /// further ones.
    pub(super) fn contests_before(
        self,
        store: &Store,
        run: RunId,
        now: Self,
    ) -> Result<Option<u32>, Error> {
        match (self, now) {
            (
                Self::Replayed {
                    contests,
                    chain,
                    corrections,
                    ..
                },
                Self::Replayed {
                    contests: contests_now,
                    corrections: corrections_now,
                    ..
                },
            ) if (1..contests_now).contains(&contests) && corrections == corrections_now => {
                let is_same = store.chain_at(run, contests - 1)? == Some(chain);
                Ok(is_same.then_some(contests))
            }
            _ => Ok(None),
        }
    }
}
