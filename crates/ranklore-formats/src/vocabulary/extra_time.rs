//! The headings of scores after extra time, and of shootouts: `aet`, `ET home`, `tothgoal`, `Pens`.

use super::seats::{Field, Seat, heading_word, parse_seat_heading};
use super::words::has_word;

/// Words for extra time and for the total after it; the longest of several that fit counts.
const EXTRA_TIMES: &str = "afterextratime afterovertime extratime overtime extra aet aot ot et total tot \
     nachverlaengerung nachverlangerung verlaengerung verlangerung prorroga prolongation prolongations \
     supplementari prorrogacao dogrywka";

/// Words for what decides a game that is equal after extra time.
const SHOOTOUTS: &str = "penaltyshootout penalties penalty penaltie shootout shootouts pens pen pso psos elfmeter \
     elfmeterschiessen tirsaubut tirsaubuts rigori penales penaltis";

/// Words beside those of extra time in the heading of a column with both scores.
const SCORES: &str =
    "score scores result results ft goals resultat resultado ergebnis stand points";

/// The competitors whose scores are in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScoresOf {
    /// Cells such as `3-2`.
    Both,
    Seat(Seat),
}

/// A heading of scores after the regular time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExtraTimeHeading {
    pub(crate) scores_of: ScoresOf,
    /// True if the numbers are those of a shootout, and not scores of the game.
    pub(crate) is_shootout: bool,
    /// The word for extra time, equal in the headings of both competitors.
    pub(crate) word: &'static str,
}

impl ExtraTimeHeading {
    /// Parses a heading. `None` if it says nothing of extra time.
    pub(crate) fn parse(heading: &str) -> Option<Self> {
        let word = heading_word(heading);
        // A heading such as "home_penalties" has a meaning of its own.
        if word.is_empty() || parse_seat_heading(&word).is_some() {
            return None;
        }
        let words = |list: &'static str, is_shootout| {
            list.split(' ').map(move |known| (known, is_shootout))
        };
        let mut words: Vec<(&'static str, bool)> =
            words(EXTRA_TIMES, false).chain(words(SHOOTOUTS, true)).collect();
        words.sort_by_key(|(known, _)| std::cmp::Reverse(known.len()));
        words.into_iter().find_map(|(known, is_shootout)| {
            let mut rests = [word.strip_prefix(known), word.strip_suffix(known)].into_iter();
            let scores_of = rests.find_map(|rest| parse_rest(rest?))?;
            // A total without a side can be anything.
            (word != "total").then_some(Self {
                scores_of,
                is_shootout,
                word: known,
            })
        })
    }
}

/// Parses a heading without its word for extra time.
fn parse_rest(rest: &str) -> Option<ScoresOf> {
    if rest.is_empty() || has_word(SCORES, rest) {
        return Some(ScoresOf::Both);
    }
    match rest {
        "1" | "h" => return Some(ScoresOf::Seat(Seat::One)),
        "2" | "v" => return Some(ScoresOf::Seat(Seat::Two)),
        _ => {}
    }
    let heading = parse_seat_heading(rest).filter(|heading| heading.member.is_none())?;
    matches!(heading.field, Field::Name(..) | Field::Score(_))
        .then_some(ScoresOf::Seat(heading.seat))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_of_extra_time_are_recognised() {
        let parse = |heading| {
            ExtraTimeHeading::parse(heading).map(|known| (known.scores_of, known.is_shootout))
        };
        for (heading, scores_of, is_shootout) in [
            ("aet", ScoresOf::Both, false),
            ("ET", ScoresOf::Both, false),
            ("Score after extra time", ScoresOf::Both, false),
            ("Pens", ScoresOf::Both, true),
            ("PSO", ScoresOf::Both, true),
            ("aethgoal", ScoresOf::Seat(Seat::One), false),
            ("totvgoal", ScoresOf::Seat(Seat::Two), false),
            ("Home goals ET", ScoresOf::Seat(Seat::One), false),
            ("away_goals_overtime", ScoresOf::Seat(Seat::Two), false),
            ("OT score 2", ScoresOf::Seat(Seat::Two), false),
            ("ot_1", ScoresOf::Seat(Seat::One), false),
            ("total_away", ScoresOf::Seat(Seat::Two), false),
        ] {
            assert_eq!(parse(heading), Some((scores_of, is_shootout)), "{heading}");
        }
        for heading in [
            "",
            "Home",
            "Total",
            "home_penalties",
            "tiewinner",
            "HTHG",
            "Ticket",
            "Away shot",
            "Set 1",
        ] {
            assert_eq!(parse(heading), None, "{heading}");
        }
    }
}
