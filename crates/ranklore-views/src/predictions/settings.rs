//! How ratings are evaluated: the contests that train, the slices, the predicted number.

use ranklore_contest::{ContestTime, word_enum};
use serde_json::{Map, Value, json};

use ranklore_replay::{Error, Replay};

/// The choices of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluationSettings {
    /// The contests at the start that train the system and are not predicted; by default a tenth,
    /// rounded down, which may be none.
    pub train: Option<Train>,
    /// Only contests that ended before this time.
    pub until: Option<ContestTime>,
    /// Further slices.
    pub slices: Vec<SliceBy>,
    /// True if newcomers count in slices by size, division, year and half.
    pub with_newcomers: bool,
    /// Predicts by mu − k·sigma.
    pub k: f64,
    /// The seed of samples.
    pub seed: u64,
}

impl Default for EvaluationSettings {
    fn default() -> Self {
        Self {
            train: None,
            until: None,
            slices: Vec::new(),
            with_newcomers: false,
            k: 0.0,
            seed: 1,
        }
    }
}

/// The contests that train.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Train {
    /// A percentage of the contests, rounded down, from 0 to below 100.
    Percent(f64),
    /// The contests that ended before a time.
    Until(ContestTime),
}

word_enum! {
    /// A property by which results are sliced.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SliceBy {
        /// The number of earlier contests of an entrant.
        Experience = "experience",
        /// The number of entrants of a contest.
        Size = "size",
        /// The division of a contest.
        Division = "division",
        /// The year of a contest.
        Year = "year",
        /// The first and the second half of the predicted contests.
        Half = "half",
    }
}

impl EvaluationSettings {
    /// Returns the settings as canonical JSON.
    pub(crate) fn canonical_json(&self) -> String {
        let mut settings = self.split();
        if let Some(until) = self.until {
            settings.insert("until".to_owned(), json!(until.get()));
        }
        if self.with_newcomers {
            settings.insert("with_newcomers".to_owned(), json!(true));
        }
        if !self.slices.is_empty() {
            let by: Vec<&str> = self.slices.iter().map(|slice| slice.as_str()).collect();
            settings.insert("by".to_owned(), json!(by));
        }
        settings.insert("k".to_owned(), json!(self.k));
        settings.insert("seed".to_owned(), json!(self.seed));
        Value::Object(settings).to_string()
    }

    /// Returns the contests that train as canonical JSON.
    pub(crate) fn split_json(&self) -> String {
        Value::Object(self.split()).to_string()
    }

    fn split(&self) -> Map<String, Value> {
        let (name, value) = match self.train.unwrap_or(Train::DEFAULT) {
            Train::Percent(percent) => ("train", json!(percent)),
            Train::Until(time) => ("train_until", json!(time.get())),
        };
        Map::from_iter([(name.to_owned(), value)])
    }
}

impl Train {
    /// A tenth, as in the literature.
    const DEFAULT: Self = Self::Percent(10.0);

    /// No contests.
    pub(crate) const NONE: Self = Self::Percent(0.0);

    /// Returns the number of the evaluated contests that train; they are the first `contests` of a
    /// replay with an order.
    ///
    /// # Errors
    /// [`Error::NoContestsUntil`] if there is no contest; [`Error::NoTraining`] if they were chosen
    /// and are none; [`Error::NoPredictions`] if they are all.
    pub(crate) fn count_chosen(
        chosen: Option<Self>,
        replay: &Replay<'_>,
        contests: u64,
    ) -> Result<u64, Error> {
        if contests == 0 && replay.rated > 0 {
            let contests = replay.rated;
            return Err(Error::NoContestsUntil { contests });
        }
        let train = chosen.unwrap_or(Self::DEFAULT);
        let training = train.count(replay, contests);
        let is_missing = chosen.is_some() && training == 0 && train != Self::NONE;
        if contests > 0 && is_missing {
            return Err(Error::NoTraining { contests });
        }
        if replay.rated > 0 && training >= contests {
            return Err(Error::NoPredictions { contests });
        }
        Ok(training)
    }

    fn count(self, replay: &Replay<'_>, contests: u64) -> u64 {
        match self {
            // Contests are far fewer than 2^53.
            Self::Percent(percent) => (percent * contests as f64 / 100.0) as u64,
            Self::Until(time) => count_earlier(replay, time).min(contests),
        }
    }
}

/// Returns the number of contests with an order that ended before a time.
pub(crate) fn count_earlier(replay: &Replay<'_>, time: ContestTime) -> u64 {
    let contests = replay.rated_contests();
    contests.filter(|(contest, _)| contest.row.ends_at < time.get()).count() as u64
}
