//! One searched parameter: its values, and their places between 0 and 1.

use std::fmt;

use ranklore_rating::SearchRange;
use serde_json::Value;

use crate::system_spec::format_value;

/// A parameter that a search varies.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchDimension {
    /// The name of the parameter.
    pub name: String,
    /// The values that the search tries.
    pub domain: SearchDomain,
    /// The value without a search, one of them.
    pub default: Value,
}

/// The values of a parameter that a search tries.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchDomain {
    /// Real numbers.
    Real {
        /// The lowest.
        low: f64,
        /// The highest.
        high: f64,
        /// True if each order of magnitude is as likely as another.
        is_log: bool,
    },
    /// Whole numbers.
    Integer {
        /// The lowest.
        low: i64,
        /// The highest.
        high: i64,
    },
    /// Words, or true and false.
    Choice(Vec<Value>),
}

/// An end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RangeEnd {
    Low,
    High,
}

impl SearchDomain {
    /// Returns the declared values; `None` if the parameter is not searched.
    #[must_use]
    pub fn from_range(range: SearchRange) -> Option<Self> {
        Some(match range {
            SearchRange::Linear { low, high } => Self::Real {
                low,
                high,
                is_log: false,
            },
            SearchRange::Log { low, high } => Self::Real {
                low,
                high,
                is_log: true,
            },
            SearchRange::Choice(words) => {
                let value =
                    |&word: &&str| serde_json::from_str(word).unwrap_or_else(|_| word.into());
                Self::Choice(words.iter().map(value).collect())
            }
            SearchRange::Fixed(_) => return None,
        })
    }

    /// True if the value is one of these.
    #[must_use]
    pub fn contains(&self, value: &Value) -> bool {
        match self {
            Self::Real { low, high, .. } => {
                value.as_f64().is_some_and(|value| (*low..=*high).contains(&value))
            }
            Self::Integer { low, high } => {
                value.as_i64().is_some_and(|value| (*low..=*high).contains(&value))
            }
            Self::Choice(values) => values.contains(value),
        }
    }

    /// Returns the number of values; `None` if they are real numbers.
    fn len(&self) -> Option<u64> {
        match self {
            Self::Real { .. } => None,
            Self::Integer { low, high } => Some(high.abs_diff(*low).saturating_add(1)),
            Self::Choice(values) => Some(values.len() as u64),
        }
    }

    /// Returns the whole numbers from `low` to `high`; `None` if an end is not whole.
    pub(super) fn whole(low: f64, high: f64) -> Option<Self> {
        let is_whole = |number: f64| number.fract() == 0.0 && number.abs() < 9e15;
        (is_whole(low) && is_whole(high)).then_some(Self::Integer {
            low: low as i64,
            high: high as i64,
        })
    }

    /// Returns the lowest and the highest number; `None` for choices.
    pub(super) fn ends(&self) -> Option<(f64, f64)> {
        match self {
            Self::Real { low, high, .. } => Some((*low, *high)),
            Self::Integer { low, high } => Some((*low as f64, *high as f64)),
            Self::Choice(_) => None,
        }
    }

    /// Returns the end of the range at which a number is, within a hundredth; `None` for others and
    /// for choices.
    pub(super) fn end_near(&self, value: &Value) -> Option<RangeEnd> {
        const NEAR: f64 = 0.01;
        let (low, high) = self.ends()?;
        let place = match self {
            Self::Real { .. } => self.place_of(value),
            _ => (value.as_f64()? - low) / (high - low),
        };
        if place <= NEAR {
            Some(RangeEnd::Low)
        } else if place >= 1.0 - NEAR {
            Some(RangeEnd::High)
        } else {
            None
        }
    }

    /// Returns a range with one end further out, by a factor above 1 of the end on a logarithmic
    /// scale, else of the width. `None` for choices.
    pub(super) fn widen(&self, end: RangeEnd, factor: f64) -> Option<Self> {
        let (low, high) = self.ends()?;
        let is_log = matches!(self, Self::Real { is_log: true, .. });
        let step = (high - low) * (factor - 1.0);
        let beyond = match (end, is_log) {
            (RangeEnd::Low, true) => low / factor,
            (RangeEnd::Low, false) => low - step,
            (RangeEnd::High, true) => high * factor,
            (RangeEnd::High, false) => high + step,
        };
        let (low, high) = match end {
            RangeEnd::Low => (round(beyond), high),
            RangeEnd::High => (low, round(beyond)),
        };
        match self {
            Self::Integer { .. } => Self::whole(low.floor(), high.ceil()),
            _ => Some(Self::Real { low, high, is_log }),
        }
    }

    /// Returns the number of values in a grid: all choices, at most `levels` numbers.
    pub(super) fn grid_len(&self, levels: u64) -> u64 {
        match self {
            Self::Real { .. } => levels,
            Self::Integer { .. } => self.len().map_or(levels, |count| count.min(levels)),
            Self::Choice(values) => values.len() as u64,
        }
    }

    /// Returns the value at a place from 0, the lowest or first, to 1, the highest or last.
    ///
    /// Real numbers are rounded, so that they are short and do not depend on the last bits of a
    /// sampler: to four significant digits, or to a ten-thousandth of a linear range.
    pub(super) fn value_at(&self, place: f64) -> Value {
        match self {
            Self::Real { low, .. } if place <= 0.0 => (*low).into(),
            Self::Real { high, .. } if place >= 1.0 => (*high).into(),
            Self::Real {
                low,
                high,
                is_log: true,
            } => {
                let exact = low * libm::exp(place * libm::log(high / low));
                round(exact).clamp(*low, *high).into()
            }
            Self::Real { low, high, .. } => {
                let exact = low + place * (high - low);
                let decimals = (4.0 - libm::log10(high - low)).ceil().clamp(0.0, 300.0) as usize;
                parse_rounded(&format!("{exact:.decimals$}")).clamp(*low, *high).into()
            }
            Self::Integer { low, .. } => {
                let index = self.index_at(place);
                low.saturating_add_unsigned(index).into()
            }
            Self::Choice(values) => values[self.index_at(place) as usize].clone(),
        }
    }

    /// Returns the place of a value: the reverse of [`Self::value_at`], up to rounding. Of whole
    /// numbers and choices it is the middle of their part.
    pub(super) fn place_of(&self, value: &Value) -> f64 {
        let number = value.as_f64().unwrap_or_default();
        let place = match self {
            Self::Real {
                low,
                high,
                is_log: true,
            } => libm::log(number / low) / libm::log(high / low),
            Self::Real { low, high, .. } => (number - low) / (high - low),
            Self::Integer { low, .. } => self.place_of_index(number - *low as f64),
            Self::Choice(values) => {
                let index = values.iter().position(|choice| choice == value);
                self.place_of_index(index.unwrap_or_default() as f64)
            }
        };
        place.clamp(0.0, 1.0)
    }

    fn index_at(&self, place: f64) -> u64 {
        let count = self.len().unwrap_or(1);
        ((place * count as f64) as u64).min(count - 1)
    }

    fn place_of_index(&self, index: f64) -> f64 {
        (index + 0.5) / self.len().unwrap_or(1) as f64
    }
}

/// Rounds to four significant digits.
fn round(number: f64) -> f64 {
    parse_rounded(&format!("{number:.3e}"))
}

/// Parses a number that was formatted to round it. Adding 0 turns −0 into 0.
fn parse_rounded(text: &str) -> f64 {
    text.parse().unwrap_or(0.0) + 0.0
}

/// Formats the values of a parameter that a search tries, or the reason why it tries none.
#[must_use]
pub fn format_search_range(range: SearchRange) -> String {
    match range {
        SearchRange::Fixed(reason) => format!("none: {reason}"),
        _ => SearchDomain::from_range(range).map_or_else(String::new, |domain| domain.to_string()),
    }
}

impl fmt::Display for SearchDomain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real { low, high, is_log } => {
                let scale = if *is_log { " log" } else { "" };
                write!(formatter, "{low}..{high}{scale}")
            }
            Self::Integer { low, high } => write!(formatter, "{low}..{high} whole"),
            Self::Choice(values) => {
                let words: Vec<String> = values.iter().map(format_value).collect();
                formatter.write_str(&words.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const LOG: SearchDomain = SearchDomain::Real {
        low: 20.0,
        high: 1000.0,
        is_log: true,
    };
    const LINEAR: SearchDomain = SearchDomain::Real {
        low: -50.0,
        high: 250.0,
        is_log: false,
    };
    const WHOLE: SearchDomain = SearchDomain::Integer { low: -2, high: 2 };

    #[test]
    fn ends_are_exact() {
        for domain in [LOG, LINEAR, WHOLE] {
            let text = domain.to_string();
            let (low, high) = text.split_whitespace().next().unwrap().split_once("..").unwrap();
            assert_eq!(domain.value_at(0.0).as_f64(), low.parse().ok(), "{domain}");
            assert_eq!(domain.value_at(1.0).as_f64(), high.parse().ok(), "{domain}");
        }
        let narrow = SearchDomain::Real {
            low: 0.123_456_7,
            high: 0.123_456_8,
            is_log: true,
        };
        for place in [0.0, 0.3, 0.9, 1.0] {
            assert!(narrow.contains(&narrow.value_at(place)));
        }
    }

    #[test]
    fn real_numbers_are_rounded() {
        assert_eq!(LOG.value_at(0.5), json!(141.4));
        assert_eq!(LINEAR.value_at(1.0 / 3.0), json!(50.0));
        assert_eq!(LINEAR.value_at(0.123_456_789), json!(-12.96));
        // Not −0.
        assert_eq!(LINEAR.value_at(1.0 / 6.0 - 1e-9).to_string(), "0.0");
    }

    #[test]
    fn whole_numbers_and_choices_are_equally_likely() {
        let values: Vec<Value> =
            (0..10).map(|tenth| WHOLE.value_at(f64::from(tenth) / 10.0)).collect();
        assert_eq!(values, [-2, -2, -1, -1, 0, 0, 1, 1, 2, 2].map(Value::from));
        let domain =
            SearchDomain::from_range(SearchRange::Choice(&["false", "true", "inf"])).unwrap();
        let values = [0.0, 0.4, 0.9].map(|place| domain.value_at(place));
        assert_eq!(values, [json!(false), json!(true), json!("inf")]);
        assert_eq!(domain.to_string(), "false, true, inf");
        assert!(!domain.contains(&json!("true")));
    }

    fn any_domain() -> impl Strategy<Value = SearchDomain> {
        let real = (-1e6..1e6_f64, 1e-3..1e6_f64).prop_map(|(low, width)| SearchDomain::Real {
            low,
            high: low + width,
            is_log: false,
        });
        let log = (1e-9..1e6_f64, 1.001..1e6_f64).prop_map(|(low, factor)| SearchDomain::Real {
            low,
            high: low * factor,
            is_log: true,
        });
        let whole = (-1_000_000..1_000_000_i64, 1..1_000_i64).prop_map(|(low, width)| {
            SearchDomain::Integer {
                low,
                high: low + width,
            }
        });
        let choice = (1..6_i64)
            .prop_map(|count| SearchDomain::Choice((0..count).map(Value::from).collect()));
        prop_oneof![real, log, whole, choice]
    }

    proptest! {
        #[test]
        fn values_are_inside_and_increase(
            domain in any_domain(),
            places in proptest::array::uniform2(0.0..=1.0_f64),
        ) {
            let [low, high] = [places[0].min(places[1]), places[0].max(places[1])];
            let [low, high] = [low, high].map(|place| domain.value_at(place));
            prop_assert!(domain.contains(&low) && domain.contains(&high), "{low} {high}");
            prop_assert!(low.as_f64() <= high.as_f64(), "{low} {high}");
            let is_real = matches!(domain, SearchDomain::Real { .. });
            prop_assert_eq!(low.is_i64(), !is_real);
        }

        #[test]
        fn place_of_value_is_near_its_place(domain in any_domain(), place in 0.0..=1.0_f64) {
            let value = domain.value_at(place);
            let back = domain.value_at(domain.place_of(&value));
            let (Some(value), Some(back)) = (value.as_f64(), back.as_f64()) else {
                unreachable!("all values are numbers")
            };
            prop_assert!((value - back).abs() <= 1e-3 * value.abs().max(1e-3), "{value} {back}");
        }

        #[test]
        fn grid_of_whole_numbers_and_choices_repeats_none(domain in any_domain(), levels in 2..9_u64) {
            let count = domain.grid_len(levels);
            let values = (0..count).map(|index| {
                let place = index as f64 / (count.max(2) - 1) as f64;
                domain.value_at(place).to_string()
            });
            let distinct: std::collections::BTreeSet<String> = values.collect();
            let is_real = matches!(domain, SearchDomain::Real { .. });
            prop_assert!(is_real || distinct.len() as u64 == count, "{distinct:?}");
        }
    }

    #[test]
    fn places_are_those_of_values() {
        let choice = SearchDomain::Choice(vec![json!("a"), json!("b"), json!("c")]);
        for domain in [LOG, LINEAR, WHOLE, choice] {
            for hundredth in 0..=100 {
                let value = domain.value_at(f64::from(hundredth) / 100.0);
                assert_eq!(domain.value_at(domain.place_of(&value)), value, "{domain}");
            }
        }
    }
}
