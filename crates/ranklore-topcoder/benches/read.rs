//! Speed of classifying, minimising and reading large responses: `cargo bench -p
//! ranklore-topcoder`.

#[path = "../../../benches/answers.rs"]
mod answers;

use ranklore_source::Source;
use ranklore_topcoder::{TopcoderSource, parse_saved_file_name};

/// Coders of the largest rounds.
const CODERS: usize = 4_000;

/// More rounds than ever held.
const ROUNDS: usize = 5_000;

fn main() {
    let source = TopcoderSource::default();
    let pages = TopcoderSource::Pages;
    answers::measure(
        &source,
        [
            (
                "results",
                parse_saved_file_name("tc_module=BasicData&c=dd_round_results&rd=9601"),
                results(),
            ),
            ("rounds", source.initial_requests().into_iter().next(), rounds()),
            (
                "page of a division",
                parse_saved_file_name("stat_c=round_stats&rd=9601&dn=1"),
                stats(),
            ),
            ("page of rounds", pages.initial_requests().into_iter().next(), matches()),
        ],
    );
}

fn feed(root: &str, rows: impl Iterator<Item = String>) -> String {
    let rows: String = rows.collect();
    format!("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><{root}>{rows}</{root}>")
}

/// Returns the results of both divisions, unsorted.
fn results() -> String {
    let row = |index: usize| {
        let coder = (index * 2_741) % CODERS;
        let (division, place) = (coder % 2 + 1, coder / 2 + 1);
        let points = (CODERS - place) as f64 / 4.0;
        let level = |level: &str| {
            format!(
                "<level_{level}_problem_id>17994</level_{level}_problem_id><level_{level}_submission_points>{points:.2}</level_{level}_submission_points><level_{level}_final_points>{points:.2}</level_{level}_final_points><level_{level}_status>Passed System Test</level_{level}_status><level_{level}_time_elapsed>1447918</level_{level}_time_elapsed><level_{level}_placed/><level_{level}_language>C++</level_{level}_language>"
            )
        };
        format!(
            "<row><room_id>337765</room_id><room_name>Room {}</room_name><coder_id>{}</coder_id><handle>gull{coder}</handle><paid>0.0</paid><old_rating>{}</old_rating><new_rating>{}</new_rating><new_vol>308</new_vol><num_ratings>48</num_ratings><room_placed>8</room_placed><division_placed>{place}</division_placed><advanced>N</advanced><challenge_points>0.0</challenge_points><system_test_points>0.0</system_test_points><defense_points>0.0</defense_points><submission_points>{points:.2}</submission_points><final_points>{points:.2}</final_points><division>{division}</division><problems_presented>3</problems_presented><problems_submitted>3</problems_submitted><problems_correct>1</problems_correct><problems_failed_by_system_test>2</problems_failed_by_system_test><problems_failed_by_challenge>0</problems_failed_by_challenge><problems_opened>3</problems_opened><problems_left_open>0</problems_left_open><challenge_attempts_made>0</challenge_attempts_made><challenges_made_successful>0</challenges_made_successful><challenges_made_failed>0</challenges_made_failed><challenge_attempts_received>0</challenge_attempts_received><challenges_received_successful>0</challenges_received_successful><challenges_received_failed>0</challenges_received_failed><rated_flag>1</rated_flag>{}{}{}</row>",
            coder / 20,
            7_000_000 + coder,
            1_200 + coder % 1_000,
            1_190 + coder % 1_000,
            level("one"),
            level("two"),
            level("three"),
        )
    };
    feed("dd_round_results", (0..CODERS).map(row))
}

fn rounds() -> String {
    let row = |index: usize| {
        let (month, day) = (index % 12 + 1, index % 28 + 1);
        format!(
            "<row><round_id>{}</round_id><full_name>Single Round Match {index} - Round 1</full_name><short_name>SRM {index}</short_name><round_type_desc>Single Round Match</round_type_desc><date>20{:02}-{month:02}-{day:02} 21:00</date></row>",
            index + 1,
            index % 24 + 1
        )
    };
    feed("dd_round_list", (0..ROUNDS).map(row))
}

fn page(rows: &str) -> String {
    format!("<html><body><table><tr><td>Division-I</td></tr>{rows}</table></body></html>")
}

fn stats() -> String {
    let gap = "<TD CLASS=\"statText\" ALIGN=\"right\"><IMG SRC=\"/i/clear.gif\" ALT=\"\" WIDTH=\"5\" HEIGHT=\"1\" BORDER=\"0\"></TD>";
    let cell = |text: &str| format!("<TD CLASS=\"statText\" ALIGN=\"right\">{text}</TD>\n");
    let mut rows = String::from(
        "<tr><td>Statistics for Single Round Match 906 &gt; Round 1 &gt; Division-I</td></tr><tr><td></td>",
    );
    for label in [
        "Coders",
        "Coding<br>Phase",
        "+",
        "Challenge<br>Phase",
        "+",
        "Testing<br>Phase",
        "=",
        "Final<br>Points",
        "Adv.",
        "Old<br>Rating",
        "+",
        "Rating<br>Change",
        "=",
        "New<br>Rating",
        "",
        "",
        "",
    ] {
        rows.push_str(&cell(label));
    }
    for coder in 0..CODERS / 2 {
        let points = format!("{:.2}", (CODERS - coder) as f64 / 4.0);
        rows.extend([format!(
            "</tr><tr VALIGN=\"middle\"><TD CLASS=\"statText\"><A HREF=\"/stat?c=coder_room_stats&rd=9601&rm=7&cr={0}\" CLASS=\"statText\"><IMG SRC=\"/i/coders_icon.gif\" ALT=\"\" WIDTH=\"10\" BORDER=\"0\"/></A></TD>\n<TD CLASS=\"statText\"><A HREF=\"/tc?module=MemberProfile&cr={0}\" CLASS=\"coderTextBlue\">gull{0}</A></TD>\n",
            7_000_000 + coder
        )]);
        let zero = cell("0.00");
        let cells = [
            &cell(&points),
            gap,
            &zero,
            gap,
            &zero,
            gap,
            &cell(&points),
            &cell("N"),
            &cell("1500"),
            gap,
            &cell("-24"),
            gap,
            &cell("1476"),
            gap,
            gap,
            gap,
        ];
        rows.extend(cells);
    }
    page(&rows)
}

fn matches() -> String {
    let row = |index: usize| {
        format!(
            "<tr class=\"light\"><td class=\"value\"><a href=\"/stat?c=round_overview&amp;er=5&amp;rd={}\">SRM {index}</a></td><td class=\"valueC\">{:02}.28.2011</td><td class=\"valueR\">812</td><td class=\"valueR\">410</td><td class=\"valueR\">402</td></tr>\n",
            index + 1,
            index % 12 + 1
        )
    };
    page(&(0..ROUNDS).map(row).collect::<String>())
}
