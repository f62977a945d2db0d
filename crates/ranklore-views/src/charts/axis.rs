//! The scale of an axis and its ticks.

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use super::{Axis, Ticks};

/// The most ticks of an axis; about six are usual.
const MAX_TICKS: usize = 20;

const DAY_SECONDS: f64 = 86_400.0;

/// The range of an axis and its labels.
#[derive(Debug)]
pub(super) struct Scale {
    /// The value at the left or at the bottom.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) ticks: Vec<(f64, String)>,
    /// True if ticks are names, which have no line of the grid.
    pub(super) has_names: bool,
}

impl Scale {
    /// Creates the scale of an axis that fits these values; `None` without a value, or if one is not
    /// finite.
    pub(super) fn new(axis: &Axis<'_>, values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.clone().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = match (axis.range, &axis.ticks) {
            (Some(range), _) => range,
            // A single value is in the middle.
            (None, Ticks::Dates) if low < high => (low, high),
            (None, Ticks::Dates) => (low - DAY_SECONDS / 2.0, high + DAY_SECONDS / 2.0),
            (None, _) if low < high => {
                let space = 0.04 * (high - low);
                (low - space, high + space)
            }
            (None, _) => (low - 0.5, high + 0.5),
        };
        let is_drawable =
            (high - low).is_finite() && low < high && values.clone().all(f64::is_finite);
        if !is_drawable || values.count() == 0 {
            return None;
        }
        let mut scale = Self {
            from: low,
            to: high,
            ticks: Vec::new(),
            has_names: false,
        };
        match &axis.ticks {
            Ticks::Numbers => scale.ticks = number_ticks(low, high, 0.0),
            Ticks::Whole => scale.ticks = number_ticks(low, high, 1.0),
            Ticks::Dates => scale.ticks = date_ticks(low, high),
            Ticks::Names(names) => {
                let middles = (0_u32..).map(|index| f64::from(index) + 0.5);
                scale.ticks =
                    middles.zip(names.iter().map(|name| shorten(name, MAX_NAME))).collect();
                scale.has_names = true;
                (scale.from, scale.to) = (0.0, names.len() as f64);
            }
        }
        Some(scale)
    }

    /// Returns the scale of a vertical axis: names are read from the top.
    pub(super) fn upright(mut self) -> Self {
        if self.has_names {
            std::mem::swap(&mut self.from, &mut self.to);
        }
        self
    }

    /// Returns the place of a value: 0 for the start of the axis, 1 for its end.
    pub(super) fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }

    /// Returns the number of characters of the longest label.
    pub(super) fn label_chars(&self) -> usize {
        self.ticks.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0)
    }

    /// Describes the axis for screen readers.
    pub(super) fn describe(&self, label: &str) -> String {
        let texts: Vec<&str> = self.ticks.iter().map(|(_, text)| &**text).collect();
        let values = match &texts[..] {
            [first, .., last] if !self.has_names => format!("{first} to {last}"),
            _ => texts.join(", "),
        };
        if label.is_empty() {
            format!("{values}.")
        } else {
            format!("{label}: {values}.")
        }
    }
}

/// Returns the smallest of 1, 2, 5, 10, 20, … and their tenths that is not below `least`; 1 if that
/// is 0.
pub(crate) fn round_step(least: f64) -> f64 {
    if least <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|step| *step >= least);
    step.unwrap_or(10.0 * power)
}

/// Returns round numbers, about five.
fn number_ticks(low: f64, high: f64, least_step: f64) -> Vec<(f64, String)> {
    let step = round_step((high - low) / 5.0).max(least_step);
    let decimals = (0..9).find(|&digits| step * 10_f64.powi(digits) > 0.99).unwrap_or(9) as usize;
    // Ends that are ticks stay ticks, whatever the rounding of the division.
    let first = (low / step - 1e-9).ceil();
    let last = (high / step + 1e-9).floor();
    let numbers = (0_u32..).map(|index| first + f64::from(index));
    let ticks = numbers.take_while(|number| *number <= last).take(MAX_TICKS).map(|number| {
        // Without the sign of a zero.
        let value = number * step + 0.0;
        (value, format!("{value:.decimals$}").replace('-', "−"))
    });
    ticks.collect()
}

/// Returns the first days of years, else of months, else all days: about six.
fn date_ticks(from: f64, to: f64) -> Vec<(f64, String)> {
    let [Ok(start), Ok(_)] = [from, to].map(|at| Timestamp::from_second(at as i64)) else {
        // Such years have no names.
        return Vec::new();
    };
    let days = (to - from) / DAY_SECONDS;
    let months = days / 30.0;
    let (step_months, step_days, format) = match months {
        _ if days < 50.0 => (0, (days / 6.0).ceil().max(1.0) as i64, "%b %-d"),
        _ if months < 7.0 => (1, 0, "%b %Y"),
        _ if months < 20.0 => (3, 0, "%b %Y"),
        _ => (12 * (months / 72.0).ceil() as i64, 0, "%Y"),
    };
    let first_day = start.to_zoned(TimeZone::UTC).date();
    let mut tick = match step_months {
        0 => first_day,
        1 | 3 => first_day.first_of_month(),
        _ => first_day.first_of_year(),
    };
    let mut ticks = Vec::new();
    while ticks.len() < MAX_TICKS {
        let Ok(midnight) = tick.to_zoned(TimeZone::UTC) else {
            break;
        };
        let at = midnight.timestamp().as_second() as f64;
        if at > to {
            break;
        }
        if at >= from {
            ticks.push((at, tick.strftime(format).to_string()));
        }
        match tick.checked_add(step_months.months().days(step_days)) {
            Ok(next_tick) => tick = next_tick,
            Err(_) => break,
        }
    }
    ticks
}

/// The most characters of a name beside a chart or in its legend.
pub(super) const MAX_NAME: usize = 34;

/// Shortens a text to a number of characters, for which there is room.
pub(super) fn shorten(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_owned();
    }
    text.chars().take(max_chars - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(ticks: Ticks<'_>, values: &[f64]) -> Option<Scale> {
        Scale::new(&Axis::new("", ticks), values.iter().copied())
    }

    fn texts(ticks: Ticks<'_>, values: &[f64]) -> String {
        let scale = scale(ticks, values).unwrap();
        scale.ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_are_round_and_have_the_decimals_of_their_step() {
        for (values, expected) in [
            (&[1_234.0, 1_801.0][..], "1400 1600 1800"),
            (&[1_500.0], "1499.6 1499.8 1500.0 1500.2 1500.4"),
            (&[-0.02, 0.05], "−0.02 0.00 0.02 0.04"),
            (&[-1_000.0, 1_000.0], "−1000 −500 0 500 1000"),
            (&[62.111, 62.112], "62.1110 62.1115 62.1120"),
        ] {
            assert_eq!(texts(Ticks::Numbers, values), expected);
        }
        assert_eq!(texts(Ticks::Whole, &[2_021.0, 2_023.0]), "2021 2022 2023");
        let steps = [0.0, 0.3, 1.0, 7.1, 112.0].map(round_step);
        assert_eq!(format!("{steps:?}"), "[1.0, 0.5, 1.0, 10.0, 200.0]");
    }

    #[test]
    fn dates_are_few() {
        let start = 1_700_000_000.0;
        for days in [0.0, 1.0, 10.0, 49.0, 60.0, 300.0, 500.0, 3_000.0, 20_000.0] {
            let ends = [start, start + days * DAY_SECONDS];
            let ticks = scale(Ticks::Dates, &ends).unwrap().ticks;
            assert!((1..=9).contains(&ticks.len()), "{days} days: {ticks:?}");
        }
        assert_eq!(texts(Ticks::Dates, &[start, start + 9e6]), "Dec 2023 Jan 2024 Feb 2024");
        assert_eq!(texts(Ticks::Dates, &[-1e300, 1e300]), "");
    }

    #[test]
    fn numbers_that_cannot_be_drawn_have_no_scale() {
        for values in [
            &[][..],
            &[f64::NAN],
            &[1.0, f64::NAN],
            &[1.0, f64::INFINITY],
            &[-f64::MAX, f64::MAX],
            &[1e300],
        ] {
            assert!(scale(Ticks::Numbers, values).is_none(), "{values:?}");
        }
    }

    #[test]
    fn names_go_from_top_to_bottom_and_are_short() {
        let long = "š".repeat(100);
        let scale = scale(Ticks::Names(vec!["a", &long]), &[0.0, 2.0]).unwrap();
        assert!(scale.share(0.5) < scale.share(1.5), "from left to right");
        let scale = scale.upright();
        let shares = [0.5, 1.5].map(|value| scale.share(value));
        assert_eq!(format!("{shares:?}"), "[0.75, 0.25]");
        assert_eq!(scale.label_chars(), 34);
    }
}
