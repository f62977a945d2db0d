//! Collects annotations of contests.

use std::collections::HashMap;

use ranklore_contest::{Annotations, EntrantKind, StartingRating};

/// Collects annotations of contests. The last annotation of a competitor wins.
#[derive(Default)]
pub(crate) struct AnnotationCollector {
    pub(crate) names: LatestValues<String>,
    pub(crate) starts: LatestValues<StartingRating>,
    pub(crate) merges: LatestValues<String>,
}

impl AnnotationCollector {
    pub(crate) fn add(&mut self, annotations: Annotations) {
        for facts in annotations.competitors {
            let competitor = (facts.kind, facts.competitor);
            self.names.insert(&competitor, facts.name);
            self.starts.insert(&competitor, facts.start);
            self.merges.insert(&competitor, facts.merged_into);
        }
    }
}

/// The last value of each competitor, in order of first appearance.
pub(crate) struct LatestValues<T> {
    pub(crate) values: Vec<(EntrantKind, String, T)>,
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
    fn insert(&mut self, competitor: &(EntrantKind, String), value: Option<T>) {
        let Some(value) = value else {
            return;
        };
        if let Some(&index) = self.index.get(competitor) {
            self.values[index].2 = value;
        } else {
            self.index.insert(competitor.clone(), self.values.len());
            self.values.push((competitor.0, competitor.1.clone(), value));
        }
    }
}
