//! Export helpers for the tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ranklore_contest::{
    Annotations, CompetitorFacts, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome,
    Place, ResultState, StartingRating, UnixSeconds,
};
use ranklore_formats::contest_json_with;
use ranklore_ingest::{ImportReport, import_documents};
use ranklore_publish::{
    Dataset, DatasetFormat, DatasetMetadata, Digest, Error, ExportNaming, ExportReport,
    ExportRequest, ExportSelection, NoExportProgress, RunMetadata, SourceMetadata, compute_digests,
    export, verify,
};
use ranklore_store::{NewRun, RatingRow, RunRow};
use ranklore_test_support::{World, at, contest_with_entrants, source};

fn now() -> UnixSeconds {
    at(1_800_000_000)
}

/// Imports into a world and exports from it.
pub(crate) trait Exports {
    /// Imports contests of a source, each as a file.
    fn import(&mut self, name: &str, contests: &[(Contest, Annotations)]) -> ImportReport;

    /// Imports every source of a dataset.
    fn import_dataset(&mut self, folder: &Path);

    /// Writes a run over a source, with ratings made up from `base`.
    fn write_run(&mut self, name: &str, system: &str, base: f64) -> RunRow;

    /// Returns the digest of a selection.
    fn identify(&self, selection: &ExportSelection) -> Digest;

    /// Exports into the folder named by `export`.
    fn export(&self, export: &ExportSpec) -> Result<ExportReport, Error>;

    /// Exports into another folder.
    fn export_to(&self, to: &Path, export: &ExportSpec) -> Result<ExportReport, Error>;

    /// Exports with progress.
    fn export_watched(
        &self,
        to: &Path,
        spec: &ExportSpec,
        watch: &dyn ranklore_publish::ExportProgress,
    ) -> Result<ExportReport, Error>;
}

impl Exports for World {
    fn import(&mut self, name: &str, contests: &[(Contest, Annotations)]) -> ImportReport {
        let documents = contests.iter().map(|(contest, annotations)| {
            let json = contest_json_with(contest, annotations);
            Ok((format!("{}.json", contest.external_id), json.into_bytes()))
        });
        let total = contests.len() as u64;
        let silent = &ranklore_replay::NoProgress;
        import_documents(&mut self.store, &source(name), &[], documents, total, now, silent)
            .unwrap()
    }

    fn import_dataset(&mut self, folder: &Path) {
        let dataset = Dataset::open(folder).unwrap();
        for source in &dataset.manifest().sources {
            let documents = dataset.documents(&source.name).unwrap();
            let documents = documents.map(|document| Ok(document.unwrap()));
            let silent = &ranklore_replay::NoProgress;
            let store = &mut self.store;
            let name = &source.name;
            let report = import_documents(
                store,
                name,
                &source.sites,
                documents,
                source.contests,
                now,
                silent,
            )
            .unwrap();
            assert_eq!(report.refused.len(), 0, "{:?}", report.refused);
            assert_eq!(report.contests.added, source.contests);
        }
    }

    fn write_run(&mut self, name: &str, system: &str, base: f64) -> RunRow {
        let source_id = self.store.source_id(&source(name)).unwrap().unwrap();
        let contests = self.store.contests_of_source(source_id).unwrap();
        let selection = format!(r#"{{"sources":["{name}"]}}"#);
        let mut rows = Vec::new();
        for contest in &contests {
            let standings = self.store.standing_details(contest.contest_id).unwrap();
            let ratings = standings.iter().enumerate().map(|(index, standing)| RatingRow {
                competitor_id: standing.competitor_id,
                mu: base - 7.25 * index as f64,
                sigma: 0.1 + index as f64,
                performance: (index % 2 == 0).then_some(1e-300),
                volatility: (index % 3 == 0).then_some(-0.0),
            });
            rows.push((contest.contest_id, ratings.collect::<Vec<_>>()));
        }
        let mut batch = self.store.batch().unwrap();
        let run = NewRun {
            system,
            parameters: r#"{"rho":1.0}"#,
            selection: &selection,
            engine: "1",
        };
        let run_id = batch.begin_run(&run, now()).unwrap();
        let mut writer = batch.rating_writer(run_id, rows.len());
        for (position, (contest, rows)) in rows.iter().enumerate() {
            writer.write_contest(position, *contest, &[1; 32], rows).unwrap();
        }
        writer.finish().unwrap();
        batch.finish_run(run_id, [2; 32]).unwrap();
        batch.commit().unwrap();
        let run = self.store.find_matching_run(system, r#"{"rho":1.0}"#, &selection);
        run.unwrap().unwrap()
    }

    fn identify(&self, selection: &ExportSelection) -> Digest {
        compute_digests(&self.store, selection, &NoExportProgress).unwrap().snapshot()
    }

    fn export(&self, export: &ExportSpec) -> Result<ExportReport, Error> {
        let to = self.path(export.to);
        self.export_to(&to, export)
    }

    fn export_to(&self, to: &Path, export: &ExportSpec) -> Result<ExportReport, Error> {
        self.export_watched(to, export, &NoExportProgress)
    }

    fn export_watched(
        &self,
        to: &Path,
        spec: &ExportSpec,
        watch: &dyn ranklore_publish::ExportProgress,
    ) -> Result<ExportReport, Error> {
        let request = ExportRequest {
            to,
            selection: spec.selection.clone(),
            formats: spec.formats.clone(),
            escape_formulas: spec.defuse,
            metadata: dataset_metadata(&spec.selection),
            baseline: spec.against.as_deref(),
        };
        export(&self.store, &request, watch)
    }
}

/// Parameters of an export.
#[derive(Clone)]
pub(crate) struct ExportSpec {
    pub(crate) to: &'static str,
    pub(crate) selection: ExportSelection,
    pub(crate) formats: Vec<DatasetFormat>,
    pub(crate) defuse: bool,
    pub(crate) against: Option<PathBuf>,
}

impl ExportSpec {
    /// Selects these sources under real names, in all formats.
    pub(crate) fn new(to: &'static str, sources: &[&str]) -> Self {
        Self {
            to,
            selection: select(sources, ExportNaming::Real),
            formats: DatasetFormat::ALL.to_vec(),
            defuse: false,
            against: None,
        }
    }

    pub(crate) fn with_names(mut self, naming: ExportNaming) -> Self {
        for (_, published_naming) in &mut self.selection.sources {
            *published_naming = naming;
        }
        self
    }

    pub(crate) fn with_runs(mut self, runs: &[RunRow]) -> Self {
        self.selection.runs = runs.to_vec();
        self
    }

    pub(crate) fn with_formats(mut self, formats: &[DatasetFormat]) -> Self {
        self.formats = formats.to_vec();
        self
    }
}

pub(crate) fn select(sources: &[&str], naming: ExportNaming) -> ExportSelection {
    ExportSelection {
        sources: sources.iter().map(|name| (source(name), naming)).collect(),
        since: None,
        runs: Vec::new(),
        by_year: false,
    }
}

fn dataset_metadata(selection: &ExportSelection) -> DatasetMetadata {
    let sources = selection.sources.iter();
    DatasetMetadata {
        title: "Invented results".to_owned(),
        version: "0.0.1".to_owned(),
        commit: None,
        sources: sources
            .map(|(name, _)| SourceMetadata {
                name: name.as_str().to_owned(),
                refused: vec![("99".to_owned(), Some("\"Bea Larkspur\" twice".to_owned()))],
                total_refused: 1,
                ..SourceMetadata::default()
            })
            .collect(),
        runs: selection
            .runs
            .iter()
            .map(|run| RunMetadata {
                system: run.system.clone(),
                parameters: run.parameters.clone(),
                selection: run.selection.clone(),
                engine: run.engine.clone(),
                stale: None,
            })
            .collect(),
    }
}

/// Returns a contest of persons by place; `None` did not finish.
pub(crate) fn contest(id: &str, ends_at: i64, standings: &[(&str, Option<u32>)]) -> Contest {
    let entrants = standings.iter().map(|(competitor, place)| {
        let outcome = place.map_or(EntrantOutcome::DidNotFinish, |place| {
            EntrantOutcome::Finished(Place::new(place).unwrap())
        });
        Entrant::person(*competitor, outcome)
    });
    Contest {
        name: format!("Lantern Round {id}"),
        url: Some(format!("https://lantern.example/{id}")),
        starts_at: ContestTime::new(ends_at - 7200),
        ..contest_with_entrants(id, ends_at, entrants.collect())
    }
}

pub(crate) fn competitor_facts(kind: EntrantKind, id: &str) -> CompetitorFacts {
    CompetitorFacts {
        kind,
        competitor: id.to_owned(),
        name: None,
        start: None,
        merged_into: None,
    }
}

/// The sources of [`sample_world`].
pub(crate) const SOURCES: [&str; 2] = ["gulls", "lantern"];

/// Returns contests of two sources with ties, an unfinished result, couples with members, display
/// names, starting ratings and merges.
pub(crate) fn contests() -> BTreeMap<&'static str, Vec<(Contest, Annotations)>> {
    let person = |competitor: &str, name: &str| CompetitorFacts {
        name: Some(name.to_owned()),
        ..competitor_facts(EntrantKind::Person, competitor)
    };
    let mut first = contest(
        "9",
        1_600_000_000,
        &[
            ("larkspur7", Some(1)),
            ("mossfinch", Some(2)),
            ("tern", Some(2)),
            ("owl", None),
        ],
    );
    for (entrant, score) in first.entrants.iter_mut().zip([4306.5, 17.0, 17.0]) {
        entrant.score = Some(score);
        entrant.penalty = Some(score / 3.0);
    }
    let competitors = vec![
        person("larkspur7", "Bea Larkspur"),
        CompetitorFacts {
            start: Some(StartingRating {
                mu: 1620.5,
                sigma: Some(80.0),
            }),
            ..person("tern", "=Terry; \"Tern\"")
        },
        CompetitorFacts {
            merged_into: Some("wren".to_owned()),
            ..competitor_facts(EntrantKind::Person, "owl")
        },
        person("wren", "Wren Owlett"),
    ];
    let annotations = Annotations {
        competitors,
        ..Annotations::default()
    };
    let mut second = contest("10", 1_640_000_000, &[("mossfinch", Some(1)), ("owl", Some(2))]);
    second.event = Some("Harbour Cup".to_owned());
    second.division = Some("Div. 1".to_owned());
    second.ordinal = Some(2);
    second.performance_ceiling = Some(2100.0);
    second.site_weight = Some(24.5);
    let mut third = contest("x", 1_640_000_000, &[("larkspur7", Some(1)), ("tern", Some(2))]);
    third.weight = 0.5;
    let mut couples =
        contest("7", 1_650_000_000, &[("Dot & Ida", Some(1)), ("Eve & Fay", Some(2))]);
    for (entrant, members) in couples.entrants.iter_mut().zip([["Dot", "Ida"], ["Eve", "Fay"]]) {
        entrant.kind = EntrantKind::Couple;
        entrant.members = members.map(str::to_owned).to_vec();
    }
    let unrated = Annotations {
        state: ResultState::Unrated,
        rated: false,
        competitors: Vec::new(),
    };
    let provisional = Annotations {
        state: ResultState::Provisional,
        ..Annotations::default()
    };
    BTreeMap::from([
        ("gulls", vec![(couples, provisional)]),
        (
            "lantern",
            vec![
                (first, annotations),
                (second, Annotations::default()),
                (third, unrated),
            ],
        ),
    ])
}

/// Returns a database of [`contests`].
pub(crate) fn sample_world() -> World {
    let mut world = World::new();
    for (name, contests) in contests() {
        let report = world.import(name, &contests);
        assert_eq!(report.refused.len(), 0, "{:?}", report.refused);
    }
    world
}

/// Returns a database of [`contests`] with two runs, and its dataset in these formats.
pub(crate) fn exported_sample(formats: &[DatasetFormat]) -> (World, PathBuf) {
    let mut world = sample_world();
    let runs = [
        world.write_run("gulls", "elo", 1500.0),
        world.write_run("lantern", "glicko", 1700.0),
    ];
    let export = ExportSpec::new("out", &SOURCES).with_formats(formats).with_runs(&runs);
    world.export(&export).unwrap();
    let folder = world.path("out");
    assert_eq!(problems(&folder), Vec::<String>::new());
    (world, folder)
}

pub(crate) fn problems(folder: &Path) -> Vec<String> {
    verify(folder, &NoExportProgress).unwrap().problems
}

/// Returns every file below a folder by path.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn add(root: &Path, folder: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(root, &path, into);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap();
                into.insert(name.to_owned(), std::fs::read(&path).unwrap());
            }
        }
    }
    let mut files = BTreeMap::new();
    add(folder, folder, &mut files);
    files
}
