//! HTML pages, which give the same contests as the feeds.

use ranklore_contest::Entrant;
use ranklore_source::{ContestOutcome, OfficialRating, SiteReading};

use crate::fixtures::{
    bytes, find_results, matches, read, read_all, read_file, read_round, replace_in_fixture,
    results, rounds, standings, stats, text, to_latin1,
};

const FILE: &str = "round_stats-9601-1.html";

/// Returns entrants and ratings sorted by competitor: tied ones keep the order of the document.
fn sorted(reading: &SiteReading, contest: &str) -> (Vec<Entrant>, Vec<OfficialRating>) {
    let (entrants, official) = standings(reading, contest);
    let mut entrants = entrants.to_vec();
    let mut official = official.to_vec();
    entrants.sort_by(|a, b| a.competitor.cmp(&b.competitor));
    official.sort_by(|a, b| a.competitor.cmp(&b.competitor));
    (entrants, official)
}

#[test]
fn division_page_matches_feed() {
    let feed = read_round(9601);
    for division in [1, 2] {
        let contest = format!("9601/{division}");
        let page = read_file(&stats(9601, division), &format!("round_stats-9601-{division}.html"));
        let (entrants, official) = sorted(&page, &contest);
        let (due, due_official) = sorted(&feed, &contest);
        assert_eq!(entrants, due);
        // Pages have no volatilities.
        let due_official: Vec<OfficialRating> = due_official
            .into_iter()
            .map(|rating| OfficialRating {
                volatility: None,
                ..rating
            })
            .collect();
        assert_eq!(official, due_official);
        for named in &page.named {
            assert!(feed.named.contains(named), "{named:?}");
        }
        assert_eq!(page.results.len(), 1);
    }
}

#[test]
fn unrated_and_empty_divisions_match_feed() {
    let page = read_file(&stats(9513, 1), "round_stats-9513-1.html");
    assert_eq!(page.results[0], *find_results(&read_round(9513), "9513/1"));
    let page = read_file(&stats(853, 2), "round_stats-853-2.html");
    assert_eq!(page.results[0], *find_results(&read_round(853), "853/2"));
    assert_eq!(page.results[0].outcome, ContestOutcome::NothingYet);
}

#[test]
fn match_list_matches_feed() {
    let feed = read_file(&rounds(), "dd_round_list.xml");
    let page = read_file(&matches(), "MatchList.html");
    assert_eq!(page.listed.len(), feed.listed.len());
    for due in feed.listed {
        let mut listed = page.listed.iter();
        let listed_on_page = listed.find(|contest| contest.external_id == due.external_id).unwrap();
        // The feed has no short name for that round.
        if !due.external_id.starts_with("9601/") {
            assert_eq!((&listed_on_page.name, &listed_on_page.event), (&due.name, &due.event));
        }
        assert_eq!(
            (&listed_on_page.division, listed_on_page.ordinal, &listed_on_page.url),
            (&due.division, due.ordinal, &due.url)
        );
        // The page gives the day only, which begins at midnight in New York.
        let late = due.starts_at.unwrap().get() - listed_on_page.starts_at.unwrap().get();
        assert!((0..86_400 + 3600).contains(&late), "{late}");
        assert_eq!(listed_on_page.results.len(), 1);
        let ends = format!("dn={}", listed_on_page.ordinal.unwrap());
        assert!(listed_on_page.results[0].key().contains(&ends));
    }
    assert!(page.follow.is_empty() && !page.lists_all);
}

#[test]
fn full_match_list_is_followed() {
    let page = text("MatchList.html");
    let start = page.find("      <tr class=\"light\"><td class=\"value\">").unwrap();
    let end = page.find("     </table>\n     <div").unwrap();
    let row = page[start..end].lines().next().unwrap();
    let rows: String =
        (1..=200).map(|round| row.replace("rd=9601", &format!("rd={round}"))).collect();
    let body = [&page[..start], &rows, &page[end..]].concat();
    let reading = read(&matches(), &to_latin1(&body)).unwrap();
    assert_eq!(reading.listed.len(), 400);
    let follow: Vec<String> = reading.follow.iter().map(ranklore_source::Request::key).collect();
    assert_eq!(follow, ["GET tc?module=MatchList&nr=200&sr=201"]);
    // The last page may be empty.
    let empty = [&page[..start], &page[end..]].concat();
    assert!(read(&reading.follow[0], &to_latin1(&empty)).is_ok());
    assert!(read(&matches(), &to_latin1(&empty)).is_err());
}

#[test]
fn room_lines_between_coders_are_skipped() {
    let page = read_file(&stats(9601, 1), FILE);
    assert_eq!(standings(&page, "9601/1").0.len(), 7);
    let body = replace_in_fixture(FILE, "c=room_stats&", "c=advert&");
    assert!(read(&stats(9601, 1), &body).is_err());
}

#[test]
fn columns_are_found_by_header() {
    let spacer = "       <TD WIDTH=\"10\"><IMG SRC=\"/i/clear.gif\" ALT=\"\"></TD>\n";
    let icon = "       <TD CLASS=\"statText\" WIDTH=\"10\"><A HREF=\"/stat?c=coder_room_stats";
    let body = text(FILE)
        .replace(spacer, &spacer.repeat(2))
        .replace(icon, &format!("{spacer}{icon}"));
    let reading = read(&stats(9601, 1), &to_latin1(&body)).unwrap();
    assert_eq!(reading, read_file(&stats(9601, 1), FILE));
}

#[test]
fn coding_points_may_be_missing() {
    for coding in ["", "0.00"] {
        let body = replace_in_fixture(
            FILE,
            ">1188.05</TD>\n       <TD CLASS=\"statText\" ALIGN=\"right\"><IMG SRC=\"/i/clear.gif\" ALT=\"\" WIDTH=\"5\"></TD>\n       <TD CLASS=\"statText\" ALIGN=\"right\">0.00</TD>",
            &format!(
                ">{coding}</TD>\n       <TD CLASS=\"statText\" ALIGN=\"right\"><IMG SRC=\"/i/clear.gif\" ALT=\"\" WIDTH=\"5\"></TD>\n       <TD CLASS=\"statText\" ALIGN=\"right\">0.00</TD>"
            ),
        );
        assert_eq!(read(&stats(9601, 1), &body).unwrap(), read_file(&stats(9601, 1), FILE));
    }
}

#[test]
fn invalid_division_pages_are_refused() {
    for (part, by) in [
        ("rd=9601&rm=501&cr=40000013", "rd=9602&rm=501&cr=40000013"),
        ("rm=501&cr=40000013", "rm=501&cr=40000012"),
        ("MemberProfile&cr=40000013", "MemberProfile&cr=Rowan"),
        ("&nbsp;&gt;&nbsp;Division-I<", "&nbsp;&gt;&nbsp;Division-II<"),
        (">1301.40<", ">1301.4.0<"),
        (">1301.40<", ">1311.40<"),
        (">3012<", ">3013<"),
        (">62<", "><"),
        (">Rowan&lt;3<", "><"),
        ("Final<br>Points", "Total"),
        ("New<br>Rating", "Rating"),
        ("next &gt;&gt;", "<a href=\"/stat?c=round_stats&sm=101\">next &gt;&gt;</a>"),
        ("</HTML>", ""),
    ] {
        let error = read(&stats(9601, 1), &replace_in_fixture(FILE, part, by));
        assert!(error.is_err(), "{by}: {error:?}");
    }
    let nobody = "There were no Division II coders";
    let body =
        replace_in_fixture("round_stats-853-2.html", nobody, "There were no Division I coders");
    assert!(read(&stats(853, 2), &body).is_err());
    // All links belong to another round.
    assert!(read(&stats(9602, 1), &bytes(FILE)).is_err());
    assert!(read(&results(9601), &bytes(FILE)).is_err());
}

#[test]
fn invalid_match_lists_are_refused() {
    for (part, by) in [
        ("10.28.2022", "28.10.2022"),
        ("10.28.2022", "2022-10-28"),
        ("10.28.2022", ""),
        ("rd=9520", "rd=9601"),
        ("rd=9520", "rd=x"),
        (">SRM 906<", "><"),
        ("/stat?c=round_overview&amp;er=5&amp;rd=9520", "/match/9520"),
        ("<td class=\"valueR\">10</td>", "<td class=\"valueR\">10.28.2022</td>"),
    ] {
        let error = read_all(&matches(), &replace_in_fixture("MatchList.html", part, by));
        assert!(error.is_err(), "{by}: {error:?}");
    }
}
