//! The tables of a competitor: contests, games, runs, and the numbers beside those of others.

use maud::{Markup, html};
use ranklore_views::{List as _, PlayerContest, PlayerGames, RunStanding};

use crate::pages::format::{count, name, plural, points};
use crate::pages::player::PlayerPage;
use crate::pages::tables::{ListTable, player_link, rating, table};
use crate::parameters::link;

impl PlayerPage<'_> {
    pub(super) fn comparison_table(&self) -> Markup {
        let decimals = self.view.display.decimals;
        let head = html! {
            th scope="col" { "Name" }
            @for heading in ["Place", "Rating", "Sigma", "Contests", "Highest mu"] {
                th.number scope="col" { (heading) }
            }
        };
        let rows = html! {
            @for player in self.views() {
                tr {
                    th scope="row" { (player_link(&self.paging.links, self.source, &player.competitor)) }
                    @match &player.standing {
                        Some(standing) => {
                            td.number { @if standing.active { (standing.row.place) } @else { "inactive" } }
                            td.number { (rating(&player.display, standing.row.rating, standing.row.provisional)) }
                            td.number { (points(standing.row.sigma, decimals)) }
                            td.number { (count(standing.row.contests)) }
                            td.number { (points(standing.row.peak_mu, decimals)) }
                        },
                        None => td colspan="5" { "not rated" },
                    }
                }
            }
        };
        html! {
            (table("Compared competitors", &head, &rows))
            p { a href=(self.paging.parameters.link(&self.paging.path, &[("with", "")])) { "Show one only" } }
        }
    }

    pub(super) fn history(&self) -> Markup {
        let view = self.view;
        if view.history.is_empty() {
            let text = match view.team_contests {
                0 => "No contests by then.".to_owned(),
                contests => format!(
                    "{} in teams; this run rates teams, not their members.",
                    plural(contests as u64, "contest")
                ),
            };
            return html! { p.message { (text) } };
        }
        let table = ListTable::new(view.columns())
            .with("name", |row| self.contest_link(row))
            .with("remark", |row| self.remark(row));
        html! {
            h2 { "Contests" }
            (table.show_below_heading("Contests, the newest first", &view.rows))
            (self.paging.links())
        }
    }

    /// Returns the reason that a contest is not rated, the account if it is a merged one, and the
    /// team.
    fn remark(&self, appearance: &PlayerContest) -> Markup {
        html! {
            @if let Some(reason) = appearance.unrated { span.same { (reason.as_str()) } " " }
            @if appearance.account.competitor_id != self.view.competitor.competitor_id { "as " (name(&appearance.account.external_id)) " " }
            @if let Some(team) = &appearance.team { "in " (player_link(&self.paging.links, self.source, team)) }
        }
    }

    pub(super) fn games(&self, games: &PlayerGames) -> Markup {
        let record = &games.record;
        let table = ListTable::new(games.columns())
            .with("name", |row| player_link(&self.paging.links, self.source, &row.opponent));
        html! {
            h2 { "Games" }
            p {
                (plural(record.games, "game")) ": " (count(record.won)) " won, " (count(record.drawn)) " drawn, "
                (count(record.lost)) " lost."
            }
            @if !games.opponents.is_empty() { (table.show("Most frequent opponents", &games.opponents)) }
        }
    }

    pub(super) fn runs(&self) -> Markup {
        let view = self.view;
        if view.runs.is_empty() {
            return html! {};
        }
        let caption = "Ratings in all runs";
        let run = |row: &RunStanding| {
            let run = row.run.run_id;
            let text = html! { (run) " by " bdi { (row.run.system) } };
            html! {
                @if run == view.run.run_id { (text) " (shown)" }
                @else if self.paging.links.are_live() {
                    a href=(link(&self.paging.path, [("run", &*run.to_string())])) { (text) }
                } @else { (text) }
            }
        };
        let table = ListTable::new(view.runs.columns()).with("run_id", run);
        html! {
            h2 { (caption) }
            (table.show_below_heading(caption, &view.runs))
        }
    }
}
