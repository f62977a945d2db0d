//! Parses cells with places and statuses.

use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_contest::word_enum;

word_enum! {
    /// The status of a competitor in a cell.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CellStatus {
        /// Took part; the place or the score decides.
        Finished = "finished",
        /// Took part, below all finishers.
        DidNotFinish = "dnf",
        /// Disqualified: below all finishers.
        Disqualified = "dq",
        /// Absent: not an entrant.
        DidNotStart = "dns",
    }
}

const FINISHED_WORDS: &str = "finished finish fin finisher ok complete completed classified ranked official valid yes q \
     running df didfinish gewertet classe clasificado";
const DID_NOT_FINISH_WORDS: &str = "dnf didnotfinish notfinished unfinished incomplete ret retired wd withdrew withdrawn \
     abandoned abandon abandonne abandono ab abd rtd aufgegeben nc ncl notclassified unranked out otl hd mc cut \
     retirado tko tle nsc raf 中止 \
     ritirato abandonou brutt utgatt udgaet keskeytti keskeyttanyt kesk nedokoncil nedokoncila \
     nedokonceno vzdal vzdala nieukonczyl nieukonczyla odustao odustala uitgevallen afgestapt \
     opgegeven сошел сошёл сход нефинишировал нефинишировала 棄権 途中棄権 未完赛 기권";
const DISQUALIFIED_WORDS: &str = "dq dsq dqf disq disqualified disqualifie disqualifiziert descalificado dsqd excluded exc ex ocs ufd bfd dne \
     dgm dd msp mispunch mispunched mispunkt 失格 \
     squalificato desclassificado desclassificada gediskwalificeerd diskvalifisert diskvalificerad \
     diskvalificeret diskvalifikovan diskvalifikovana zdyskwalifikowany zdyskwalifikowana hylatty \
     hyl diskvalifikacija дисквалифицирован дисквалификация снят снята 取消资格 실격";
const DID_NOT_START_WORDS: &str = "dns didnotstart notstarted absent noshow na nv bye dnp didnotplay didnotparticipate \
     nichtangetreten nonpartant np scratched scr dnq didnotqualify notqualified hc horsconcours guest outofcompetition \
     walkover wo dnc ns ood rdg rdga rdgb rdgc rdgd dut duty arb 除 除外 取消 欠場 \
     ikkestartet ejstart ejstartande eistartannut nestartoval nestartovala niestartowal \
     niestartowala nonpartito nonpartita nietgestart нестартовал нестартовала неявка 未出場 불참";

impl CellStatus {
    /// Parses a known word for a status: `DNF`, `d.n.s.`, `Disqualified`, `finished`, …
    pub(crate) fn parse(cell: &str) -> Option<Self> {
        // Most cells are numbers, and none of these words contains a digit.
        if cell.is_empty() || cell.bytes().any(|b| b.is_ascii_digit()) {
            return None;
        }
        let word = normalise_word(cell);
        [
            (FINISHED_WORDS, Self::Finished),
            (DID_NOT_FINISH_WORDS, Self::DidNotFinish),
            (DISQUALIFIED_WORDS, Self::Disqualified),
            (DID_NOT_START_WORDS, Self::DidNotStart),
        ]
        .into_iter()
        .find_map(|(words, status)| has_word(words, &word).then_some(status))
    }
}

/// Words for an empty cell, as R, pandas, databases and people write them.
const EMPTY_WORDS: &str = "na n/a #n/a nan null none tbd tba \\n";

/// True if a cell holds no value: it is empty, or has only dashes, a star or a word such as NA.
pub(crate) fn is_blank(cell: &str) -> bool {
    // Most cells begin with a digit or are long.
    match cell.as_bytes() {
        [b'0'..=b'9', ..] => false,
        [] | [b'*'] => true,
        [b'N' | b'n' | b'T' | b't' | b'#' | b'\\', ..] if cell.len() <= 4 => {
            has_word(EMPTY_WORDS, &cell.to_ascii_lowercase())
        }
        [first, ..] if first.is_ascii_alphanumeric() => false,
        _ => is_dash(cell),
    }
}

/// True if a cell of names holds none, as R and pandas write it. Other words of [`is_blank`] can be
/// names: `null`, `Nan`.
pub(crate) fn is_nameless(cell: &str) -> bool {
    matches!(cell, "" | "NA" | "N/A" | "#N/A" | "NaN" | "nan")
}

/// True if a cell is empty or has only dashes. The words of [`is_blank`] can be names.
pub(crate) fn is_dash(cell: &str) -> bool {
    cell.chars()
        .all(|c| matches!(c, '-' | '–' | '—' | '−' | '‐' | '‑') || c.is_whitespace())
}

/// The words beside the number of a place.
const PLACE_WORDS: [&str; 6] = ["place", "platz", "position", "rank", "rang", "plass"];

/// Returns the number of a place with its word: `1st Place`, `Platz 3`.
fn strip_place_word(cell: &str) -> Option<&str> {
    let lower = cell.to_ascii_lowercase();
    let bare = PLACE_WORDS.iter().find_map(|word| {
        let range = match lower.strip_suffix(word) {
            Some(number) => 0..number.len(),
            None => word.len()..lower.strip_prefix(word).map(|_| lower.len())?,
        };
        // The same bytes, since only ASCII letters change.
        cell.get(range)
    })?;
    Some(bare.trim()).filter(|number| number.contains(|c: char| c.is_ascii_digit()))
}

/// The medals for the first places.
const MEDALS: [&str; 3] = ["gold", "silver", "bronze"];

/// Parses a place: `1`, `T3`, `=3`, `*3`, `3=`, `3rd=`, `(3)`, `3.`, `1st`, `T-2`, `3.0`, `1st place`,
/// `Gold`, `第1位`, `1:a`.
pub(crate) fn parse_place(cell: &str) -> Option<u32> {
    // Most cells are numbers, or longer texts.
    let may_have_word =
        (6..=20).contains(&cell.len()) && cell.contains(|c: char| c.is_ascii_alphabetic());
    let cell = may_have_word.then(|| strip_place_word(cell)).flatten().unwrap_or(cell);
    let cell = cell.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(cell);
    let cell = cell.strip_prefix(['第', '제']).unwrap_or(cell);
    let digits = cell
        .trim_start_matches(['=', '#', '*'])
        .trim_start_matches(['T', 't'])
        .trim_start_matches(['-', '=', ' ']);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (number, rest) = digits.split_at(end);
    // A leading minus is a sign, unless a T precedes it.
    if cell.starts_with('-') {
        return None;
    }
    if number.is_empty() {
        let medals = (1..).zip(MEDALS);
        return medals
            .into_iter()
            .find_map(|(place, medal)| cell.eq_ignore_ascii_case(medal).then_some(place));
    }
    let rest = rest.trim().to_ascii_lowercase();
    let ornament = rest.is_empty()
        || has_word(
            ". = .= t st nd rd th st= nd= rd= th= er ere e eme º ª ° .º .ª ) ème ère :a :e 位 名 着 위 등",
            &rest,
        )
        || rest.strip_prefix('.').is_some_and(|zeros| zeros.bytes().all(|b| b == b'0'));
    number.parse().ok().filter(|&place| place > 0 && ornament)
}

/// Parses places that competitors share, such as `3-4`, `5–8` or `3rd-4th`: returns the lowest.
pub(crate) fn parse_place_range(cell: &str) -> Option<u32> {
    let cell = strip_place_word(cell).unwrap_or(cell);
    let (first, last) = cell.split_once(['-', '–', '—', '−', '‐', '‑'])?;
    let first = parse_place(first.trim())?;
    parse_place(last.trim()).is_some_and(|last| last > first).then_some(first)
}

/// Returns a number without the marks of footnotes behind it.
pub(crate) fn strip_marks(cell: &str) -> &str {
    let number = cell.trim_end_matches(['*', '†']).trim_end();
    let is_number = number.ends_with(|c: char| c.is_ascii_digit());
    if is_number { number } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_parsed() {
        for (cell, expected) in [
            ("1", 1),
            ("T3", 3),
            ("t3", 3),
            ("=3", 3),
            ("3=", 3),
            ("3.", 3),
            ("1st", 1),
            ("2nd", 2),
            ("3RD", 3),
            ("11th", 11),
            ("T-3", 3),
            ("T 3", 3),
            ("#4", 4),
            ("1.0", 1),
            ("3T", 3),
            ("2e", 2),
            ("1er", 1),
            ("4.º", 4),
            ("007", 7),
            ("T=5", 5),
            ("1st Place", 1),
            ("Place 3", 3),
            ("Platz 4", 4),
            ("2. Platz", 2),
            ("Rank #7", 7),
            ("Gold", 1),
            ("BRONZE", 3),
            ("1位", 1),
            ("第2位", 2),
            ("第3名", 3),
            ("4위", 4),
            ("1:a", 1),
            ("2:e", 2),
        ] {
            assert_eq!(parse_place(cell), Some(expected), "{cell}");
        }
        for cell in [
            "",
            "0",
            "-1",
            "1.5",
            "1,5",
            "first",
            "T",
            "1-3",
            "1/2",
            "DNF",
            "1st place!",
            "5000000000",
            "1 2",
            "+1",
            "3 pts",
            "−3",
            "第位",
            "1:20",
            "第1戦",
        ] {
            assert_eq!(parse_place(cell), None, "{cell}");
        }
    }

    #[test]
    fn place_ranges_are_parsed() {
        for (cell, expected) in [
            ("3-4", 3),
            ("5–8", 5),
            ("9 — 16", 9),
            ("3rd-4th", 3),
            ("5.-8.", 5),
            ("T3-4", 3),
            ("5th-8th place", 5),
        ] {
            assert_eq!(parse_place_range(cell), Some(expected), "{cell}");
        }
        for cell in [
            "", "3", "T-3", "3-", "-4", "4-3", "3-3", "0-2", "3-4-5", "3-x", "1.5-2",
        ] {
            assert_eq!(parse_place_range(cell), None, "{cell}");
        }
    }

    #[test]
    fn statuses_are_parsed() {
        for (cell, expected) in [
            ("DNF", CellStatus::DidNotFinish),
            ("d.n.f.", CellStatus::DidNotFinish),
            ("Ret", CellStatus::DidNotFinish),
            ("WD", CellStatus::DidNotFinish),
            ("DQ", CellStatus::Disqualified),
            ("dsq", CellStatus::Disqualified),
            ("Disq.", CellStatus::Disqualified),
            ("DNS", CellStatus::DidNotStart),
            ("did not start", CellStatus::DidNotStart),
            ("DNQ", CellStatus::DidNotStart),
            ("H.C.", CellStatus::DidNotStart),
            ("w/o", CellStatus::DidNotStart),
            ("EX", CellStatus::Disqualified),
            ("OTL", CellStatus::DidNotFinish),
            ("OCS", CellStatus::Disqualified),
            ("DNC", CellStatus::DidNotStart),
            ("Finished", CellStatus::Finished),
            ("ok", CellStatus::Finished),
        ] {
            assert_eq!(CellStatus::parse(cell), Some(expected), "{cell}");
        }
        for cell in ["", "-", "3", "maybe", "Dnfx"] {
            assert_eq!(CellStatus::parse(cell), None, "{cell}");
        }
    }

    #[test]
    fn dashes_are_blank() {
        for cell in ["", "-", "–", "--", "—", " - "] {
            assert!(is_blank(cell) && is_dash(cell), "{cell:?}");
        }
        for cell in ["NA", "n/a", "#N/A", "NaN", "null", "None", "TBD", "*"] {
            assert!(is_blank(cell) && !is_dash(cell), "{cell:?}");
        }
        for cell in ["0", ".", "x", "-1", "**", "Nan B", "nap"] {
            assert!(!is_blank(cell), "{cell:?}");
        }
    }
}
