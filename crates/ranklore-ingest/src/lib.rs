#![doc = include_str!("../README.md")]

mod derive;
mod error;
mod import;
mod jobs;
mod log;
mod mine;
mod people;
mod pipeline;
mod reading_note;
mod registry;

pub use error::Error;
pub use import::dataset::{
    DatasetReport, import_dataset, open_dataset, preview_dataset, rate_dataset,
};
pub use import::dataset_error::DatasetError;
pub use import::dates::assumed_start::{AssumedStart, assume_start};
pub use import::dates::time_bound::TimeBound;
pub use import::documents::{ImportRequest, check_paths, import, import_documents};
pub use import::dump::{DumpPreview, DumpReport, DumpRequest, check_dump, mine_dump, preview_dump};
pub use import::file_names::StatedFormat;
pub use import::files::ImportInputs;
pub use import::preview::{Preview, PreviewedContest, preview};
pub use import::report::{
    ContestCounts, DocumentContest, DocumentLayout, DocumentWarning, ImportReport,
};
pub use jobs::affected_runs::{EmptiedReason, EmptiedRun};
pub use jobs::decisions::{DecisionReport, decide};
pub use jobs::forget::{count_unfinished_forgets, finish_forgetting, forget, preview_forget};
pub use jobs::forget_plan::{ForgetReport, UnreadableDocument};
pub use jobs::prune::{PruneReport, PruneRequest, preview_prune, prune};
pub use jobs::publication::PublicationInfo;
pub use jobs::rebuild::{MisfitDecision, RebuildReport, RebuiltSource, rebuild};
pub use jobs::removal::{RemovalReport, remove_source};
pub use jobs::status::{
    DatabaseStatus, HostStatus, RefusedItem, RunState, RunStatus, SourceStatus, run_state, status,
};
pub use jobs::undo::{UndoReport, UndoRequest, undo_import};
pub use mine::answers::credentials::{CredentialsError, load_cookie, load_credentials};
pub use mine::plan::{MinePlan, has_listed_contests, plan};
pub use mine::probe::{
    MAX_PROBE_REQUESTS, ProbeReport, ProbeTotals, ProbedDocument, UnknownLayout, probe,
};
pub use mine::report::{IncompleteContest, MineReport, MinedContests, StopReason};
pub use mine::request::MineRequest;
pub use mine::sync::mine;
pub use ranklore_fetch::{Credentials, InvalidCredentials, SessionCookie};
pub use ranklore_reddit::{DumpCounts, DumpError, DumpOptions};
pub use ranklore_source::assemble::RefusedInput;
pub use ranklore_source::{
    InvalidOption, NameDisplay, OptionKind, OptionValues, PartialWording, Profile, Registration,
    Request, Source, SourceOption, Terms,
};
pub use registry::{DEMO, SITES, find_site};
