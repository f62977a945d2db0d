//! Collects annotations of contests.

use std::collections::HashMap;

use ranklore_contest::{Annotations, EntrantKind, StartingRating};

use crate::reading::FileReading;

/// Collects annotations of contests. The last annotation of a competitor wins.
#[derive(Default)]
pub(crate) struct AnnotationCollector {
    names: LatestValues<String>,
    starts: LatestValues<StartingRating>,
    merges: LatestValues<String>,
}

impl AnnotationCollector {
    pub(crate) fn add(&mut self, beside: Annotations) {
        for known in beside.competitors {
            let who = (known.kind, known.competitor);
            self.names.insert(&who, known.name);
            self.starts.insert(&who, known.start);
            self.merges.insert(&who, known.merged_into);
        }
    }

    pub(crate) fn finish(self, reading: &mut FileReading) {
        reading.names = self.names.values;
        reading.starting_ratings.extend(self.starts.values);
        reading.merges = self.merges.values;
    }
}

/// The last value of each competitor, in order of first appearance.
struct LatestValues<T> {
    values: Vec<(EntrantKind, String, T)>,
    index: HashMap<(EntrantKind, String), usize>,
}

impl<T> Default for LatestValues<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            index: HashMap::new(),
        }
    }
}

impl<T> LatestValues<T> {
    fn insert(&mut self, who: &(EntrantKind, String), said: Option<T>) {
        let Some(said) = said else {
            return;
        };
        if let Some(&index) = self.index.get(who) {
            self.values[index].2 = said;
        } else {
            self.index.insert(who.clone(), self.values.len());
            self.values.push((who.0, who.1.clone(), said));
        }
    }
}
