//! Reads contest files in the format of Elo-MMR: one object per contest, or an array of them.
//!
//! `{name, id?, url?, time_seconds, weight?, perf_ceiling?, standings: [[handle, lo, hi],
//! …]}`, where `lo` and `hi` are the first and last index (from 0) of the handle's tie.
//!
//! In addition to the fields of Elo-MMR there may be `event?, division?, ordinal?, starts_at?,
//! site_weight?, entrants?`, the last with an object for each row of the standings, `{kind?,
//! status?, score?, penalty?, side?, members?}`, or null: together they cover every field of a [`Contest`]. The fields `state?,
//! rated?, competitors?` are [`Annotations`].

use serde::de::IgnoredAny;

use crate::json::competitors::parse_competitors;
use crate::json::schema::{ContestJson, EntrantDetails, Row, UnplacedStatus, non_empty};
use crate::reading::{Candidates, RefusedEntry};
use ranklore_contest::{
    Annotations, Contest, ContestTime, Entrant, EntrantOutcome, Place, Quoted,
    check_performance_ceiling, check_weight, describe_json_error, id_from_name,
};
use ranklore_grid::{FileReadError, Location, ReadLimits};

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
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = bytes.len() - text.len();
    let begin = (start..bytes.len()).find(|&at| !bytes[at].is_ascii_whitespace());
    if let Some(bracket) = begin.filter(|&at| bytes[at] == b'[') {
        // Split the elements first, so that one unreadable element does not affect the others.
        serde_json::from_slice::<IgnoredAny>(text)
            .map_err(|error| FileReadError::json_syntax(&error))?;
        return read_elements(bytes, bracket + 1, limits);
    }
    let mut candidates = Candidates::default();
    match serde_json::from_slice::<ContestJson>(text) {
        Ok(file) => candidates.add("", convert_contest(file, "")),
        Err(error) if error.is_data() => {
            let mut position = Position::default();
            position.advance(bytes, start);
            candidates.add("", read_contest(text, "", &position, true));
        }
        Err(error) => return Err(FileReadError::json_syntax(&error)),
    }
    Ok(candidates)
}

/// Reads the contests of an array, whose first element begins at `start` or later.
fn read_elements(
    bytes: &[u8],
    start: usize,
    limits: ReadLimits,
) -> Result<Candidates, FileReadError> {
    let mut candidates = Candidates::default();
    let mut index = 0_usize;
    let mut position = Position::default();
    let mut results = 0;
    for_each_element(bytes, start, |from, to| {
        let at = format!("[{index}]");
        position.advance(bytes, from);
        // Reasons of entries that are only counted would be found for nothing.
        let needs_reason = !candidates.refused.is_full();
        // Beyond the limit the document is refused anyway.
        if results <= limits.results {
            let contest = read_contest(&bytes[from..to], &at, &position, needs_reason);
            results += contest.as_ref().map_or(0, |(contest, _)| count_names(contest));
            candidates.add(&at, contest);
        }
        index += 1;
    });
    if results > limits.results {
        let limit = limits.results;
        return Err(FileReadError::whole_document(format!(
            "the document has more than {limit} results: split it into several files"
        )));
    }
    Ok(candidates)
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
    let mut start = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (byte, start) {
            (b'"', None) => start = Some(at),
            (b'"', Some(_)) => start = None,
            (b'\\', Some(_)) => at += 1,
            _ => {}
        }
        at += 1;
        if start.is_some_and(|start| at - start > limit) {
            let mut position = Position::default();
            position.advance(bytes, at);
            let line = position.lines + 1;
            let reason = format!("a text has more than {} MiB: shorten it", limit >> 20);
            return Err(FileReadError::new(Location::Line(line as u64), reason));
        }
    }
    Ok(())
}

impl Candidates {
    fn add(&mut self, at: &str, contest: Result<(Contest, Annotations), RefusedEntry>) {
        match contest {
            Ok((contest, annotations)) => {
                if annotations != Annotations::default() {
                    self.annotations.insert(self.contests.len(), annotations);
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

/// Calls `visit` with the start and end of each element of the array; the bytes are valid JSON.
fn for_each_element(bytes: &[u8], start: usize, mut visit: impl FnMut(usize, usize)) {
    let mut at = start;
    loop {
        let separators = bytes[at..].iter();
        at += separators
            .take_while(|byte| byte.is_ascii_whitespace() || **byte == b',')
            .count();
        let mut rest = serde_json::Deserializer::from_slice(&bytes[at..]).into_iter::<IgnoredAny>();
        let Some(Ok(_)) = rest.next() else {
            return;
        };
        let end = at + rest.byte_offset();
        visit(at, end);
        at = end;
    }
}

/// Reads one contest. If that fails, reads it again to find the path of the error: tracking paths
/// on every file would be slow. Skips this if `needs_reason` is false.
fn read_contest(
    bytes: &[u8],
    at: &str,
    position: &Position,
    needs_reason: bool,
) -> Result<(Contest, Annotations), RefusedEntry> {
    let refuse =
        |path: &str, reason: String| RefusedEntry::new(json_location(at, path), None, reason);
    let column = position.at - position.line_start;
    // Serde would read the elements as the fields in their order.
    if bytes.first() == Some(&b'[') {
        let reason = format!(
            "expected an object, found an array (line {} column {})",
            position.lines + 1,
            column + 1
        );
        return Err(refuse(".", reason));
    }
    if let Ok(file) = serde_json::from_slice::<ContestJson>(bytes) {
        return convert_contest(file, at);
    }
    if !needs_reason {
        return Err(refuse(".", String::new()));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let error = match serde_path_to_error::deserialize::<_, ContestJson>(&mut deserializer) {
        Ok(file) => return convert_contest(file, at),
        Err(error) => error,
    };
    let inner = error.inner();
    let column_before = if inner.line() == 1 { column } else { 0 };
    let reason = format!(
        "{} (line {} column {})",
        describe_json_error(inner),
        position.lines + inner.line(),
        column_before + inner.column()
    );
    Err(refuse(&error.path().to_string(), reason))
}

/// The path within a contest, and the reason why what is there is refused.
type Refusal = (String, String);

fn convert_contest(
    file: ContestJson<'_>,
    at: &str,
) -> Result<(Contest, Annotations), RefusedEntry> {
    let refuse = |(path, reason): Refusal| {
        RefusedEntry::new(json_location(at, &path), Some(file.name.to_string()), reason)
    };
    let ends_at = parse_time("time_seconds", file.time_seconds).map_err(refuse)?;
    let starts_at = file
        .starts_at
        .map(|time| parse_time("starts_at", time))
        .transpose()
        .map_err(refuse)?;
    let weight = file.weight.unwrap_or(1.0);
    check_weight(weight).map_err(|error| refuse(("weight".to_owned(), error.to_string())))?;
    file.perf_ceiling
        .map_or(Ok(()), check_performance_ceiling)
        .map_err(|error| refuse(("perf_ceiling".to_owned(), error.to_string())))?;
    let order = check_standings(&file.standings).map_err(refuse)?;
    let details = file.entrants.unwrap_or_default();
    check_details(&file.standings, &details).map_err(refuse)?;
    let competitors = parse_competitors(file.competitors.unwrap_or_default()).map_err(refuse)?;
    let url = non_empty(file.url);
    let external_id = file
        .id
        .and_then(|id| non_empty(Some(id.0)))
        .or_else(|| url.clone())
        .unwrap_or_else(|| id_from_name(&file.name, ends_at));
    let annotations = Annotations {
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
        entrants: collect_entrants(file.standings, details, order),
    };
    Ok((contest, annotations))
}

fn parse_time(field: &str, seconds: i64) -> Result<ContestTime, Refusal> {
    ContestTime::new(seconds).ok_or_else(|| (field.to_owned(), time_out_of_range(seconds)))
}

/// Returns the order of the rows by place, or `None` if they are in order.
fn check_standings(rows: &[Row<'_>]) -> Result<Option<Vec<usize>>, Refusal> {
    if rows.is_empty() {
        let reason = "the standings are empty";
        return Err(("standings".to_owned(), reason.to_owned()));
    }
    let order =
        order_by_place(rows).map_err(|(index, reason)| (format!("standings[{index}]"), reason))?;
    let duplicate = order.as_deref().and_then(|o| find_duplicate_handle(rows, o));
    if let Some((first, second)) = duplicate {
        let quoted = Quoted(&rows[second].0);
        let reason =
            format!("{quoted} stands twice, in standings[{first}] and standings[{second}]");
        return Err((format!("standings[{second}]"), reason));
    }
    Ok(order)
}

/// Errors if the details do not match the rows of the standings.
fn check_details(rows: &[Row<'_>], details: &[Option<EntrantDetails<'_>>]) -> Result<(), Refusal> {
    if !details.is_empty() && details.len() != rows.len() {
        let reason = format!(
            "{} entries for {} rows of standings; give an object or null for each row",
            details.len(),
            rows.len()
        );
        return Err(("entrants".to_owned(), reason));
    }
    let Some(index) = find_misplaced_unfinished(rows, details) else {
        return Ok(());
    };
    let Row(handle, lo, _) = &rows[index];
    let name = Quoted(handle);
    let reason = format!(
        "{name} did not finish, but its lo {lo} is not below all finishers; those \
         who did not finish share the last range"
    );
    Err((format!("standings[{index}]"), reason))
}

/// Returns the entrants in this order of the rows. Rows without details have the default ones.
fn collect_entrants(
    rows: Vec<Row<'_>>,
    details: Vec<Option<EntrantDetails<'_>>>,
    order: Option<Vec<usize>>,
) -> Vec<Entrant> {
    let details = details.into_iter().chain(std::iter::repeat_with(|| None));
    let entrants = rows.into_iter().zip(details).map(|(row, d)| row.into_entrant(d));
    match order {
        None => entrants.collect(),
        Some(order) => {
            let mut entrants: Vec<_> = entrants.map(Some).collect();
            let sorted = order.into_iter();
            sorted.filter_map(|index| entrants[index].take()).collect()
        }
    }
}

/// Returns the first non-finisher who is not below all finishers.
fn find_misplaced_unfinished(
    rows: &[Row<'_>],
    details: &[Option<EntrantDetails<'_>>],
) -> Option<usize> {
    let has_finished = |index: usize| details[index].as_ref().is_none_or(|d| d.status.is_none());
    let mut indices = 0..rows.len().min(details.len());
    let finishers = indices.clone().filter(|&index| has_finished(index)).count();
    indices.find(|&index| !has_finished(index) && rows[index].1 as usize != finishers)
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
            let reason = format!(
                "{handle} has lo {lo}, but {from} is expected: {from} entrants are above, and the ranges must cover 0 to {} without gaps",
                rows.len() - 1,
                handle = Quoted(handle)
            );
            return Err((index(from), reason));
        }
        let mut to = from;
        while to < rows.len() && rows[index(to)].1 == *lo {
            to += 1;
        }
        for k in from..to {
            let row = &rows[index(k)];
            if row.2 as usize != to - 1 {
                let reason = format!(
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
                return Err((index(k), reason));
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
