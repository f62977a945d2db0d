//! The leaderboard of a run.

use std::collections::HashMap;

use maud::{Markup, html};
use ranklore_replay::RunSelection;
use ranklore_store::{CompetitorId, RunRow, Store};
use ranklore_views::{
    CellValue, CompetitorLabel, Extent, Leaderboard, LeaderboardOrder, LeaderboardRequest,
    LeaderboardRow, List as _,
};

use crate::content::Content;
use crate::failure::Failure;
use crate::pages::format::{count, day, plural, short};
use crate::pages::layout::{Head, page};
use crate::pages::parts::{
    Paging, PlaceBand, choice_field, field, hidden_fields, notes, run_field, run_text, runs_over,
    search_form,
};
use crate::pages::request::PageRequest;
use crate::pages::tables::{ListTable, player_link};
use crate::paths::LEADERBOARD;
use crate::views;

/// The rows of the CSV that the page links to.
const CSV_ROWS: &str = "1000";

/// Shows a page of a leaderboard.
pub(crate) fn show(request: &PageRequest<'_>) -> Result<Content, Failure> {
    let reader = request.reader;
    let parameters = request.parameters;
    let board = views::leaderboard(reader, parameters, request.rows())?;
    let selection = RunSelection::from_canonical_json(&board.run.selection);
    let sources: Vec<String> = selection.sources.iter().map(ToString::to_string).collect();
    let sources_of_rows = SourcesOfRows::load(reader.store, &board, &sources)?;
    let board_page = LeaderboardPage {
        runs: runs_over(reader.store, &sources)?,
        paging: request.paging(
            LEADERBOARD.to_owned(),
            Some(&board.run),
            Extent::new(board.offset, board.rows.len(), board.total),
        )?,
        sources: sources.join(", "),
        source: sources.first().cloned().unwrap_or_default(),
        inactive: parameters.text("inactive")? == Some("true"),
        as_of: parameters.text("as-of")?,
        board: &board,
    };
    let html = board_page.show(&|competitor| sources_of_rows.name(competitor));
    Ok(Content::from(html).with_next(board_page.paging.extent.next_offset()))
}

/// The sources of the competitors of a page, as a run can have several.
struct SourcesOfRows<'s> {
    usual: &'s str,
    sources_by_id: HashMap<CompetitorId, String>,
}

impl<'s> SourcesOfRows<'s> {
    fn load(store: &Store, board: &Leaderboard, sources: &'s [String]) -> Result<Self, Failure> {
        let mut sources_by_id = HashMap::new();
        if sources.len() > 1 {
            let names = store.source_names()?;
            let ids = board.rows.iter().map(|row| row.competitor.competitor_id);
            for row in store.competitors_by_id(ids)? {
                let name = names.get(&row.source_id).cloned().unwrap_or_default();
                sources_by_id.insert(row.competitor_id, name);
            }
        }
        Ok(Self {
            usual: sources.first().map_or("", |source| source),
            sources_by_id,
        })
    }

    fn name(&self, competitor: &CompetitorLabel) -> String {
        let other = self.sources_by_id.get(&competitor.competitor_id);
        other.map_or(self.usual, |source| source).to_owned()
    }
}

struct LeaderboardPage<'v> {
    board: &'v Leaderboard,
    paging: Paging<'v>,
    runs: Vec<RunRow>,
    /// All sources of the run.
    sources: String,
    /// The first of them.
    source: String,
    inactive: bool,
    as_of: Option<&'v str>,
}

impl LeaderboardPage<'_> {
    fn show(&self, source: &dyn Fn(&CompetitorLabel) -> String) -> Markup {
        let board = self.board;
        let caption = match (self.inactive, self.as_of) {
            (true, _) => "Inactive competitors".to_owned(),
            (false, Some(as_of)) => format!("Competitors as of {}", short(as_of)),
            (false, None) => "Competitors".to_owned(),
        };
        let content = html! {
            h1 { "Leaderboard of " bdi { (self.sources) } }
            (self.summary())
            (notes(board.stale, board.pseudonymised))
            (self.search())
            @if self.paging.links.are_live() { (self.filters()) }
            @if board.rows.is_empty() {
                p.message { (self.empty_text()) }
            } @else {
                (PlaceBand::legend())
                (self.table(source).show(&caption, &board.rows))
            }
            (self.paging.links())
            @if let Some(csv) = self.csv_link() { p { a href=(csv) { "These rows as CSV" } } }
        };
        page(&self.head(), &content)
    }

    fn table<'t>(
        &'t self,
        source: &'t dyn Fn(&CompetitorLabel) -> String,
    ) -> ListTable<'t, LeaderboardRow> {
        let board = self.board;
        let competitors = if self.inactive {
            board.inactive
        } else {
            board.active
        };
        let established = competitors.saturating_sub(board.provisional);
        let columns = board.columns().left("band", |_| CellValue::Empty).before("name");
        ListTable::new(columns)
            .with("band", move |row| {
                let band = PlaceBand::from_place(row.standing.place, established);
                PlaceBand::cell(band.filter(|_| !row.standing.provisional))
            })
            .with("name", |row| {
                player_link(&self.paging.links, &source(&row.competitor), &row.competitor)
            })
    }

    fn head(&self) -> Head {
        let board = self.board;
        let first = board.rows.first().filter(|_| board.offset == 0);
        let leader = first
            .map(|row| format!(", led by {}", short(&row.competitor.name)))
            .unwrap_or_default();
        Head {
            title: format!("Leaderboard of {}", self.sources),
            description: format!(
                "{} of {} rated by {}{leader}",
                plural(board.active as u64, "active competitor"),
                self.sources,
                board.run.system
            ),
            data: self.data_link(&[]),
            ..Head::new(&self.source, &self.paging.links)
        }
    }

    fn summary(&self) -> Markup {
        let board = self.board;
        html! {
            p {
                "Run " (run_text(&board.run)) ": " (plural(board.contests, "contest"))
                @match board.newest_contest_at {
                    Some(at) => { ", the newest on " (day(at)) "; " },
                    None => ", none by then; ",
                }
                "ordered by " (describe_order(board)) ". "
                (count(board.active as u64)) " active, " (count(board.inactive as u64)) " inactive, "
                (count(board.provisional as u64)) " provisional."
            }
        }
    }

    fn empty_text(&self) -> &'static str {
        match (self.board.offset, self.inactive) {
            (0, true) => "No competitor is inactive.",
            (0, false) => "No competitor fits these filters.",
            _ => "The list ends before this page.",
        }
    }

    fn search(&self) -> Markup {
        let run = html! { input type="hidden" name="run" value=(self.paging.links.run()); };
        search_form(&self.paging.links, &self.source, None, &run)
    }

    fn filters(&self) -> Markup {
        let parameters = self.paging.parameters;
        let min_contests = parameters.all("min-contests").next();
        let provisional = parameters.all("provisional").next();
        let inactive = if self.inactive { "true" } else { "" };
        let activity = [("", "Active"), ("true", "Inactive")];
        let placement = [
            ("", "Listed last"),
            ("mix", "Among the others"),
            ("exclude", "Hidden"),
            ("only", "Alone"),
        ];
        // A time of day does not fit a field for days.
        let day = self.as_of.filter(|text| text.len() == "2024-01-31".len());
        html! {
            form.filters action=(self.paging.links.form(LEADERBOARD)) {
                (hidden_fields(parameters, &["sort", "reverse", "since", "k", "inactive-after", "as-stored", "limit"]))
                (run_field(&self.runs, &self.board.run))
                (field("as-of", "At the end of", "date", day))
                (field("min-contests", "Contests, at least", "number", min_contests))
                (choice_field("inactive", "Activity", &activity, Some(inactive)))
                (choice_field("provisional", "Provisional", &placement, provisional.or(Some(""))))
                button { "Apply" }
            }
        }
    }

    fn csv_link(&self) -> Option<String> {
        self.data_link(&[("format", "csv"), ("limit", CSV_ROWS)])
    }

    /// Returns the path of the API for these rows.
    fn data_link(&self, changes: &[(&str, &str)]) -> Option<String> {
        let run_id = self.board.run.run_id.to_string();
        // The number of a run names its sources.
        let run = [("source", ""), ("run", &*run_id), ("system", "")];
        let changes = [&run[..], changes].concat();
        let links = &self.paging.links;
        links.data::<LeaderboardRequest>(LEADERBOARD, self.paging.parameters, &changes)
    }
}

/// Describes the number that orders the list.
pub(crate) fn describe_order(board: &Leaderboard) -> String {
    let order = match board.sort {
        LeaderboardOrder::Conservative => {
            format!("conservative rating = mu − {}·sigma", board.k)
        }
        LeaderboardOrder::Rating => "rating".to_owned(),
        LeaderboardOrder::Peak => "highest mu".to_owned(),
        LeaderboardOrder::Change => "change by the last contest".to_owned(),
        LeaderboardOrder::Since => "change since the given day".to_owned(),
        LeaderboardOrder::Last => "last contest".to_owned(),
        order => order.as_str().to_owned(),
    };
    if board.reverse {
        order + ", lowest first"
    } else {
        order
    }
}
