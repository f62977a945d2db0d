//! Records: the highest ratings, the longest times in first place, the most wins, and the ratings of
//! each year.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_views::{
    CellValue, Columns, ContestWins, Leaderboard, LeaderboardRow, RatingYear, RecordsRequest,
    TimeInFirstPlace, find_display, load_records,
};

use crate::content::Content;
use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::count;
use crate::pages::layout::{Head, page};
use crate::pages::parts::{notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::{ListTable, player_link};
use crate::parameters::Rows;
use crate::paths::SourcePage;
use crate::views::statistics::highest_ratings;

/// The rows of each list.
const ROWS: Rows = Rows {
    usual: 20,
    max: 200,
};

/// Shows the records.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let records = load_records(request.reader, source, &parameters.list_request(ROWS)?)?;
    let highest = highest_ratings(request.reader, source, parameters)?;
    let links = request.links(Some(&records.run))?;
    let source = source.as_str();
    let path = SourcePage::Records.path(source);
    let head = Head {
        title: format!("Records of {source}"),
        description: format!(
            "Highest ratings, longest times in first place and most wins of {source} by {}",
            records.run.system
        ),
        data: links.data::<RecordsRequest>(&path, parameters, &[]),
        ..Head::new(source, &links)
    };
    let decimals = find_display(&records.run).rating_decimals();
    let first_places = ListTable::new(TimeInFirstPlace::columns())
        .with("name", |row| player_link(&links, source, &row.competitor));
    let wins = ListTable::new(ContestWins::columns())
        .with("name", |row| player_link(&links, source, &row.competitor));
    let years = ListTable::new(RatingYear::columns(decimals));
    let content = html! {
        h1 { "Records of " bdi { (source) } }
        p { "Run " (run_text(&records.run)) "." }
        (notes(records.stale, records.pseudonymised || highest.pseudonymised))
        @if records.years.is_empty() && records.wins.is_empty() {
            p.message { "There are no records: no contest is rated." }
        }
        (highest_table(&highest, source, &links))
        (first_places.show_section("Longest times in first place", FIRST_PLACES, &records.first_places))
        (wins.show_section("Most wins", "Rated contests with an unshared first place.", &records.wins))
        (years.show_section("Ratings by year", YEARS, records.years.iter().rev()))
    };
    Ok(page(&head, &content).into())
}

const FIRST_PLACES: &str = "First on the leaderboard of active competitors whose ratings are not \
    provisional, from contest to contest.";

const YEARS: &str = "Ratings at the end of each year of those with a contest in it, without \
    provisional ones. They show whether ratings inflate.";

fn highest_table(board: &Leaderboard, source: &str, links: &Links) -> Markup {
    let display = &board.display;
    let columns = Columns::new()
        .right("place", |row: &LeaderboardRow| row.standing.place.to_string())
        .left("name", |row| CellValue::text(&row.competitor.name))
        .right("highest mu", |row| CellValue::Points(row.standing.peak_mu, display.decimals))
        .right("rating now", |LeaderboardRow { standing, .. }| {
            CellValue::rating(display, standing.rating, standing.provisional)
        })
        .right("contests", |row| count(row.standing.contests));
    let text =
        "The highest mu after any contest, of competitors whose ratings are not provisional now.";
    ListTable::new(columns)
        .with("name", |row| player_link(links, source, &row.competitor))
        .show_section("Highest mu ever", text, &board.rows)
}
