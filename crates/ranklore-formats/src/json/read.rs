//! Reads contest files in the format of Elo-MMR: one object per contest, or an array of them.
//!
//! `{name, id?, url?, time_seconds, weight?, perf_ceiling?, standings: [[handle, lo, hi],
//! …]}`, where `lo` and `hi` are the first and last index (from 0) of the handle's tie.
//!
//! In addition to the fields of Elo-MMR there may be `event?, division?, ordinal?, starts_at?,
//! site_weight?, entrants?`, the last with an object for each row of the standings, `{kind?,
//! status?, score?, penalty?, side?, members?}`, or null: together they cover every field of a [`Contest`]. The fields `state?,
//! rated?, competitors?` are [`Annotations`].

use std::borrow::Cow;

use serde::de::IgnoredAny;

use crate::json::competitors::parse_competitors;
use crate::json::schema::{ContestJson, EntrantDetails, Row, UnplacedStatus};
use crate::limits::ReadLimits;
use crate::reading::{Candidates, FileReadError, Location, RefusedEntry};
use ranklore_contest::{
    Annotations, Contest, ContestTime, Entrant, EntrantOutcome, Place, Quoted,
    check_performance_ceiling, check_weight, describe_json_error, id_from_name,
};

impl Row<'_> {
    fn into_entrant(self, details: Option<EntrantDetails<'_>>) -> Entrant {
        let details = details.unwrap_or_default();
        Entrant {
            kind: details.kind.unwrap_or_default(),
            outcome: match details.status {
                None => EntrantOutcome::Finished(Place::from_entrants_above(self.1)),
                Some(UnplacedStatus::Dnf) => EntrantOutcome::DidNotFinish,
                Some(UnplacedStatus::Dq) => EntrantOutcome::Disqualified,
            },
            score: details.score,
            penalty: details.penalty,
            side: details.side,
            members: details.members.unwrap_or_default().into_owned(),
            competitor: self.0.into_owned(),
        }
    }
}

pub(crate) fn read(bytes: &[u8], limits: ReadLimits) -> Result<Candidates, FileReadError> {
    check_text_lengths(bytes, limits.row_bytes)?;
    let start = if bytes.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let begin = (start..bytes.len()).find(|&at| !bytes[at].is_ascii_whitespace());
    let mut found = Candidates::default();
    if let Some(bracket) = begin.filter(|&at| bytes[at] == b'[') {
        // Split the elements first, so that one unreadable element does not affect the others.
        serde_json::from_slice::<IgnoredAny>(&bytes[start..])
            .map_err(|error| json_syntax_error(&error))?;
        let (mut index, mut here) = (0_usize, Position::default());
        let mut results = 0;
        for_each_element(bytes, bracket + 1, |from, to| {
            let at = format!("[{index}]");
            here.advance(bytes, from);
            let told = !found.refused.is_full();
            if results <= limits.results {
                let read = read_contest(&bytes[from..to], &at, &here, told);
                results += read.as_ref().map_or(0, |(contest, _)| count_names(contest));
                found.add(&at, read);
            }
            index += 1;
        });
        if results > limits.results {
            return Err(FileReadError::whole_document(format!(
                "the document has more than {} results: split it into several files",
                limits.results
            )));
        }
    } else {
        match serde_json::from_slice::<ContestJson>(&bytes[start..]) {
            Ok(file) => found.add("", convert_contest(file, "")),
            Err(error) if error.is_data() => {
                let mut here = Position::default();
                here.advance(bytes, start);
                found.add("", read_contest(&bytes[start..], "", &here, true));
            }
            Err(error) => return Err(json_syntax_error(&error)),
        }
    }
    Ok(found)
}

/// Returns the number of entrants, or of the members where there are more.
fn count_names(contest: &Contest) -> usize {
    let entrants = contest.entrants.iter();
    entrants.map(|entrant| entrant.members.len().max(1)).sum()
}

/// Errors if a text of the document is too long: the parser would copy it into its error.
fn check_text_lengths(bytes: &[u8], limit: usize) -> Result<(), FileReadError> {
    if bytes.len() <= limit {
        return Ok(());
    }
    let (mut start, mut at) = (None, 0);
    while let Some(&byte) = bytes.get(at) {
        match (byte, start) {
            (b'"', None) => start = Some(at),
            (b'"', Some(_)) => start = None,
            (b'\\', Some(_)) => at += 1,
            _ => {}
        }
        at += 1;
        if start.is_some_and(|start| at - start > limit) {
            let mut here = Position::default();
            here.advance(bytes, at);
            let line = here.lines + 1;
            let why = format!("a text has more than {} MiB: shorten it", limit >> 20);
            return Err(FileReadError::new(Location::Line(line as u64), why));
        }
    }
    Ok(())
}

impl Candidates {
    fn add(&mut self, at: &str, read: Result<(Contest, Annotations), RefusedEntry>) {
        match read {
            Ok((contest, beside)) => {
                if beside != Annotations::default() {
                    self.annotations.insert(self.contests.len(), beside);
                }
                self.add_contest(json_location(at, "."), &contest);
            }
            Err(refusal) => self.refused.push(refusal),
        }
    }
}

/// Returns the location of `path` within the contest at `at`. An empty `at` means that the document
/// is the contest; the path `.` means the contest itself.
fn json_location(at: &str, path: &str) -> Location {
    match (at, path) {
        ("", ".") => Location::Whole,
        ("", path) | (path, ".") => Location::JsonPath(path.to_owned()),
        (at, path) => Location::JsonPath(format!("{at}.{path}")),
    }
}

pub(crate) fn json_syntax_error(error: &serde_json::Error) -> FileReadError {
    FileReadError::new(
        Location::Line(error.line() as u64),
        format!("{} (column {})", describe_json_error(error), error.column()),
    )
}

/// An offset in the document, with the number of lines before it and the start of its line. It only
/// moves forward, so that each line is counted once.
#[derive(Default)]
struct Position {
    at: usize,
    lines: usize,
    line_start: usize,
}

impl Position {
    fn advance(&mut self, bytes: &[u8], to: usize) {
        for (index, &byte) in (self.at..to).zip(&bytes[self.at..to]) {
            if byte == b'\n' {
                self.lines += 1;
                self.line_start = index + 1;
            }
        }
        self.at = to;
    }
}

/// Calls `found` with the start and end of each element of the array; the bytes are valid JSON.
fn for_each_element(bytes: &[u8], start: usize, mut found: impl FnMut(usize, usize)) {
    let separates = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    let mut at = start;
    loop {
        at += (bytes[at..].iter().take_while(|byte| separates(byte))).count();
        let mut rest = serde_json::Deserializer::from_slice(&bytes[at..]).into_iter::<IgnoredAny>();
        let Some(Ok(_)) = rest.next() else {
            return;
        };
        let end = at + rest.byte_offset();
        found(at, end);
        at = end;
    }
}

/// Reads one contest. If that fails, reads it again to find the path of the error: tracking paths
/// on every file would be slow. Skips this if `told` is false.
fn read_contest(
    bytes: &[u8],
    at: &str,
    here: &Position,
    told: bool,
) -> Result<(Contest, Annotations), RefusedEntry> {
    let of_document = |why: String| RefusedEntry {
        at: json_location(at, "."),
        contest: None,
        why,
    };
    // Serde would read the elements as the fields in their order.
    if bytes.first() == Some(&b'[') {
        return Err(of_document(format!(
            "expected an object, found an array (line {} column {})",
            here.lines + 1,
            here.at - here.line_start + 1
        )));
    }
    if let Ok(file) = serde_json::from_slice::<ContestJson>(bytes) {
        return convert_contest(file, at);
    }
    if !told {
        return Err(of_document(String::new()));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let error = match serde_path_to_error::deserialize::<_, ContestJson>(&mut deserializer) {
        Ok(file) => return convert_contest(file, at),
        Err(error) => error,
    };
    let inner = error.inner();
    let column_before = match inner.line() {
        1 => here.at - here.line_start,
        _ => 0,
    };
    Err(RefusedEntry {
        at: json_location(at, &error.path().to_string()),
        contest: None,
        why: format!(
            "{} (line {} column {})",
            describe_json_error(inner),
            here.lines + inner.line(),
            column_before + inner.column()
        ),
    })
}

fn convert_contest(
    file: ContestJson<'_>,
    at: &str,
) -> Result<(Contest, Annotations), RefusedEntry> {
    let refuse = |path: &str, why: String| RefusedEntry {
        at: json_location(at, path),
        contest: Some(file.name.to_string()),
        why,
    };
    let ends_at = ContestTime::new(file.time_seconds)
        .ok_or_else(|| refuse("time_seconds", time_out_of_range(file.time_seconds)))?;
    let starts_at = match file.starts_at {
        Some(at) => {
            Some(ContestTime::new(at).ok_or_else(|| refuse("starts_at", time_out_of_range(at)))?)
        }
        None => None,
    };
    let weight = file.weight.unwrap_or(1.0);
    check_weight(weight).map_err(|why| refuse("weight", why.to_string()))?;
    (file.perf_ceiling.map_or(Ok(()), check_performance_ceiling))
        .map_err(|why| refuse("perf_ceiling", why.to_string()))?;
    if file.standings.is_empty() {
        return Err(refuse("standings", "the standings are empty".to_owned()));
    }
    let order = order_by_place(&file.standings)
        .map_err(|(index, why)| refuse(&format!("standings[{index}]"), why))?;
    if let Some((first, second)) = order
        .as_deref()
        .and_then(|o| find_duplicate_handle(&file.standings, o))
    {
        let why = format!(
            "{} stands twice, in standings[{first}] and standings[{second}]",
            Quoted(&file.standings[second].0)
        );
        return Err(refuse(&format!("standings[{second}]"), why));
    }
    let url = non_empty(file.url);
    let external_id = (file.id.and_then(|id| non_empty(Some(id.0))))
        .or_else(|| url.clone())
        .unwrap_or_else(|| id_from_name(&file.name, ends_at));
    let details = file.entrants.unwrap_or_default();
    if !details.is_empty() && details.len() != file.standings.len() {
        let why = format!(
            "{} entries for {} rows of standings; give an object or null for each row",
            details.len(),
            file.standings.len()
        );
        return Err(refuse("entrants", why));
    }
    if let Some(index) = find_misplaced_unfinished(&file.standings, &details) {
        let Row(handle, lo, _) = &file.standings[index];
        let why = format!(
            "{handle} did not finish, but its lo {lo} is not below all finishers; those \
             who did not finish share the last range",
            handle = Quoted(handle)
        );
        return Err(refuse(&format!("standings[{index}]"), why));
    }
    let competitors = parse_competitors(file.competitors.unwrap_or_default())
        .map_err(|(member, why)| refuse(&member, why))?;
    let details = details
        .into_iter()
        .map(Some)
        .chain(std::iter::repeat_with(|| None));
    let rows = file.standings.into_iter().zip(details.map(Option::flatten));
    let entrant = |(row, details): (Row<'_>, _)| row.into_entrant(details);
    let entrants = match order {
        None => rows.map(entrant).collect(),
        Some(order) => {
            let mut rows: Vec<_> = rows.map(Some).collect();
            order
                .into_iter()
                .filter_map(|index| rows[index].take().map(entrant))
                .collect()
        }
    };
    let beside = Annotations {
        state: file.state.unwrap_or_default(),
        rated: file.rated.unwrap_or(true),
        competitors,
    };
    let contest = Contest {
        external_id,
        name: file.name.into_owned(),
        event: non_empty(file.event),
        division: non_empty(file.division),
        ordinal: file.ordinal,
        url,
        starts_at,
        ends_at,
        weight,
        site_weight: file.site_weight,
        performance_ceiling: file.perf_ceiling,
        entrants,
    };
    Ok((contest, beside))
}

pub(super) fn non_empty(text: Option<Cow<'_, str>>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(Cow::into_owned)
}

/// Returns the first non-finisher who is not below all finishers.
fn find_misplaced_unfinished(
    rows: &[Row<'_>],
    details: &[Option<EntrantDetails<'_>>],
) -> Option<usize> {
    let status = |of: &Option<EntrantDetails<'_>>| of.as_ref().and_then(|of| of.status).is_some();
    let rows = || rows.iter().zip(details);
    let finishers = rows().filter(|(_, details)| !status(details)).count();
    rows().position(|(row, details)| status(details) && row.1 as usize != finishers)
}

fn time_out_of_range(seconds: i64) -> String {
    let hint = match ContestTime::new(seconds / 1000) {
        Some(moment) if seconds > 0 => {
            format!("; it looks like milliseconds: {moment} is {}", moment.get())
        }
        _ => String::new(),
    };
    format!("time {seconds} lies outside 1583 to 2199 in seconds since 1970{hint}")
}

/// Returns the order of the rows by place, or `None` if they are in order. An error names the row:
/// rows with the same `lo` must have the same `hi`, and `lo..=hi` must count exactly those rows.
fn order_by_place(rows: &[Row<'_>]) -> Result<Option<Vec<usize>>, (usize, String)> {
    let sorted = rows.is_sorted_by_key(|row| row.1);
    let order = if sorted {
        None
    } else {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&index| rows[index].1);
        Some(order)
    };
    let index = |k: usize| order.as_ref().map_or(k, |order| order[k]);
    let mut from = 0;
    while from < rows.len() {
        let Row(handle, lo, _) = &rows[index(from)];
        if *lo as usize != from {
            let why = format!(
                "{handle} has lo {lo}, but {from} is expected: {from} entrants are above, and the ranges must cover 0 to {} without gaps",
                rows.len() - 1,
                handle = Quoted(handle)
            );
            return Err((index(from), why));
        }
        let mut to = from;
        while to < rows.len() && rows[index(to)].1 == *lo {
            to += 1;
        }
        for k in from..to {
            let row = &rows[index(k)];
            if row.2 as usize != to - 1 {
                let why = format!(
                    "{} has the range {lo} to {}, but {} with lo {lo}: hi {} is expected",
                    Quoted(&row.0),
                    row.2,
                    if to - from == 1 {
                        "it is the only row".to_owned()
                    } else {
                        format!("there are {} rows", to - from)
                    },
                    to - 1
                );
                return Err((index(k), why));
            }
        }
        from = to;
    }
    Ok(order)
}

/// Returns two rows with the same handle. Called only if the file is not in order: otherwise
/// [`Contest::validate`] reports the same row numbers.
fn find_duplicate_handle(rows: &[Row<'_>], order: &[usize]) -> Option<(usize, usize)> {
    let mut by_name = order.to_vec();
    by_name.sort_unstable_by_key(|&index| (&rows[index].0, index));
    by_name
        .windows(2)
        .find(|pair| rows[pair[0]].0 == rows[pair[1]].0)
        .map(|pair| (pair[0], pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_results_and_texts_apply() {
        let limits = ReadLimits {
            results: 3,
            row_bytes: 1 << 20,
            ..ReadLimits::NEW
        };
        let refusal = |contests: usize| {
            let contest = r#"{"name":"R","time_seconds":5,"standings":[["a",0,0],["b",1,1]]}"#;
            let document = format!("[{}]", vec![contest; contests].join(","));
            let read = read(document.as_bytes(), limits);
            read.err().map(|error| error.to_string())
        };
        assert_eq!(refusal(1), None);
        let results = refusal(2).unwrap();
        assert!(results.contains("more than 3 results"), "{results}");
        let long = |length: usize| {
            let document = format!("{{\n\"name\":\"\\\"{}\"}}", "x".repeat(length));
            check_text_lengths(document.as_bytes(), 1 << 20)
        };
        assert_eq!(long(1 << 19), Ok(()));
        let error = long(1 << 20).unwrap_err();
        assert_eq!(error.at, Location::Line(2));
    }
}
