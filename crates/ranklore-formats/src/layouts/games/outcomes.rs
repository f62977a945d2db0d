//! Parses the outcomes of games: `1-0`, `½`, `3:1`, `+/-`, `H`, `white`, `tie`.

use crate::options::OutcomeNumbers;
use crate::values::cells::is_blank;
use crate::vocabulary::seats::{
    Pairing, Seat, heading_word, is_draw_word, parse_seat_heading, parse_side_word,
};
use crate::vocabulary::words::{has_word, normalise_word};

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Won(Seat),
    Drawn,
}

/// A number that can be an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digit {
    MinusOne,
    Zero,
    Half,
    One,
    Two,
}

/// A cell of a column of outcomes, as far as the cell alone tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// No result, or not yet: blank, `*`, `?`.
    Open,
    /// Scores of both: `1-0`, `½-½`, `21:15`.
    Scores(f64, f64),
    /// The winner by forfeit; `None` if both lost.
    Forfeit(Option<Seat>),
    Digit(Digit),
    /// `X`, a draw among 1 and 2.
    Cross,
    Draw,
    /// A draw of two that were both bad.
    BothBad,
    Won(Seat),
    Unknown,
}

const BOTH_BAD: &str = "bothbad tiebothbad drawbothbad";

const WINS: &str = "w win won wins s sieg gewonnen 胜 勝 \
     victoire gagne victoria ganado gano vitoria vittoria vinto seier seger sejr voitto wygrana \
     vyhra pobeda pobjeda gyozelem victorie galibiyet победа перемога νικη 승 勝ち 승리";

const LOSSES: &str = "l loss lost lose loses niederlage verloren 负 負 \
     defaite perdu derrota perdio sconfitta perso forlust nederlag tappio porazka prehra poraz \
     vereseg infrangere maglubiyet поражение поразка ηττα 패 負け 패배";

const OPEN: &str = "* ? tbd tba vs v n/a none null nan";

/// Words after a score that do not change it: after extra time or a shootout.
const AFTER_SCORES: &str = "ot so aet nv ap ets";

impl Mark {
    /// Parses a cell. `headings` are the normalised headings of both competitors.
    pub(super) fn parse(cell: &str, pairing: Pairing, headings: &[String; 2]) -> Self {
        match cell {
            "1-0" => return Self::Scores(1.0, 0.0),
            "0-1" => return Self::Scores(0.0, 1.0),
            "1/2-1/2" => return Self::Scores(0.5, 0.5),
            _ => {}
        }
        if let Some(forfeit) = parse_forfeit_signs(cell) {
            return forfeit;
        }
        if is_blank(cell) || (cell.len() <= 4 && has_word(OPEN, &cell.to_ascii_lowercase())) {
            return Self::Open;
        }
        if let Some(digit) = Digit::parse(cell) {
            return Self::Digit(digit);
        }
        if let Some((one, two)) = parse_scores(cell) {
            return Self::Scores(one, two);
        }
        parse_after_scores(cell)
            .or_else(|| Self::parse_colour(cell, pairing))
            .or_else(|| Self::parse_word(cell, pairing, headings))
            .unwrap_or(Self::Unknown)
    }

    /// Parses the colour that won and by how much, as in Go: `B+2.5`, `W+R`.
    fn parse_colour(cell: &str, pairing: Pairing) -> Option<Self> {
        let (colour, _) = cell.split_once('+').filter(|_| pairing == Pairing::WhiteBlack)?;
        match colour {
            "W" => Some(Self::Won(Seat::One)),
            "B" => Some(Self::Won(Seat::Two)),
            _ => None,
        }
    }

    fn parse_word(cell: &str, pairing: Pairing, headings: &[String; 2]) -> Option<Self> {
        if cell.len() > 40 {
            return None;
        }
        // A normalised word has no signs.
        if cell == "=" {
            return Some(Self::Draw);
        }
        if let Some((one, two)) = cell.split_once(['/', '-']) {
            let [one, two] = [one, two].map(normalise_word);
            if has_word(WINS, &one) && has_word(LOSSES, &two) {
                return Some(Self::Won(Seat::One));
            } else if has_word(LOSSES, &one) && has_word(WINS, &two) {
                return Some(Self::Won(Seat::Two));
            } else if one == two && is_draw_word(&one) {
                return Some(Self::Draw);
            }
        }
        let word = normalise_word(cell);
        if is_draw_word(&word) {
            return Some(Self::Draw);
        } else if has_word(BOTH_BAD, &word) {
            return Some(Self::BothBad);
        } else if word == "x" {
            return Some(Self::Cross);
        } else if has_word("doubleforfeit bothforfeit", &word) {
            return Some(Self::Forfeit(None));
        }
        if let Some(at) = headings.iter().position(|heading| *heading == word) {
            return Some(Self::Won(Seat::BOTH[at]));
        }
        let letter = match (pairing, word.as_str()) {
            (Pairing::HomeAway, "h") | (Pairing::RedBlue, "r") | (Pairing::LeftRight, "l") => {
                Some(Seat::One)
            }
            (Pairing::LeftRight, "r") => Some(Seat::Two),
            (Pairing::HomeAway, "a") | (Pairing::WhiteBlack | Pairing::RedBlue, "b") => {
                Some(Seat::Two)
            }
            (Pairing::Numbered, letter) => Seat::from_mark(letter),
            _ => None,
        };
        let seat = if letter.is_some() {
            letter
        } else if has_word(WINS, &word) {
            Some(Seat::One)
        } else if has_word(LOSSES, &word) {
            Some(Seat::Two)
        } else {
            parse_side(&word, pairing)
        };
        seat.map(Self::Won)
    }
}

impl Digit {
    fn parse(cell: &str) -> Option<Self> {
        let known = match cell {
            "0" => Self::Zero,
            "1" => Self::One,
            "2" => Self::Two,
            "½" | "1/2" => Self::Half,
            _ => {
                let ascii = cell.len() <= 5 && cell.bytes().any(|byte| byte.is_ascii_digit());
                let number = ascii.then(|| cell.replace(',', ".").replace('−', "-"))?;
                let fits =
                    number.bytes().all(|byte| byte.is_ascii_digit() || b".-+".contains(&byte));
                match fits.then(|| number.parse::<f64>().ok())?? {
                    -1.0 => Self::MinusOne,
                    0.0 => Self::Zero,
                    0.5 => Self::Half,
                    1.0 => Self::One,
                    2.0 => Self::Two,
                    _ => return None,
                }
            }
        };
        Some(known)
    }
}

/// Parses the name of a side, such as `white`, `black wins` or `player 2`.
fn parse_side(word: &str, pairing: Pairing) -> Option<Seat> {
    let verbs = ["wins", "won", "win"].into_iter();
    let mut sides = verbs.filter_map(|verb| word.strip_suffix(verb));
    let side = sides.next().filter(|side| !side.is_empty()).unwrap_or(word);
    match parse_side_word(side) {
        Some((known, seat)) if known == pairing => Some(seat),
        Some((Pairing::FirstSecond, seat)) if pairing == Pairing::Numbered => Some(seat),
        _ => parse_seat_heading(side)
            .filter(|heading| heading.pairing == Some(Pairing::Numbered))
            .map(|heading| heading.seat),
    }
}

/// Parses `+/-`, `+:-`, `+--`, `-/+`, `-/-` and the like.
fn parse_forfeit_signs(cell: &str) -> Option<Mark> {
    let signs = ['+', '-', '−', '–', '/', ':', ' '];
    if !cell.starts_with(['+', '-', '−', '–']) || !cell.chars().all(|c| signs.contains(&c)) {
        return None;
    }
    let separated = cell.contains(['/', ':']);
    let forfeit = match (cell.starts_with('+'), cell.ends_with('+')) {
        (true, false) => Some(Seat::One),
        (false, true) => Some(Seat::Two),
        // Dashes without a mark between them are a blank cell.
        (false, false) if separated => None,
        _ => return None,
    };
    Some(Mark::Forfeit(forfeit))
}

/// Parses two numbers with a dash or a colon between them.
fn parse_scores(cell: &str) -> Option<(f64, f64)> {
    let [one, two] = split_scores(cell)?;
    Some((parse_points(one)?, parse_points(two)?))
}

/// Splits a cell at the dash or colon between two scores.
pub(super) fn split_scores(cell: &str) -> Option<[&str; 2]> {
    let (one, two) = cell.split_once(['-', '–', '—', '−', '‐', '‑', ':'])?;
    Some([one.trim(), two.trim()])
}

/// Parses a number of up to four digits, with a half or decimals.
fn parse_points(text: &str) -> Option<f64> {
    if text.is_empty() || text.len() > 8 {
        return None;
    }
    if text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse::<u16>().ok().map(f64::from);
    }
    if text == "1/2" {
        return Some(0.5);
    }
    if let Some(number) = text.strip_suffix('½') {
        return match number {
            "" => Some(0.5),
            number => Some(parse_points(number)? + 0.5),
        };
    }
    let (integer, decimals) = text.split_once(['.', ','])?;
    let are_digits = |part: &str| part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
    let fits = are_digits(integer) && are_digits(decimals) && integer.len() + decimals.len() > 0;
    fits.then(|| format!("{integer}.{decimals}").parse().ok())?
}

/// Parses scores with a word after them: `1-0F`, `1F-0F`, `3-2 OT`, `2:1 (1:0)`.
fn parse_after_scores(cell: &str) -> Option<Mark> {
    if !cell.starts_with(|c: char| c.is_ascii_digit()) || cell.len() > 40 {
        return None;
    }
    let text = cell.trim_end().to_ascii_lowercase();
    let forfeits = ["forfeit", "fft", "ff", "f"].into_iter();
    let mut forfeited = forfeits.filter_map(|word| text.strip_suffix(word));
    if let Some(scores) = forfeited.next() {
        let scores = scores.replace('f', "");
        return match parse_scores(scores.trim())? {
            (one, two) if one > two => Some(Mark::Forfeit(Some(Seat::One))),
            (one, two) if one < two => Some(Mark::Forfeit(Some(Seat::Two))),
            (0.0, 0.0) => Some(Mark::Forfeit(None)),
            _ => None,
        };
    }
    let end = cell.find(|c: char| c == '(' || c.is_alphabetic())?;
    let (one, two) = parse_scores(cell[..end].trim_end())?;
    let after = cell[end..].trim();
    let word = heading_word(&after.replace(['(', ')'], ""));
    // Scores in brackets are those of the half, or penalties that decided a draw.
    let rest = after.strip_prefix('(');
    let half = rest.and_then(|rest| rest.strip_suffix(')'));
    let is_half = half.is_some_and(|scores| parse_scores(scores.trim()).is_some())
        && Verdict::from_scores([one, two], false) != Verdict::Drawn;
    (is_half || has_word(AFTER_SCORES, &word)).then_some(Mark::Scores(one, two))
}

/// The points of both competitors of one game; other pairs are scores.
const POINTS_OF_GAMES: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.0, 0.0]];

/// The reading of the numbers in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    Stated(OutcomeNumbers),
    /// 1, 0 and −1: a win, a draw and a loss of the competitor named first.
    Signs,
    /// 1, X and 2, as in football pools.
    Pools,
    /// Only ones and zeros or halves.
    Points,
    /// 0 and 1: the numbers in the headings of the first and the second side.
    FromZero,
    /// The numbers have several readings.
    Ambiguous,
}

/// The reading of the outcomes in a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutcomeStyle {
    /// `None` if there are no numbers.
    pub(super) numbers: Option<Numbers>,
    /// True if pairs of numbers are scores, and not the points of a game.
    pub(super) has_scores: bool,
    /// True if some cell says that a game was drawn.
    pub(super) has_draws: bool,
    pub(super) has_forfeits: bool,
    pub(super) both_bad: usize,
}

impl OutcomeStyle {
    /// Returns the style of a column with these marks. A column that names the winner may have the
    /// winner's number.
    pub(super) fn from_marks(
        marks: impl Iterator<Item = Mark>,
        pairing: Pairing,
        stated_numbers: Option<OutcomeNumbers>,
        names_winner: bool,
    ) -> Self {
        let mut digits = [false; 5];
        let mut cross = false;
        let mut style = Self {
            numbers: None,
            has_scores: pairing == Pairing::HomeAway,
            has_draws: false,
            has_forfeits: false,
            both_bad: 0,
        };
        for mark in marks {
            match mark {
                Mark::Digit(digit) => digits[digit as usize] = true,
                Mark::Cross => cross = true,
                Mark::Draw => style.has_draws = true,
                Mark::BothBad => {
                    style.has_draws = true;
                    style.both_bad += 1;
                }
                Mark::Forfeit(_) => style.has_forfeits = true,
                Mark::Scores(one, two) => {
                    style.has_scores |= !POINTS_OF_GAMES.contains(&[one, two]);
                }
                Mark::Open | Mark::Won(_) | Mark::Unknown => {}
            }
        }
        style.has_draws |= cross;
        if !digits.contains(&true) {
            return style;
        }
        let [minus, zero, half, _, two] = digits;
        style.numbers = Some(match stated_numbers {
            Some(numbers) => Numbers::Stated(numbers),
            None if two && cross && !(minus || zero || half) => Numbers::Pools,
            None if names_winner && !(minus || half) && (two || !zero) => {
                Numbers::Stated(OutcomeNumbers::Winner)
            }
            None if two || names_winner || (minus && half) => Numbers::Ambiguous,
            None if minus => Numbers::Signs,
            None => Numbers::Points,
        });
        style
    }

    /// Returns the outcome of a number; `None` if it is none in this reading.
    pub(super) fn judge(self, digit: Digit) -> Option<Verdict> {
        use Digit::{Half, MinusOne, One, Two, Zero};
        use OutcomeNumbers::{Points, PointsOfTwo, Winner};
        // The numbers of a win of the first, a draw and a win of the second.
        let [one, drawn, two] = match self.numbers? {
            Numbers::Signs => [One, Zero, MinusOne],
            Numbers::Points | Numbers::Stated(Points) => [One, Half, Zero],
            Numbers::Stated(PointsOfTwo) => [Two, One, Zero],
            Numbers::Pools | Numbers::Stated(Winner) => [One, Zero, Two],
            Numbers::FromZero if digit == Zero => return Some(Verdict::Won(Seat::One)),
            Numbers::FromZero if digit == One => return Some(Verdict::Won(Seat::Two)),
            Numbers::FromZero | Numbers::Ambiguous => return None,
        };
        if digit == one {
            Some(Verdict::Won(Seat::One))
        } else if digit == two {
            Some(Verdict::Won(Seat::Two))
        } else {
            (digit == drawn).then_some(Verdict::Drawn)
        }
    }
}

impl Verdict {
    /// Returns the outcome of scores.
    pub(super) fn from_scores([one, two]: [f64; 2], lower_is_better: bool) -> Self {
        let first = if lower_is_better { two } else { one };
        let second = if lower_is_better { one } else { two };
        if first > second {
            Self::Won(Seat::One)
        } else if first < second {
            Self::Won(Seat::Two)
        } else {
            Self::Drawn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(cell: &str, pairing: Pairing) -> Mark {
        Mark::parse(cell, pairing, &["alpha".to_owned(), "omega".to_owned()])
    }

    #[test]
    fn results_are_parsed() {
        let one = Some(Seat::One);
        for (cell, expected) in [
            ("1-0", Mark::Scores(1.0, 0.0)),
            ("0 : 1", Mark::Scores(0.0, 1.0)),
            ("1–0", Mark::Scores(1.0, 0.0)),
            ("½-½", Mark::Scores(0.5, 0.5)),
            ("1/2 - 1/2", Mark::Scores(0.5, 0.5)),
            ("0,5:0,5", Mark::Scores(0.5, 0.5)),
            ("2½-1½", Mark::Scores(2.5, 1.5)),
            ("21:15", Mark::Scores(21.0, 15.0)),
            ("3-2 OT", Mark::Scores(3.0, 2.0)),
            ("2:1 (1:0)", Mark::Scores(2.0, 1.0)),
            ("3:2 n.V.", Mark::Scores(3.0, 2.0)),
            ("½", Mark::Digit(Digit::Half)),
            ("1/2", Mark::Digit(Digit::Half)),
            ("0.5", Mark::Digit(Digit::Half)),
            ("1.0", Mark::Digit(Digit::One)),
            ("−1", Mark::Digit(Digit::MinusOne)),
            ("+/-", Mark::Forfeit(one)),
            ("+--", Mark::Forfeit(one)),
            ("1-0F", Mark::Forfeit(one)),
            ("1F-0F", Mark::Forfeit(one)),
            ("1-0 ff", Mark::Forfeit(one)),
            ("-:+", Mark::Forfeit(Some(Seat::Two))),
            ("0F-0F", Mark::Forfeit(None)),
            ("-/-", Mark::Forfeit(None)),
            ("", Mark::Open),
            ("-", Mark::Open),
            ("*", Mark::Open),
            ("draw", Mark::Draw),
            ("=", Mark::Draw),
            ("X", Mark::Cross),
            ("tie (bothbad)", Mark::BothBad),
            ("both bad", Mark::BothBad),
            ("Alpha", Mark::Won(Seat::One)),
            ("omega", Mark::Won(Seat::Two)),
            ("W", Mark::Won(Seat::One)),
            ("lost", Mark::Won(Seat::Two)),
        ] {
            assert_eq!(mark(cell, Pairing::WhiteBlack), expected, "{cell}");
        }
        for cell in [
            "3",
            "1-2-3",
            "2024-01-01",
            "6-4 3-6 7-6",
            "1-1 (4-2)",
            "A",
            "H",
            "home",
            "Zoe",
            "+/+",
            "1-",
            "--1",
            "1-0x",
        ] {
            assert_eq!(mark(cell, Pairing::WhiteBlack), Mark::Unknown, "{cell}");
        }
    }

    #[test]
    fn words_of_sides_depend_on_columns() {
        for (cell, pairing, seat) in [
            ("white", Pairing::WhiteBlack, Seat::One),
            ("Black wins", Pairing::WhiteBlack, Seat::Two),
            ("B", Pairing::WhiteBlack, Seat::Two),
            ("H", Pairing::HomeAway, Seat::One),
            ("A", Pairing::HomeAway, Seat::Two),
            ("away team", Pairing::HomeAway, Seat::Two),
            ("model_a", Pairing::Numbered, Seat::One),
            ("Player 2", Pairing::Numbered, Seat::Two),
            ("team2", Pairing::HomeAway, Seat::Two),
            ("b", Pairing::Numbered, Seat::Two),
            ("second", Pairing::Numbered, Seat::Two),
            ("Blue", Pairing::RedBlue, Seat::Two),
            ("right", Pairing::LeftRight, Seat::Two),
        ] {
            assert_eq!(mark(cell, pairing), Mark::Won(seat), "{cell}");
        }
    }

    #[test]
    fn numbers_need_one_reading() {
        use Digit::{Half, MinusOne, One, Two, Zero};
        let numbers = |digits: &[Digit], cross, names_winner| {
            let marks = digits.iter().map(|&digit| Mark::Digit(digit));
            let marks = marks.chain(std::iter::repeat_n(Mark::Cross, cross));
            OutcomeStyle::from_marks(marks, Pairing::Numbered, None, names_winner).numbers
        };
        let winner = Numbers::Stated(OutcomeNumbers::Winner);
        for (digits, cross, names_winner, expected) in [
            (&[Zero, Half, One][..], 0, false, Numbers::Points),
            (&[Zero, One], 0, false, Numbers::Points),
            (&[One], 0, false, Numbers::Points),
            (&[MinusOne, Zero, One], 0, false, Numbers::Signs),
            (&[One, Two], 1, false, Numbers::Pools),
            (&[One, Two], 0, false, Numbers::Ambiguous),
            (&[Zero, One, Two], 0, false, Numbers::Ambiguous),
            (&[Zero, One, Two], 1, false, Numbers::Ambiguous),
            (&[Half, Two], 0, false, Numbers::Ambiguous),
            (&[MinusOne, Two], 0, false, Numbers::Ambiguous),
            (&[Zero, One, Two], 0, true, winner),
            (&[One, Two], 0, true, winner),
            (&[Zero, One], 0, true, Numbers::Ambiguous),
            (&[Half], 0, true, Numbers::Ambiguous),
        ] {
            assert_eq!(numbers(digits, cross, names_winner), Some(expected), "{digits:?}");
        }
    }
}
