//! Request quotas in `x-ratelimit-*` response headers.

use std::time::Duration;

use reqwest::header::HeaderMap;

/// Longest accepted time to reset. Sites count in windows of minutes; a larger number is in another
/// unit (a timestamp, milliseconds) or a mistake.
const MAX_RESET: Duration = Duration::from_hours(1);

/// Returns the time until the quota resets, if it is exhausted: `x-ratelimit-remaining` is less
/// than 1. `x-ratelimit-reset` gives the time in seconds. Both may be fractions. Returns `None` if
/// a header is missing, negative, not a number, or the reset is more than 1 h away.
pub(crate) fn time_to_reset(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| {
        let text = headers.get(name)?.to_str().ok()?.trim();
        text.parse::<f64>().ok().filter(|number| *number >= 0.0)
    };
    let remaining = number("x-ratelimit-remaining")?;
    let reset = number("x-ratelimit-reset")?;
    let is_exhausted = remaining < 1.0 && reset > 0.0 && reset <= MAX_RESET.as_secs_f64();
    is_exhausted.then(|| Duration::from_secs_f64(reset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exhausted_quota_waits_for_reset() {
        let asked = |remaining: &str, reset: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("X-Ratelimit-Remaining", remaining.parse().unwrap());
            headers.insert("X-Ratelimit-Reset", reset.parse().unwrap());
            time_to_reset(&headers).map(|rest| rest.as_secs_f64())
        };
        assert_eq!(asked("0.0", "371"), Some(371.0));
        assert_eq!(asked("0.9", " 1.5 "), Some(1.5));
        assert_eq!(asked("0", "3600"), Some(3_600.0));
        for (remaining, reset) in [
            ("1.0", "371"),
            ("99.0", "371"),
            ("inf", "371"),
            // Some sites send -1 for "no limit".
            ("-1", "371"),
            ("NaN", "371"),
            ("", "371"),
            ("few", "371"),
            ("0", "0"),
            ("0", "-5"),
            ("0", "NaN"),
            ("0", "inf"),
            ("0", "1e300"),
            ("0", "3601"),
            // A timestamp.
            ("0", "1700000000"),
            ("0", "soon"),
            ("0", ""),
        ] {
            assert_eq!(asked(remaining, reset), None, "{remaining} {reset}");
        }
        assert_eq!(time_to_reset(&HeaderMap::new()), None);
    }
}
