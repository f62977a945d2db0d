//! Parses the time of day after a date.

/// Splits off the time: after a `T` between digits, or from the word with the first colon.
pub(super) fn split_time(text: &str) -> (&str, Option<&str>) {
    let bytes = text.as_bytes();
    let t = (1..bytes.len().saturating_sub(1)).find(|&i| {
        bytes[i].eq_ignore_ascii_case(&b't')
            && bytes[i - 1].is_ascii_digit()
            && bytes[i + 1].is_ascii_digit()
    });
    if let Some(t) = t {
        return (&text[..t], Some(&text[t + 1..]));
    }
    let Some(colon) = text.find(':') else {
        return (text, None);
    };
    match text[..colon].rfind(char::is_whitespace) {
        Some(space) => (text[..space].trim_end_matches([' ', ',']), Some(text[space..].trim())),
        None => (text, None),
    }
}

/// Splits a stamp as in the names of files: `2024-03-01_19-30-15`.
pub(super) fn split_stamp(text: &str) -> Option<(&str, String)> {
    let (day, time) = text.split_once(['_', ' '])?;
    let has_form = |text: &str, form: &str| {
        text.len() == form.len()
            && text.bytes().zip(form.bytes()).all(|(byte, kind)| match kind {
                b'0' => byte.is_ascii_digit(),
                kind => byte == kind,
            })
    };
    let is_stamp = has_form(day, "0000-00-00") && has_form(time, "00-00-00");
    is_stamp.then(|| (day, time.replace('-', ":")))
}

/// Returns seconds since midnight, and the zone's offset ahead of UTC in seconds: `19:30`,
/// `19:30:15.5Z`, `7:30 pm`, `19:30+01:00`, `19:30 -0500`.
pub(crate) fn parse_clock_time(text: &str) -> Option<(i64, i64)> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.')))
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let mut parts = digits.split(':');
    let number = |part: &str, below: i64| -> Option<i64> {
        let fits = (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        part.parse().ok().filter(|&n| fits && n < below)
    };
    let mut hour = number(parts.next()?, 24)?;
    let minute = number(parts.next()?, 60)?;
    let second = match parts.next() {
        Some(part) => {
            let (integer, fraction) = part.split_once('.').unwrap_or((part, ""));
            fraction.bytes().all(|b| b.is_ascii_digit()).then_some(())?;
            number(integer, 60)?
        }
        None => 0,
    };
    if parts.next().is_some() {
        return None;
    }
    let mut zone = rest.trim().to_ascii_lowercase();
    for (word, add) in [("am", 0), ("pm", 12)] {
        if let Some(after) = zone.strip_prefix(word) {
            (1..=12).contains(&hour).then_some(())?;
            hour = hour % 12 + add;
            zone = after.trim().to_owned();
            break;
        }
    }
    let offset = match zone.as_str() {
        "" | "z" | "utc" | "gmt" => 0,
        zone => {
            let zone = zone.strip_prefix("gmt").unwrap_or(zone);
            let sign = match zone.as_bytes()[0] {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let digits = zone[1..].replace(':', "");
            let fits = matches!(digits.len(), 2 | 4) && digits.bytes().all(|b| b.is_ascii_digit());
            fits.then_some(())?;
            let hours: i64 = digits[..2].parse().ok()?;
            let minutes: i64 = digits[2..].parse().unwrap_or(0);
            (hours <= 15 && minutes < 60).then_some(())?;
            sign * (hours * 3600 + minutes * 60)
        }
    };
    Some((hour * 3600 + minute * 60 + second, offset))
}
