//! Speed of classifying, minimising and reading pages: `cargo bench -p ranklore-racetime`.

#[path = "../../../benches/answers.rs"]
mod answers;

use ranklore_racetime::RacetimeSource;
use ranklore_source::Source;

/// Races of a full page.
const RACES: usize = 100;

fn main() {
    let key = "GET smr/races/data?page=1&per_page=100&show_entrants=true";
    let source = RacetimeSource::from_archive([key]);
    let request = source.initial_requests().into_iter().next();
    let refused = page(12, Some(RACES / 2));
    answers::measure(
        &source,
        [
            ("12 entrants", request.clone(), page(12, None)),
            ("12 entrants, one refused", request.clone(), refused),
            ("2 entrants", request, page(2, None)),
        ],
    );
}

/// Returns a page of races with so many entrants; one race may lack its goal.
fn page(entrants: usize, broken: Option<usize>) -> String {
    let races: Vec<String> = (0..RACES)
        .map(|index| {
            let rows: Vec<String> = (0..entrants).map(|row| entrant(index, row)).collect();
            let goal = match broken {
                Some(broken) if broken == index => "",
                _ => r#""goal": {"name": "Lantern Walk", "custom": false}, "#,
            };
            let (day, hour) = (28 - index / 5, 20 - index % 5);
            format!(
                r#"{{"name": "smr/quiet-lantern-{index:04}", "status": {{"value": "finished", "verbose_value": "Finished", "help_text": "This race has been completed"}}, "url": "/smr/quiet-lantern-{index:04}", "data_url": "/smr/quiet-lantern-{index:04}/data", {goal}"info": "the seed of the week", "entrants_count": {entrants}, "entrants_count_finished": {entrants}, "entrants_count_inactive": 0, "opened_at": "2024-06-{day:02}T09:00:00.000Z", "started_at": "2024-06-{day:02}T10:00:00.000Z", "time_limit": "P1DT00H00M00S", "entrants": [{}], "ended_at": "2024-06-{day:02}T{hour}:00:00.000Z", "cancelled_at": null, "recordable": true, "recorded": true}}"#,
                rows.join(", ")
            )
        })
        .collect();
    format!(r#"{{"count": {RACES}, "num_pages": 1, "races": [{}]}}"#, races.join(", "))
}

fn entrant(race: usize, row: usize) -> String {
    let user = (race * 31 + row * 7) % 5000;
    let place = row + 1;
    format!(
        r#"{{"user": {{"id": "A1qXw9TnPz{user:06}", "full_name": "gull {user}#0417", "name": "gull {user}", "discriminator": "0417", "url": "/user/A1qXw9TnPz{user:06}", "avatar": "https://racetime.gg/media/gull.png", "pronouns": "they/them", "flair": "", "twitch_name": "gull", "twitch_display_name": "gull", "twitch_channel": "https://www.twitch.tv/gull", "can_moderate": false}}, "team": null, "status": {{"value": "done", "verbose_value": "Finished", "help_text": "Finished the race."}}, "finish_time": "P0DT01H{place:02}M21.729469S", "finished_at": "2024-06-05T11:{place:02}:17.923Z", "place": {place}, "place_ordinal": "{place}th", "score": 1586, "score_change": 12, "comment": null, "has_comment": false, "stream_live": true, "stream_override": false, "actions": ["add_comment"]}}"#
    )
}
