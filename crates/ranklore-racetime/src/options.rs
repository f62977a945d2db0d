//! The options of the source: categories, goals and unrecorded races.

use std::collections::{BTreeMap, BTreeSet};

use ranklore_source::{InvalidOption, OptionKind, OptionValues, SourceOption};

use crate::requests::{CategoryFilter, RacePage, is_slug};

const CATEGORY: SourceOption = SourceOption {
    kind: OptionKind::Words("CATEGORY"),
    flag: true,
    enables_lists: true,
    ..SourceOption::switch("category", "Category to sync, as in its URL; repeatable")
};

const GOAL: SourceOption = SourceOption {
    kind: OptionKind::Words("NAME"),
    flag: true,
    ..SourceOption::switch("goal", "Only races with this goal; repeatable [default: all]")
};

const UNRECORDED: SourceOption =
    SourceOption::switch("unrecorded", "Rate races too that the site did not record");

pub(crate) static OPTIONS: [SourceOption; 3] = [CATEGORY, GOAL, UNRECORDED];

/// The races of a category that all syncs together selected.
#[derive(Clone, Debug, Default)]
struct CategorySelection {
    has_all_goals: bool,
    goals: BTreeSet<String>,
    with_unrecorded: bool,
}

/// The selected races, by category.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection(BTreeMap<String, CategorySelection>);

impl Selection {
    /// Adds the selection that the first page of a category records.
    pub(crate) fn add(&mut self, page: &RacePage) {
        if page.number > 1 {
            return;
        }
        let selection = self.0.entry(page.category.clone()).or_default();
        match &page.filter.goal {
            Some(goal) => drop(selection.goals.insert(goal.clone())),
            None => selection.has_all_goals = true,
        }
        selection.with_unrecorded |= page.filter.with_unrecorded;
    }

    /// True if races of this category and goal are stored.
    pub(crate) fn has_goal(&self, category: &str, goal: &str) -> bool {
        self.0
            .get(category)
            .is_none_or(|selection| selection.has_all_goals || selection.goals.contains(goal))
    }

    /// True if unrecorded races of this category are rated.
    pub(crate) fn rates_unrecorded(&self, category: &str) -> bool {
        self.0.get(category).is_some_and(|selection| selection.with_unrecorded)
    }
}

/// Returns the first page of every category and goal.
pub(crate) fn parse_pages(values: &OptionValues) -> Result<Vec<RacePage>, InvalidOption> {
    let categories = values.words(CATEGORY.name);
    // No request tells anything about known races of other categories.
    if categories.is_empty() {
        return Err(InvalidOption(format!("{} is missing", CATEGORY.usage())));
    }
    let goals = values.words(GOAL.name).iter().cloned().map(Some);
    let goals: Vec<Option<String>> = match goals.len() {
        0 => vec![None],
        _ => goals.collect(),
    };
    let mut pages: Vec<RacePage> = Vec::new();
    for category in categories {
        let slug = category.trim_matches('/');
        if !is_slug(slug) {
            return Err(InvalidOption(format!(
                "{category:?} is not a category: use the word in its URL, such as smr for \
                 https://racetime.gg/smr"
            )));
        }
        for goal in &goals {
            let filter = CategoryFilter {
                goal: goal.clone(),
                with_unrecorded: values.is_set(UNRECORDED.name),
            };
            let page = RacePage::first(slug, filter);
            if !pages.contains(&page) {
                pages.push(page);
            }
        }
    }
    Ok(pages)
}
