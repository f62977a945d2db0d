//! Decides by the other dates whether the day or the month comes first in dates such as 03/04/2024.

use super::DateRules;
use super::cells::{DateStyle, contradicts_weekday};
use super::civil::parse_civil_date;
use super::periods::is_open_pair;
use super::yearless::YearlessDates;
use crate::options::DateOrder;
use ranklore_contest::Quoted;
use ranklore_grid::{CommandOptions, Reason};

/// The marks between the numbers of a date.
const MARKS: [char; 3] = ['/', '-', '.'];

/// The order of the dates with one mark.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum MarkOrder {
    #[default]
    Unknown,
    Known(DateOrder),
    /// Some dates begin with the day only, others with the month only.
    Contradicted,
}

impl MarkOrder {
    fn and(self, order: DateOrder) -> Self {
        match self {
            Self::Unknown => Self::Known(order),
            Self::Known(known) if known == order => self,
            Self::Known(_) | Self::Contradicted => Self::Contradicted,
        }
    }
}

/// The orders that the dates of a column have, by their mark.
#[derive(Clone, Copy, Default)]
pub(super) struct MarkOrders([MarkOrder; MARKS.len()]);

impl MarkOrders {
    /// Adds what a text says about the order of the dates with its mark.
    pub(super) fn add(&mut self, text: &str, reads_weekdays: bool) {
        if let Some(date) = NumericDate::find(text, reads_weekdays)
            && let Some(order) = date.order
        {
            let known = &mut self.0[date.mark];
            *known = known.and(order);
        }
    }

    /// True if some dates with this mark begin with the day only, others with the month only.
    fn is_contradicted(self, mark: char) -> bool {
        MARKS
            .into_iter()
            .zip(self.0)
            .any(|known| known == (mark, MarkOrder::Contradicted))
    }

    /// Returns the order of dates with this mark. Dates with dots begin with the day, unless some
    /// of them cannot.
    pub(super) fn order(self, mark: char) -> Option<DateOrder> {
        let index = MARKS.iter().position(|known| *known == mark)?;
        match self.0[index] {
            MarkOrder::Known(order) => Some(order),
            MarkOrder::Unknown if mark == '.' => Some(DateOrder::Dmy),
            MarkOrder::Unknown | MarkOrder::Contradicted => None,
        }
    }
}

/// A day, a month and a year in numbers.
#[derive(Clone, Copy)]
struct NumericDate {
    /// The index of the mark among [`MARKS`].
    mark: usize,
    /// The only order that it can have; `None` if it can have several.
    order: Option<DateOrder>,
}

impl NumericDate {
    /// Returns the first date in a text that is not the same in both orders. The day of the week can
    /// decide between these.
    fn find(text: &str, reads_weekdays: bool) -> Option<Self> {
        // Most dates begin with the year.
        if let [year @ .., b'-', _, _, b'-', _, _] = text.as_bytes()
            && year.len() == 4
            && year.iter().all(u8::is_ascii_digit)
        {
            return None;
        }
        let mut runs = text.split(|c: char| !(c.is_ascii_digit() || MARKS.contains(&c)));
        let (run, date) = runs.find_map(|run| Some((run, Self::parse(run)?)))?;
        let order = date.order.or_else(|| {
            // Dates with dots begin with the day.
            let may_decide = reads_weekdays && MARKS[date.mark] != '.' && run.len() != text.len();
            may_decide.then(|| find_order_of_weekday(text, run))?
        });
        Some(Self { order, ..date })
    }

    fn parse(run: &str) -> Option<Self> {
        let run = run.trim_end_matches('.');
        let mark = run.bytes().find(|byte| !byte.is_ascii_digit())?;
        let mark = MARKS.iter().position(|known| *known == char::from(mark))?;
        let mut parts = run.split(MARKS[mark]);
        let parts = [
            parts.next()?,
            parts.next()?,
            parts.next().filter(|_| parts.next().is_none())?,
        ];
        if !matches!(parts.map(str::len), [1..=2, 1..=2, 2 | 4]) {
            return None;
        }
        let [Ok(first), Ok(second), Ok(third)] = parts.map(str::parse::<u16>) else {
            return None;
        };
        let is_dmy = (1..=31).contains(&first) && (1..=12).contains(&second);
        let is_mdy = (1..=12).contains(&first) && (1..=31).contains(&second);
        // 24/03/01 can begin with the year.
        let is_ymd = parts[2].len() == 2 && MARKS[mark] != '.' && (1..=31).contains(&third);
        let order = match (is_dmy, is_mdy) {
            (true, true) if first == second => return None,
            (true, true) => None,
            (true, false) => (!is_ymd).then_some(DateOrder::Dmy),
            (false, true) => Some(DateOrder::Mdy),
            (false, false) => return None,
        };
        Some(Self { mark, order })
    }
}

/// Returns the only order in which a date has the day of the week in its text, and the other has not.
fn find_order_of_weekday(text: &str, date: &str) -> Option<DateOrder> {
    // Years of two digits can begin the date.
    let has_year =
        date.len() > 4 && date.as_bytes()[date.len() - 4..].iter().all(u8::is_ascii_digit);
    let has_weekday = |order: DateOrder| {
        let rules = DateRules {
            stated_order: Some(order),
            ..DateRules::default()
        };
        parse_civil_date(date, rules).is_ok_and(|date| !contradicts_weekday(text, date))
    };
    match [DateOrder::Dmy, DateOrder::Mdy].map(has_weekday) {
        [true, false] if has_year => Some(DateOrder::Dmy),
        [false, true] if has_year => Some(DateOrder::Mdy),
        _ => None,
    }
}

/// The number of texts of one kind, and the first one.
#[derive(Default)]
struct Examples<'c> {
    count: usize,
    first: &'c str,
}

impl<'c> Examples<'c> {
    fn add(&mut self, text: &'c str) {
        if self.count == 0 {
            self.first = text;
        }
        self.count += 1;
    }

    /// Returns `the date "8/7/2021"`, or `3 dates such as "8/7/2021"`.
    fn describe(&self) -> String {
        let first = Quoted(self.first);
        match self.count {
            1 => format!("the date {first}"),
            count => format!("{count} dates such as {first}"),
        }
    }
}

/// The dates of a column whose numbers have an order.
#[derive(Default)]
struct OrderedDates<'c> {
    day_first: Examples<'c>,
    month_first: Examples<'c>,
    /// Dates with several readings, of which other dates choose one.
    decided: Examples<'c>,
    /// Dates with several readings, between which nothing decides.
    ambiguous: Examples<'c>,
    /// Dates such as 2011-12, between whose readings nothing decides.
    open_pairs: Examples<'c>,
    yearless: YearlessDates<'c>,
}

impl<'c> OrderedDates<'c> {
    fn from_texts(texts: impl Iterator<Item = &'c str>, style: DateStyle) -> Self {
        let mut dates = Self::default();
        let mut last = ("", None);
        for text in texts {
            if style.year_pairs.is_none() && is_open_pair(text) {
                dates.open_pairs.add(text);
            }
            // Consecutive rows mostly share a date.
            if text != last.0 {
                last = (text, NumericDate::find(text, style.rules.refuses_doubts));
                dates.yearless.add(text, style.rules);
            }
            let Some(NumericDate { mark, order }) = last.1 else {
                continue;
            };
            let examples = match order {
                Some(DateOrder::Mdy) => &mut dates.month_first,
                Some(_) => &mut dates.day_first,
                None => match style.rules.order(MARKS[mark]) {
                    None => &mut dates.ambiguous,
                    // Dates with dots begin with the day anyway.
                    Some(DateOrder::Dmy) if MARKS[mark] == '.' => continue,
                    Some(_) => &mut dates.decided,
                },
            };
            examples.add(text);
        }
        dates
    }

    /// Returns the first date that has only this order.
    fn proof(&self, order: DateOrder) -> Option<&'c str> {
        let dates = if order == DateOrder::Mdy {
            &self.month_first
        } else {
            &self.day_first
        };
        (dates.count > 0).then_some(dates.first)
    }
}

fn dates_option(order: DateOrder) -> CommandOptions {
    CommandOptions::new("--dates", order.as_str())
}

impl DateStyle {
    /// Checks that each of these dates has one reading. Returns a note if other dates decide it.
    ///
    /// # Errors
    /// The reason to refuse all dates, with the options: if nothing decides, if the dates contradict
    /// each other, or if all that have one order contradict the one that the user states.
    pub(crate) fn check<'c>(
        self,
        texts: impl Iterator<Item = &'c str>,
    ) -> Result<Option<String>, Reason> {
        let dates = OrderedDates::from_texts(texts, self);
        if !self.rules.refuses_doubts {
            return Ok(dates.note());
        }
        if dates.open_pairs.count > 0 {
            let pairs = dates.open_pairs.describe();
            return Err(Reason::with_options(
                format!("{pairs} can be months or seasons, and no other date decides"),
                [
                    (dates_option(DateOrder::Ym), "if they are months"),
                    (dates_option(DateOrder::Season), "if they are seasons"),
                ],
            ));
        }
        let note = self.rules.check_years(&dates.yearless)?;
        if let Some(order @ (DateOrder::Dmy | DateOrder::Mdy)) = self.rules.stated_order {
            return dates.check_order(order).map(|()| note);
        }
        if dates.ambiguous.count > 0 {
            return Err(dates.refuse_ambiguous());
        }
        Ok(note.or_else(|| dates.note()))
    }
}

impl OrderedDates<'_> {
    /// Errors if some dates have another order than the user states, and none has that order only.
    fn check_order(&self, order: DateOrder) -> Result<(), Reason> {
        let (contradicting, other) = match order {
            DateOrder::Mdy => (&self.day_first, DateOrder::Dmy),
            _ => (&self.month_first, DateOrder::Mdy),
        };
        if contradicting.count == 0 || self.proof(order).is_some() {
            return Ok(());
        }
        let reason = format!(
            "--dates {} contradicts {}, and no date has that order only: pass --dates {}, or correct the dates",
            order.as_str(),
            contradicting.describe(),
            other.as_str(),
        );
        Err(reason.into())
    }

    fn refuse_ambiguous(&self) -> Reason {
        let evidence = match (self.proof(DateOrder::Dmy), self.proof(DateOrder::Mdy)) {
            (Some(day), Some(month)) => {
                format!("{} begins with the day and {} with the month", Quoted(day), Quoted(month))
            }
            _ => "no date of this form decides".to_owned(),
        };
        let dates = self.ambiguous.describe();
        Reason::with_options(
            format!("{dates} can begin with the day or the month, and {evidence}"),
            [
                (dates_option(DateOrder::Dmy), "if the day comes first"),
                (dates_option(DateOrder::Mdy), "if the month does"),
            ],
        )
    }

    fn note(&self) -> Option<String> {
        let (order, proof) = match (self.proof(DateOrder::Dmy), self.proof(DateOrder::Mdy)) {
            (Some(proof), None) => ("day", proof),
            (None, Some(proof)) => ("month", proof),
            (None, None) if self.decided.count > 0 => {
                let decided = self.decided.describe();
                return Some(format!(
                    "{decided} read with the day first, as is usual in the language of the heading: pass --dates mdy if the month comes first"
                ));
            }
            _ => return None,
        };
        (self.decided.count > 0).then(|| {
            format!(
                "{} read with the {order} first, as {} must be",
                self.decided.describe(),
                Quoted(proof)
            )
        })
    }
}

impl DateRules {
    /// Returns the order of day and month in dates with this mark, if it is known.
    pub(super) fn order(self, mark: char) -> Option<DateOrder> {
        match self.stated_order {
            order @ Some(DateOrder::Dmy | DateOrder::Mdy) => order,
            Some(DateOrder::Ym | DateOrder::Season) | None => {
                self.proven.order(mark).or_else(|| {
                    let presumes = self.is_day_first_language && !self.proven.is_contradicted(mark);
                    presumes.then_some(DateOrder::Dmy)
                })
            }
        }
    }
}
