//! Orders the rounds of a tournament: `3`, `Matchday 12`, `R16`, `1/4`, `Semis`, `Grand Final`.

use std::collections::HashMap;

use crate::vocabulary::words::{has_word, normalise_word};

/// The words for rounds of a knock-out, from the first to the last.
const KNOCK_OUTS: [&str; 9] = [
    "r256 roundof256 last256",
    "r128 roundof128 last128",
    "r64 roundof64 last64",
    "r32 roundof32 last32 sechzehntelfinale sixteenths",
    "r16 roundof16 last16 achtelfinale eighths octavos ottavi octofinals",
    "qf quarterfinal quarterfinals quarters quarter viertelfinale quarts cuartos quarti division \
     divisional",
    "sf semifinal semifinals semis semi halbfinale demis",
    "br bronze bronzefinal spielumplatz3 conference confchamp finalina",
    "f final thefinal finals finale finali endspiel",
];

/// Parts of words for rounds of a knock-out, with their index in [`KNOCK_OUTS`]; the first that a word
/// contains decides.
const KNOCK_OUT_PARTS: [(usize, &str); 8] = [
    (
        GRAND_FINAL,
        "grandfinal grandefinal granfinal superbowl worldseries nationalchampionship",
    ),
    (
        BEFORE_FINAL,
        "thirdplace 3rdplace troisiemeplace place3 3eplace platz3 3platz dritten tercerpuesto \
         tercerlugar terzoposto bronze smallfinal kleinesfinale petitefinale consolation \
         preliminaryfinal conferencefinal conferencechampionship",
    ),
    (SEMIFINAL, "semifin halbfin demifin halvefin meiasfin finalfour"),
    (
        5,
        "quarterfin viertelfin quartdefin quartsdefin cuartosdefin quartidifin quartasdefin kwartfin \
         eliteeight qualifyingfinal eliminationfinal",
    ),
    (
        4,
        "achtelfin huitiemesdefin huitiemedefin octavosdefin ottavidifin oitavasdefin achtstefin \
         eighthfin sweetsixteen",
    ),
    (
        3,
        "sechzehntelfin seiziemesdefin seiziemedefin dieciseisavos sedicesimi sixteenthfin",
    ),
    (2, "zweiunddreissigstelfin trentedeuxieme treintaidosavos trentaduesimi"),
    (FINAL, "endspiel"),
];

const SEMIFINAL: usize = 6;

/// The index of games between the semifinals and the final: for the third place, and the last ones of
/// both brackets of a double elimination.
const BEFORE_FINAL: usize = 7;

const FINAL: usize = 8;

/// The index of the final of a double elimination, after those of its brackets.
const GRAND_FINAL: usize = 9;

/// The rank of the first knock-out round, behind all numbered rounds.
const FIRST_KNOCK_OUT: i64 = 10_001;

/// The rank of play-offs without the name of a round.
const PLAY_OFFS: i64 = FIRST_KNOCK_OUT - 1;

/// The rank of qualifying rounds, before all others.
const QUALIFYING: i64 = -10;

/// The ranks of the rounds in a column.
pub(super) struct RoundRanks<'t> {
    ranks: HashMap<&'t str, i64>,
    /// The first round that is neither a number nor a known word. Such rounds have the rank of the
    /// one before them, so that the order of the rows holds.
    pub(super) unknown: Option<&'t str>,
}

impl<'t> RoundRanks<'t> {
    /// Ranks rounds, each with its event, in the order in which they were played.
    pub(super) fn from_rounds(rounds: impl Iterator<Item = (&'t str, &'t str)> + Clone) -> Self {
        let mut ranks: HashMap<&str, Option<i64>> = HashMap::new();
        let mut last = None;
        for (_, label) in rounds.clone() {
            if last != Some(label) && !label.is_empty() {
                ranks.entry(label).or_default();
            }
            last = Some(label);
        }
        // R16 is a round of 16, unless there is a round such as R15.
        let numbers_rounds = ranks
            .keys()
            .filter_map(|label| short_round(label))
            .any(|n| !matches!(n, 16 | 32 | 64 | 128 | 256));
        for (label, rank) in &mut ranks {
            *rank = find_rank(label, numbers_rounds);
        }
        let mut unknown = None;
        if ranks.values().any(Option::is_none) {
            let mut labels = rounds.clone().map(|(_, label)| label);
            unknown = labels.find(|label| ranks.get(label) == Some(&None));
            rank_by_neighbours(rounds, &mut ranks);
        }
        let ranks = ranks.into_iter().map(|(label, rank)| (label, rank.unwrap_or(0))).collect();
        Self { ranks, unknown }
    }

    /// Returns the rank of a round; that of a blank cell is 0.
    pub(super) fn rank(&self, round: &str) -> i64 {
        self.ranks.get(round).copied().unwrap_or(0)
    }
}

/// Gives unknown rounds the rank of the round before them in their event, or else of the one after
/// them.
fn rank_by_neighbours<'t>(
    rounds: impl Iterator<Item = (&'t str, &'t str)>,
    ranks: &mut HashMap<&'t str, Option<i64>>,
) {
    let mut last: Option<(&str, i64)> = None;
    let mut waiting = Vec::new();
    let mut event_of_waiting = "";
    for (event, label) in rounds {
        let Some(rank) = ranks.get_mut(label) else {
            continue;
        };
        let before = last.filter(|(known, _)| *known == event).map(|(_, rank)| rank);
        if event_of_waiting != event {
            waiting.clear();
        }
        *rank = rank.or(before);
        if let Some(rank) = *rank {
            last = Some((event, rank));
            for label in waiting.drain(..) {
                ranks.insert(label, Some(rank));
            }
        } else if waiting.last() != Some(&label) {
            waiting.push(label);
            event_of_waiting = event;
        }
    }
}

/// Returns the number of `R12`.
fn short_round(label: &str) -> Option<u32> {
    let digits = label.strip_prefix(['R', 'r'])?;
    let fits = digits.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| digits.parse().ok())?
}

/// Returns the rank of a round; `numbers_rounds` is true if R16 is the sixteenth round.
fn find_rank(label: &str, numbers_rounds: bool) -> Option<i64> {
    if let Some(number) = short_round(label).filter(|_| numbers_rounds) {
        return Some(i64::from(number.min(9_999)));
    }
    let word = normalise_word(label);
    if let Some(index) = find_knock_out(label, &word) {
        return Some(FIRST_KNOCK_OUT + index as i64);
    }
    let begin = label.find(|c: char| c.is_ascii_digit());
    let number = begin.and_then(|begin| {
        let digits = &label[begin..];
        let end = digits.find(|c: char| !c.is_ascii_digit());
        digits[..end.unwrap_or(digits.len())].parse::<i64>().ok()
    });
    let begins_with = |words: &str| words.split(' ').any(|begin| word.starts_with(begin));
    let is_short_qualifying = word.len() == 2 && word.starts_with('q') && number.is_some();
    if is_short_qualifying || begins_with("qualif cualif prelim previa") {
        return Some(QUALIFYING + number.filter(|n| (1..=9).contains(n)).unwrap_or(0));
    }
    if begins_with("playoff playin wildcard barrage repechage firstfour") || word == "wc" {
        return Some(PLAY_OFFS);
    }
    // Round robins and early rounds precede a knock-out.
    let precedes = has_word("rr er pr", &word)
        || begins_with(
            "roundrobin group grupo pool poule girone vorrunde regularseason leaguephase",
        );
    number.map(|number| number.min(9_999)).or(precedes.then_some(0))
}

/// Returns the index of a round of a knock-out in [`KNOCK_OUTS`], or that of a grand final.
fn find_knock_out(label: &str, word: &str) -> Option<usize> {
    if let Some(index) = KNOCK_OUTS.iter().position(|words| has_word(words, word)) {
        return Some(index);
    }
    if let Some(part) = label.trim().strip_prefix("1/") {
        // The eighth of a final is a round of 16.
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let rest = normalise_word(&part[end..]);
        let parts = [128, 64, 32, 16, 8, 4, 2];
        let index = parts.iter().position(|known| part[..end].parse() == Ok(*known));
        return index.filter(|_| rest.is_empty() || rest.contains("final"));
    }
    let contains = |parts: &str| parts.split(' ').any(|part| word.contains(part));
    let place = contains("place platz puesto posto") && word.contains(|c: char| c.is_ascii_digit());
    let is_of_bracket = contains("winners losers upperbracket lowerbracket upperfinal lowerfinal");
    let is_of_losers = contains("losers lowerbracket lowerfinal");
    for (index, parts) in KNOCK_OUT_PARTS {
        if contains(parts) {
            // Those who lose a semifinal play on in the other bracket.
            return Some(if is_of_losers && index < BEFORE_FINAL {
                BEFORE_FINAL
            } else {
                index
            });
        }
    }
    if place {
        return Some(BEFORE_FINAL);
    }
    if let Some(number) = ["roundof", "last", "top"].iter().find_map(|begin| word.split_once(begin))
    {
        let numbers = ["256", "128", "64", "32", "16", "8", "4"];
        if let Some(index) = numbers.iter().position(|known| number.1 == *known) {
            return Some(index);
        }
    }
    let ends = ["final", "finals", "finale", "finales", "finali"];
    let is_final = word.starts_with("final") || ends.iter().any(|end| word.ends_with(end));
    is_final.then_some(if is_of_bracket { BEFORE_FINAL } else { FINAL })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_ordered() {
        for labels in [
            &["1", "2", "10"][..],
            &["Round 1", "Round 2", "Round 10", "Final"],
            &["R1", "R2", "R15", "R16"],
            &[
                "Q1", "Q2", "RR", "R128", "R64", "R32", "R16", "QF", "SF", "BR", "F",
            ],
            &[
                "1st Round",
                "4th Round",
                "Quarterfinals",
                "Semifinals",
                "The Final",
            ],
            &["Group A", "Viertelfinale", "Halbfinale", "Finale"],
            &["1.3", "2.1"],
            &[
                "Round 1",
                "Quarters",
                "Semis",
                "3rd Place Match",
                "Grand Final",
            ],
            &[
                "Group A",
                "Playoffs",
                "1/16",
                "1/8 final",
                "1/4",
                "1/2",
                "Final",
            ],
            &[
                "Pool B",
                "Huitièmes de finale",
                "Quart de finale",
                "Demi-finale",
                "Finale",
            ],
            &[
                "Grupo A",
                "Octavos de final",
                "Cuartos de final",
                "Semifinal",
                "Tercer puesto",
                "Final",
            ],
            &[
                "Girone A",
                "Ottavi di finale",
                "Quarti di finale",
                "Semifinali",
                "Finale",
            ],
            &[
                "Qualification",
                "Round 3",
                "Sixteenth-finals",
                "Eighth-finals",
                "Quarterfinals - 1st leg",
            ],
            &[
                "Winners Round 1",
                "Winners Semi-Final",
                "Winners Final",
                "Grand Final",
            ],
            &[
                "Losers Round 2",
                "Winners Semifinals",
                "Losers Final",
                "Grand Finals",
            ],
            &[
                "Week 18",
                "Wild Card",
                "Division",
                "Conf. Champ.",
                "Super Bowl",
            ],
            &["Round of 32", "Last 16", "Platz 3", "Endspiel"],
        ] {
            let ranks = RoundRanks::from_rounds(labels.iter().map(|label| ("", *label)));
            let ordered: Vec<i64> = labels.iter().map(|label| ranks.rank(label)).collect();
            assert!(ordered.is_sorted_by(|a, b| a < b), "{labels:?}: {ordered:?}");
        }
    }

    #[test]
    fn unknown_rounds_keep_the_order_of_the_rows() {
        let rounds = [
            ("Cup", "Hexagon"),
            ("Cup", "1"),
            ("Cup", "Ladder"),
            ("Cup", "2"),
            ("Open", "99999999999999999999"),
            ("Open", "3"),
        ];
        let ranks = RoundRanks::from_rounds(rounds.into_iter());
        assert_eq!(ranks.unknown, Some("Hexagon"));
        assert_eq!(rounds.map(|(_, label)| ranks.rank(label)), [1, 1, 1, 2, 3, 3]);
    }
}
