//! Speed of classifying, minimising and reading large responses: `cargo bench -p ranklore-atcoder`.

#[path = "../../../benches/answers.rs"]
mod answers;

use ranklore_atcoder::AtcoderSource;
use ranklore_conformance as conformance;
use ranklore_source::Source;

/// Entrants of a large contest.
const ROWS: usize = 10_000;

fn main() {
    let source = AtcoderSource { standings: true };
    let list = source.initial_requests().into_iter().next();
    let contests = contests();
    let reading = list.as_ref().and_then(|request| {
        conformance::read_answer(&source, request, 200, contests.as_bytes()).ok()
    });
    let mut requests = reading.into_iter().flat_map(|reading| reading.listed.into_iter().take(1));
    let mut requests = requests.next().map_or(Vec::new(), |contest| contest.results).into_iter();
    let results_request = requests.next();
    let standings_request = requests.next();
    answers::measure(
        &source,
        [
            ("contests", list, contests),
            ("results", results_request, results()),
            ("standings", standings_request, standings()),
        ],
    );
}

fn contests() -> String {
    let contest = |index: usize| {
        let start = 1_469_275_200 + index * 86_400;
        format!(
            r#"{{"id":"abc{index:03}","start_epoch_second":{start},"duration_second":6000,"title":"Lantern Beginner Contest {index:03}","rate_change":" ~ 1999"}}"#
        )
    };
    let contests: Vec<String> = (0..2_000).map(contest).collect();
    format!("[{}]", contests.join(","))
}

fn results() -> String {
    let row = |index: usize| {
        let place = index + 1;
        format!(
            r#"{{"IsRated":true,"Place":{place},"OldRating":1200,"NewRating":1210,"Performance":1400,"ContestName":"Lantern Beginner Contest 000","ContestNameEn":"","ContestScreenName":"abc000.contest.atcoder.jp","EndTime":"2016-07-23T22:40:00+09:00","ContestType":0,"UserName":"gull{index}","UserScreenName":"gull{index}","Country":"JP","Affiliation":"Saltmere","Rating":1310,"Competitions":17,"AtCoderRank":{place}}}"#
        )
    };
    let rows: Vec<String> = (0..ROWS).map(row).collect();
    format!("[{}]", rows.join(","))
}

fn standings() -> String {
    let row = |index: usize| {
        let rank = index + 1;
        let score = (ROWS - index) * 100;
        let task = |letter: char| {
            format!(
                r#""abc000_{letter}":{{"Count":1,"Failure":0,"Penalty":0,"Score":{score},"Elapsed":2156000000000,"Status":1,"Pending":false,"Frozen":false,"Additional":null}}"#
            )
        };
        let tasks: Vec<String> = ('a'..'g').map(task).collect();
        format!(
            r#"{{"Rank":{rank},"Additional":null,"UserName":"gull{index}","UserScreenName":"gull{index}","UserIsDeleted":false,"Affiliation":"Saltmere","Country":"JP","Rating":1310,"OldRating":1200,"IsRated":true,"IsTeam":false,"Competitions":17,"AtCoderRank":{rank},"TaskResults":{{{}}},"TotalResult":{{"Count":6,"Accepted":6,"Penalty":0,"Score":{score},"Elapsed":2156000000000,"Frozen":false,"Additional":null}}}}"#,
            tasks.join(",")
        )
    };
    let rows: Vec<String> = (0..ROWS).map(row).collect();
    format!(
        r#"{{"Fixed":true,"AdditionalColumns":null,"TaskInfo":[],"StandingsData":[{}],"Translation":{{}}}}"#,
        rows.join(",")
    )
}
