//! Speed of classifying, minimising and reading large responses: `cargo bench -p
//! ranklore-codeforces`.

#[path = "../../../benches/answers.rs"]
mod answers;

use ranklore_codeforces::{
    CodeforcesSource, MAX_HANDLES_PER_REQUEST, rated_users_request, user_info_requests,
};
use ranklore_conformance as conformance;
use ranklore_source::{Request, Source};

/// Rows of the largest rounds.
const ROWS: usize = 20_000;

fn main() {
    let source = CodeforcesSource { standings: true };
    let people: Vec<String> = (0..ROWS).map(handle).collect();
    let info = user_info_requests(people.iter().take(MAX_HANDLES_PER_REQUEST).map(String::as_str));
    let mut asked = contest_requests(&source).into_iter();
    println!("answers of {ROWS} rows");
    answers::measure(
        &source,
        [
            ("contest.ratingChanges", asked.next(), changes()),
            ("contest.standings", asked.next(), standings()),
            ("user.ratedList", Some(rated_users_request()), users(ROWS)),
            ("user.info", info.into_iter().next(), users(MAX_HANDLES_PER_REQUEST)),
        ],
    );
}

/// Returns the requests that the contest list leads to.
fn contest_requests(source: &dyn Source) -> Vec<Request> {
    let list = br#"{"status":"OK","result":[{"id":1001,"name":"Lantern Round","phase":"FINISHED","durationSeconds":7200}]}"#;
    let start = source.initial_requests().into_iter().next();
    let reading = start.and_then(|start| conformance::read_answer(source, &start, 200, list).ok());
    let reading = reading.unwrap_or_default();
    let requests = reading.listed.into_iter().flat_map(|one| one.results);
    requests.collect()
}

fn handle(index: usize) -> String {
    let word = ["gull", "Tide_Table", "lamp.", "oar-lock"][index % 4];
    format!("{word}{index:05}")
}

fn ok_response(rows: impl Iterator<Item = String>) -> String {
    let rows: Vec<String> = rows.collect();
    format!(r#"{{"status":"OK","result":[{}]}}"#, rows.join(","))
}

fn changes() -> String {
    ok_response((0..ROWS).map(|index| {
        let rank = index - index % 3 + 1;
        format!(
            r#"{{"contestId":1001,"contestName":"Lantern Round 2 (Div. 1 + Div. 2)","handle":"{}","rank":{rank},"ratingUpdateTimeSeconds":1743009000,"oldRating":{},"newRating":{}}}"#,
            handle(index),
            3000 - index / 8,
            2990 - index / 8
        )
    }))
}

fn standings() -> String {
    let row = |index: usize| {
        let problems: Vec<String> = (0..7)
            .map(|problem| {
                format!(
                    r#"{{"points":{}.0,"rejectedAttemptCount":{},"type":"FINAL","bestSubmissionTimeSeconds":{}}}"#,
                    500 * problem,
                    index % 3,
                    600 * problem + 17
                )
            })
            .collect();
        format!(
            r#"{{"party":{{"contestId":1001,"members":[{{"handle":"{}"}}],"participantType":"CONTESTANT","ghost":false,"room":{},"startTimeSeconds":1743000000}},"rank":{},"points":{}.5,"penalty":0,"successfulHackCount":0,"unsuccessfulHackCount":0,"problemResults":[{}]}}"#,
            handle(index),
            index % 400,
            index + 1,
            ROWS - index,
            problems.join(",")
        )
    };
    let rows: Vec<String> = (0..ROWS).map(row).collect();
    let rows = rows.join(",");
    format!(
        r#"{{"status":"OK","result":{{"contest":{{"id":1001,"name":"Lantern Round","type":"CF","phase":"FINISHED","frozen":false,"durationSeconds":7200,"startTimeSeconds":1743000000,"relativeTimeSeconds":1}},"problems":[],"rows":[{rows}]}}}}"#
    )
}

fn users(count: usize) -> String {
    let mut people: Vec<String> = (0..count).map(handle).collect();
    people.sort_unstable();
    ok_response(people.into_iter().map(|handle| {
        format!(
            r#"{{"lastName":"Invented","country":"Nowhere","lastOnlineTimeSeconds":1749999000,"city":"Lampton","rating":1812,"friendOfCount":3,"titlePhoto":"//pictures.example/title.jpg","handle":"{handle}","avatar":"//pictures.example/avatar.jpg","firstName":"Ann","contribution":0,"organization":"Harbour School","rank":"expert","maxRating":1900,"registrationTimeSeconds":1600000000,"maxRank":"expert"}}"#
        )
    }))
}
