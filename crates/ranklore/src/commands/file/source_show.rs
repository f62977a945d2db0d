//! `ranklore source show`

use anyhow::Context;
use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::PublicationInfo;
use ranklore_replay::{RunSelection, find_source};
use ranklore_store::{RunId, RunRow, SourceSettings, Store};
use ranklore_views::{CellValue, Columns, ListedSource, format_sync};
use serde::Serialize;

use super::sources::day_or_dash;
use crate::commands::source_argument::resolve_source;
use crate::exit::Exit;
use crate::output::{format_count, or_dash, print_facts, print_line, print_table};
use crate::run_choice::describe_run;
use crate::{GlobalArgs, values};

/// Show a source: counts, settings, runs, last sync, terms
#[derive(Debug, Args)]
pub(crate) struct SourceShowArgs {
    /// Source to show [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
}

/// A source with its settings and runs.
#[derive(Serialize)]
struct SourceView {
    /// The source and its counts.
    #[serde(flatten)]
    listed_source: ListedSource,
    /// The rule for provisional ratings that the user set.
    provisional_contests: Option<i64>,
    /// The largest sigma of an established rating, if the user set one.
    provisional_sigma: Option<f64>,
    /// True if people are shown under pseudonyms.
    pseudonyms: bool,
    /// The sites that its results are from.
    sites: Vec<SiteTerms>,
    /// The runs over it, oldest first.
    all_runs: Vec<RunOfSource>,
}

/// The columns of CSV after those of the list of sources. The sites and runs, of which there may be
/// several, are in JSON.
const LAST_COLUMNS: [&str; 3] = ["provisional_contests", "provisional_sigma", "pseudonyms"];

/// The terms of a site.
#[derive(Serialize)]
struct SiteTerms {
    site: String,
    /// The words with which published results name the site.
    attribution: &'static str,
    /// True if the terms allow publishing results.
    may_publish: bool,
}

/// A run over the source.
#[derive(Serialize)]
struct RunOfSource(#[serde(with = "RunKeys")] RunRow);

/// The keys of a run over the source.
#[derive(Serialize)]
#[serde(remote = "RunRow")]
struct RunKeys {
    run_id: RunId,
    #[serde(rename = "run_name")]
    name: Option<String>,
    system: String,
    contests: u64,
    results: u64,
    rated_at: i64,
}

impl SourceShowArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        let snapshot = store.snapshot()?;
        let source = resolve_source(&store, self.source, None)?;
        let view = SourceView::load(&store, &source)?;
        drop(snapshot);
        let columns = [&ListedSource::columns().keys()[..], &LAST_COLUMNS].concat();
        global.print_rows(&view, &[&view], &columns, || view.print())
    }
}

impl SourceView {
    fn load(store: &Store, source: &SourceName) -> anyhow::Result<Self> {
        let source_id = find_source(store, source)?;
        let mut rows = store.sources()?.into_iter();
        let row = rows
            .find(|row| row.source_id == source_id)
            .with_context(|| format!("{source} was removed"))?;
        let mut runs = store.runs()?;
        let listed_source = ListedSource::load(store, row, &runs)?;
        runs.retain(|run| {
            let selection = RunSelection::from_canonical_json(&run.selection);
            selection.sources.contains(source)
        });
        let SourceSettings {
            provisional_contests,
            provisional_sigma,
            ..
        } = store.source_settings(source_id)?;
        let publishing = PublicationInfo::load(store, source)?;
        let sites = publishing.sites.into_iter().map(|(site, terms)| SiteTerms {
            site,
            attribution: terms.attribution,
            may_publish: terms.may_publish,
        });
        Ok(Self {
            listed_source,
            provisional_contests,
            provisional_sigma,
            pseudonyms: publishing.pseudonyms,
            sites: sites.collect(),
            all_runs: runs.into_iter().map(RunOfSource).collect(),
        })
    }

    fn print(&self) -> std::io::Result<()> {
        let ListedSource {
            source,
            default_system,
            last_sync,
            ..
        } = &self.listed_source;
        print_line(&source.name)?;
        let provisional = match (self.provisional_contests, self.provisional_sigma) {
            (Some(contests), _) => format!("after fewer than {contests} contests"),
            (None, Some(sigma)) => format!("with a sigma above {sigma}"),
            (None, None) => "by the rule of the system".to_owned(),
        };
        let names = if self.pseudonyms {
            "pseudonyms"
        } else {
            "real"
        };
        let mut facts = vec![
            ("contests", format_count(source.contests)),
            ("results", format_count(source.results)),
            ("competitors", format_count(source.competitors)),
            ("documents", format_count(source.documents)),
            ("from", day_or_dash(source.first_ends_at)),
            ("to", day_or_dash(source.last_ends_at)),
            ("last sync", or_dash(last_sync.as_ref().map(format_sync))),
            ("default system", (*default_system).to_owned()),
            ("provisional", provisional),
            ("names", names.to_owned()),
        ];
        for terms in &self.sites {
            let permission = if terms.may_publish {
                "may be published"
            } else {
                "not to be published"
            };
            let attribution = terms.attribution;
            let text = format!("{}: {attribution}; results {permission}", terms.site);
            facts.push(("site", text));
        }
        print_facts(&facts)?;
        if self.all_runs.is_empty() {
            return Ok(());
        }
        print_line("")?;
        let columns = Columns::new()
            .left("run", |RunOfSource(run)| describe_run(run))
            .right("contests", |RunOfSource(run)| format_count(run.contests))
            .right("results", |RunOfSource(run)| format_count(run.results))
            .left("rated", |RunOfSource(run)| CellValue::Day(run.rated_at));
        print_table(columns, &self.all_runs)
    }
}
