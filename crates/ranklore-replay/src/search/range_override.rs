//! Ranges of parameters as users write them: `key=low..high`.

use std::fmt;

use crate::error::Error;

/// A range that replaces the declared one of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeOverride {
    /// The name of the parameter.
    pub name: String,
    /// The lowest value.
    pub low: f64,
    /// The highest value, above the lowest.
    pub high: f64,
}

impl RangeOverride {
    /// Parses `key=low..high`.
    ///
    /// # Errors
    /// [`Error::InvalidSystemSpec`] if the text is no range, or the range is empty.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let invalid = |reason| Error::InvalidSystemSpec {
            part: text.to_owned(),
            reason,
        };
        let bound = |bound: &str| bound.trim().parse().ok().filter(|bound: &f64| bound.is_finite());
        let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
        let range = parts.and_then(|(name, range)| {
            let (low, high) = range.split_once("..")?;
            Some(Self {
                name: name.to_owned(),
                low: bound(low)?,
                high: bound(high)?,
            })
        });
        let range = range
            .ok_or_else(|| invalid("is no range: expected key=low..high, such as beta=50..400"))?;
        if range.low < range.high {
            Ok(range)
        } else {
            Err(invalid("is empty: the first number must be the lower one"))
        }
    }
}

impl fmt::Display for RangeOverride {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={}..{}", self.name, self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_parse_back() {
        for text in ["beta=4..16", "x=-50..250", "rho=0.05..20", "y=0.0005..0.5"] {
            assert_eq!(RangeOverride::parse(text).unwrap().to_string(), text);
        }
        let range = RangeOverride::parse("k=1e-3..1e3").unwrap();
        assert_eq!((range.low, range.high), (0.001, 1000.0));
    }

    #[test]
    fn error_names_the_text() {
        for (text, expected) in [
            ("beta", "\"beta\" is no range"),
            ("=1..2", "\"=1..2\" is no range"),
            ("beta=4", "is no range"),
            ("beta=4..", "is no range"),
            ("beta=4..x", "is no range"),
            ("beta=1..inf", "is no range"),
            ("beta=nan..1", "is no range"),
            ("beta=4..4", "\"beta=4..4\" is empty"),
            ("beta=16..4", "is empty"),
        ] {
            let error = RangeOverride::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
