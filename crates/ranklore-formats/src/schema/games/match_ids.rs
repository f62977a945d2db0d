//! Ids of games that hold for a match, or that restart with each event or day.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{GameColumns, find_column};
use crate::schema::game_claims::Claim;
use crate::schema::people::paired_names::identifies_matches;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::FileReadError;

/// The strength of a heading `id`.
const ID_STRENGTH: u8 = 2;

/// Returns the column of ids of games. One under a word that is weaker than `id` has no blank cells.
pub(super) fn find_id(
    table: &HeaderTable,
    claims: &[Claim],
) -> Result<Option<usize>, FileReadError> {
    let known = find_column(table, claims, ColumnMeaning::ContestId, ID_STRENGTH)?;
    let weaker = find_column(table, claims, ColumnMeaning::ContestId, u8::MAX)?;
    Ok(known.or_else(|| weaker.filter(|&id| !table.values(id).any(is_blank))))
}

impl GameColumns {
    /// Reads an id of matches with several games as that of events, and none of each day.
    pub(super) fn read_match_ids(
        &mut self,
        table: &HeaderTable,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) {
        let id = self.id.take_if(|id| identifies_matches(table, *id, self.names));
        if id.is_some() {
            self.number = None;
            self.event_id = id;
        }
        let is_stated = |column| stated_meanings.contains_key(table.heading(column));
        let numbers_events = |id: &mut usize| {
            let event_id = self.event_id.filter(|_| !is_stated(*id));
            event_id.is_some_and(|event| restarts(table, *id, event))
        };
        if let Some(number) = self.id.take_if(numbers_events) {
            self.number = Some(number);
            return;
        }
        self.id = self.id.filter(|&id| is_stated(id) || !self.numbers_days(table, id));
    }

    /// True if an id numbers the games of a day or season: most recur, on other dates or in other events,
    /// and with other competitors.
    fn numbers_days(&self, table: &HeaderTable, id: usize) -> bool {
        let mut games: HashMap<&str, Vec<[&str; 4]>> = HashMap::new();
        for row in table.data_rows() {
            let [one, two] = self.names.map(|column| table.grid.cell(row, column));
            let [date, event] = [self.date, self.event].map(|column| table.cell(row, column));
            let game = [date, event, one.min(two), one.max(two)];
            games.entry(table.grid.cell(row, id)).or_default().push(game);
        }
        let recurring = games.values().filter(|games| games.len() > 1);
        let differ = |games: &Vec<[&str; 4]>| {
            let [mut days, mut pairs] = [HashSet::new(), HashSet::new()];
            games.iter().all(|game| days.insert(&game[..2]) && pairs.insert(&game[2..]))
        };
        2 * recurring.clone().count() > games.len() && recurring.clone().all(differ)
    }
}

/// True if ids recur, each in another event: they number the games of each.
fn restarts(table: &HeaderTable, id: usize, event: usize) -> bool {
    let keys = || table.data_rows().map(|row| [id, event].map(|c| table.grid.cell(row, c)));
    let ids: HashSet<&str> = keys().map(|key| key[0]).collect();
    let games: HashSet<[&str; 2]> = keys().collect();
    ids.len() < games.len() && games.len() == table.data_rows().len()
}
