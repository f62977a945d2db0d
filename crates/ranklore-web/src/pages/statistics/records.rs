//! Records: the highest ratings, the longest times in first place, the most wins, and the ratings of
//! each year.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_replay::{Leaderboard, RunRecords, find_display};

use crate::content::Content;
use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{count, day_element, points};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{notes, run_text};
use crate::pages::request::PageRequest;
use crate::pages::tables::{headings, player_link, rating, table_section};
use crate::paths::records_path;
use crate::views::Rows;
use crate::views::statistics::{RECORDS_PARAMETERS, highest_ratings, records};

/// The rows of each list.
const ROWS: Rows = Rows {
    usual: 20,
    max: 200,
};

/// Shows the records.
pub(crate) fn show(request: &PageRequest<'_>, source: &SourceName) -> Result<Content, Failure> {
    let parameters = request.parameters;
    let records = records(request.reader.store, source.clone(), parameters, ROWS)?;
    let highest = highest_ratings(request.reader, source, parameters)?;
    let links = request.links(Some(&records.run))?;
    let source = source.as_str();
    let path = records_path(source);
    let head = Head {
        title: format!("Records of {source}"),
        description: format!(
            "Highest ratings, longest times in first place and most wins of {source} by {}",
            records.run.system
        ),
        data: links.data(&path, parameters, RECORDS_PARAMETERS, &[]),
        ..Head::new(source, &links)
    };
    let content = html! {
        h1 { "Records of " bdi { (source) } }
        p { "Run " (run_text(&records.run)) "." }
        (notes(records.stale, records.pseudonymised || highest.pseudonymised))
        @if records.years.is_empty() && records.wins.is_empty() {
            p.message { "There are no records: no contest is rated." }
        }
        (highest_table(&highest, source, &links))
        (first_places(&records, source, &links))
        (wins(&records, source, &links))
        (years(&records))
    };
    Ok(page(&head, &content).into())
}

fn highest_table(board: &Leaderboard, source: &str, links: &Links) -> Markup {
    let caption = "Highest mu ever";
    if board.rows.is_empty() {
        return html! {};
    }
    let head = headings(&[
        ("number", "Place"),
        ("", "Name"),
        ("number", "Highest mu"),
        ("number", "Rating now"),
        ("number", "Contests"),
    ]);
    let rows = html! {
        @for row in &board.rows {
            tr {
                td.number { (row.standing.place) }
                th scope="row" { (player_link(links, source, &row.competitor)) }
                td.number { (points(row.standing.peak_mu, board.display.decimals)) }
                td.number { (rating(&board.display, row.standing.rating, row.standing.provisional)) }
                td.number { (count(row.standing.contests)) }
            }
        }
    };
    let text =
        "The highest mu after any contest, of competitors whose ratings are not provisional now.";
    table_section(caption, text, &head, &rows)
}

fn first_places(records: &RunRecords, source: &str, links: &Links) -> Markup {
    let caption = "Longest times in first place";
    if records.first_places.is_empty() {
        return html! {};
    }
    let head = headings(&[
        ("", "Name"),
        ("number", "Days"),
        ("", "From"),
        ("", "Until"),
    ]);
    let rows = html! {
        @for row in &records.first_places {
            tr {
                th scope="row" { (player_link(links, source, &row.competitor)) }
                td.number { (count(row.days)) }
                td { (day_element(Some(row.since))) }
                td {
                    @match row.until {
                        Some(until) => (day_element(Some(until))),
                        None => "still first",
                    }
                }
            }
        }
    };
    let text = "First on the leaderboard of active competitors whose ratings are not provisional, from contest to contest.";
    table_section(caption, text, &head, &rows)
}

fn wins(records: &RunRecords, source: &str, links: &Links) -> Markup {
    let caption = "Most wins";
    if records.wins.is_empty() {
        return html! {};
    }
    let head = headings(&[
        ("", "Name"),
        ("number", "Wins"),
        ("number", "Contests"),
        ("number", "Share"),
    ]);
    let rows = html! {
        @for row in &records.wins {
            tr {
                th scope="row" { (player_link(links, source, &row.competitor)) }
                td.number { (count(row.wins)) }
                td.number { @if let Some(contests) = row.contests { (count(contests)) } }
                td.number {
                    @if let Some(contests) = row.contests {
                        (format!("{:.1}\u{a0}%", 100.0 * f64::from(row.wins) / f64::from(contests)))
                    }
                }
            }
        }
    };
    let text = "Rated contests with an unshared first place.";
    table_section(caption, text, &head, &rows)
}

fn years(records: &RunRecords) -> Markup {
    let caption = "Ratings by year";
    if records.years.is_empty() {
        return html! {};
    }
    let decimals = find_display(&records.run).rating_decimals();
    let head = headings(&[
        ("", "Year"),
        ("number", "Competitors"),
        ("number", "Median"),
        ("number", "Mean"),
        ("number", "Mean of the first ten"),
    ]);
    let rows = html! {
        @for row in records.years.iter().rev() {
            tr {
                th scope="row" { (row.year) }
                td.number { (count(row.competitors as u64)) }
                td.number { (points(row.median, decimals)) }
                td.number { (points(row.mean, decimals)) }
                td.number { (points(row.top_mean, decimals)) }
            }
        }
    };
    let text = "Ratings at the end of each year of those with a contest in it, without provisional ones. They show whether ratings inflate.";
    table_section(caption, text, &head, &rows)
}
