//! The home page: all sources, and for one of them the newest contests, the first places and the
//! largest movers.

use maud::{Markup, html};
use ranklore_contest::SourceName;
use ranklore_replay::{Error as ReplayError, RunChoice};
use ranklore_store::Store;
use ranklore_views::{
    ContestList, ContestListRequest, Leaderboard, LeaderboardRequest, List as _, ListedSource,
    Movers, MoversRequest, Page, SourceListRequest, ViewReader, load_contest_list,
    load_leaderboard, load_movers, load_source_list,
};

use crate::content::Content;
use crate::failure::Failure;
use crate::links::Links;
use crate::pages::format::{day, minute, plural};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{notes, run_text, search_form};
use crate::pages::request::PageRequest;
use crate::pages::tables::{ListTable, contests_table, movers_table, player_link};
use crate::parameters::{Parameters, parse_source};
use crate::paths::SourcePage;
use crate::views::statistics::recent_since;

/// The sources that are listed.
const SOURCES: SourceListRequest = SourceListRequest {
    as_of: None,
    page: Page {
        offset: 0,
        limit: 1_000,
    },
};

/// The rows of each list.
const ROWS: Page = Page {
    offset: 0,
    limit: 10,
};

/// The rows of each list of movers.
const MOVERS: usize = 5;

/// The days after which a source is overdue that is synced every week.
const OVERDUE_DAYS: i64 = 14;

/// Shows the home page.
pub(crate) fn show(request: &PageRequest<'_>) -> Result<Content, Failure> {
    let reader = request.reader;
    let links = request.links(None)?;
    let mut sources = load_source_list(reader.store, &SOURCES)?.rows;
    let source = match request.parameters.sources()?.into_iter().next() {
        Some(source) => Some(source),
        None => most_results(&sources)?,
    };
    if !links.are_live() {
        // A site has the pages of one source.
        let name = source.as_ref().map(SourceName::as_str);
        sources.retain(|listed| name == Some(&*listed.source.name));
    }
    let overview = source.map(|source| Overview::load(reader, source)).transpose()?;
    let name = overview.as_ref().map(|o| o.source.as_str());
    let contests: u64 = sources.iter().map(|listed| listed.source.contests).sum();
    let head = Head {
        title: match (name, &sources[..]) {
            (Some(name), [_]) => format!("Ratings of {name}"),
            _ => "Ratings".to_owned(),
        },
        description: format!(
            "Leaderboards, players and contests: {} of {}",
            plural(contests, "contest"),
            plural(sources.len() as u64, "source")
        ),
        source: name.map(str::to_owned),
        has_curve: false,
        data: links.data::<SourceListRequest>("/sources", &Parameters::default(), &[]),
        links: links.clone(),
    };
    let content = html! {
        h1 { "Ratings" }
        @if sources.is_empty() {
            p.message { "The database has no results yet. Import some with " code { "ranklore import" } "." }
        } @else {
            (sources_table(&sources, request.today, &links))
        }
        @if let Some(overview) = &overview { (overview.show(&links)) }
    };
    Ok(page(&head, &content).into())
}

/// True if so much time has passed since the last answer of a site that two weekly syncs are
/// missing. Without a day, as on a static site, nothing is overdue.
fn is_overdue(last_answer_at: Option<i64>, today: Option<i64>) -> bool {
    last_answer_at
        .zip(today)
        .is_some_and(|(at, today)| today - at / 86_400 > OVERDUE_DAYS)
}

/// Returns the source with the most results.
fn most_results(sources: &[ListedSource]) -> Result<Option<SourceName>, Failure> {
    let largest = sources.iter().rev().max_by_key(|listed| listed.source.results);
    largest.map(|listed| parse_source(&listed.source.name)).transpose()
}

fn sources_table(sources: &[ListedSource], today: Option<i64>, links: &Links) -> Markup {
    let link = |listed: &ListedSource| {
        let name = &listed.source.name;
        html! { a href=(links.home(Some(name))) { (name) } }
    };
    let last_sync = |listed: &ListedSource| {
        html! {
            @match &listed.last_sync {
                Some(sync) => { (minute(sync.finished_at.get())) ", " (sync.kind.as_str()) },
                None => "–",
            }
            @if is_overdue(listed.last_answer_at, today) { ", " strong { "overdue" } }
        }
    };
    let table = ListTable::new(ListedSource::columns())
        .with("source", link)
        .with("last_sync.kind", last_sync);
    table.show("Sources", sources)
}

/// The lists of one source.
struct Overview {
    source: SourceName,
    contests: ContestList,
    /// None if the source has no run.
    ratings: Option<Ratings>,
}

struct Ratings {
    board: Leaderboard,
    /// None without a rated contest.
    movers: Option<Movers>,
}

impl Overview {
    fn load(reader: ViewReader<'_>, source: SourceName) -> Result<Self, Failure> {
        let contests_request = ContestListRequest {
            page: ROWS,
            ..ContestListRequest::default()
        };
        let contests = load_contest_list(reader.store, &source, &contests_request)?;
        let board_request = LeaderboardRequest {
            page: ROWS,
            ..LeaderboardRequest::new(vec![source.clone()], RunChoice::default())
        };
        let ratings = match load_leaderboard(reader, &board_request) {
            Ok(board) => Some(Ratings {
                movers: load_recent_movers(reader.store, &source, &board)?,
                board,
            }),
            Err(ReplayError::NotRated { .. } | ReplayError::OnlyPartialRuns { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(Self {
            source,
            contests,
            ratings,
        })
    }

    fn show(&self, links: &Links) -> Markup {
        let source = self.source.as_str();
        let newest = format!("Newest contests of {source}");
        html! {
            h2 { bdi { (source) } }
            (search_form(links, source, None, &html! {}))
            @match &self.ratings {
                Some(ratings) => (ratings.show(source, links)),
                None => p.note role="note" { "This source is not rated yet: " code { "ranklore rate " (source) } },
            }
            @if self.contests.rows.is_empty() {
                p.message { "This source has no contests." }
            } @else {
                (contests_table(&newest, &self.contests, links))
                p { a href=(links.page(SourcePage::Contests, source)) { "All " (plural(self.contests.total as u64, "contest")) } }
            }
        }
    }
}

/// Loads the movers of the days before the newest contest of a run.
fn load_recent_movers(
    store: &Store,
    source: &SourceName,
    board: &Leaderboard,
) -> Result<Option<Movers>, Failure> {
    let Some(since) = recent_since(board.newest_contest_at) else {
        return Ok(None);
    };
    let request = MoversRequest {
        limit: MOVERS,
        ..MoversRequest::new(board.run.run_id.into(), since)
    };
    Ok(Some(load_movers(store, source, &request)?))
}

impl Ratings {
    fn show(&self, source: &str, links: &Links) -> Markup {
        let board = &self.board;
        let caption = format!("First {} of {source}", board.rows.len());
        let table = ListTable::new(board.columns())
            .with("name", |row| player_link(links, source, &row.competitor));
        html! {
            p { "Run " (run_text(&board.run)) ": " (plural(board.contests, "contest")) "." }
            (notes(board.stale, board.pseudonymised))
            @if board.rows.is_empty() {
                p.message { "No competitor is rated." }
            } @else {
                (table.show(&caption, &board.rows))
            }
            p { a href=(links.leaderboard(source)) { "Whole leaderboard: " (plural(board.total as u64, "competitor")) } }
            @if let Some(movers) = &self.movers {
                @if !movers.gains.is_empty() || !movers.losses.is_empty() {
                    @let [gains, losses, ..] = movers.lists();
                    h3 { "Largest movers since " (day(movers.since.get())) }
                    div.columns {
                        (movers_table("Gains", &gains, source, links))
                        (movers_table("Losses", &losses, source, links))
                    }
                    p { a href=(links.page(SourcePage::Movers, source)) { "All movers" } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_overdue_after_two_weeks() {
        let answered = Some(100 * 86_400 + 86_399);
        assert!(!is_overdue(answered, Some(114)));
        assert!(is_overdue(answered, Some(115)));
        assert!(!is_overdue(answered, None));
        assert!(!is_overdue(None, Some(1_000)));
    }
}
