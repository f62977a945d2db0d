#![doc = include_str!("../README.md")]

mod ahead;
mod derive;
mod error;
mod import;
mod jobs;
mod log;
mod mine;
mod note;
mod people;
mod registry;

pub use error::Error;
pub use import::dataset::{
    DatasetError, DatasetReport, import_dataset, open_dataset, preview_dataset, rate_dataset,
};
pub use import::documents::{ImportRequest, check_paths, import, import_documents};
pub use import::dump::{DumpPreview, DumpReport, DumpRequest, check_dump, mine_dump, preview_dump};
pub use import::intake::{ContestCounts, DocumentLayout, DocumentWarning, ImportReport};
pub use import::preview::{Preview, PreviewedContest, preview};
pub use jobs::forget::{
    ForgetReport, UnreadableDocument, finish_forgetting, forget, unfinished, would_forget,
};
pub use jobs::prune::{PruneRequest, Pruned, prunable, prune};
pub use jobs::publishing::Publishing;
pub use jobs::rebuild::{EmptiedRun, MisfitDecision, RebuildReport, RebuiltSource, rebuild};
pub use jobs::status::{
    HostStatus, RefusedItem, RunState, RunStatus, SourceStatus, Status, run_state, status,
};
pub use mine::credentials::{CredentialsError, credentials};
pub use mine::plan::{MinePlan, MineRequest, mine, plan, was_listed};
pub use mine::probe::{
    MAX_PROBE_REQUESTS, ProbeReport, ProbeTotals, ProbedDocument, UnknownLayout, probe,
};
pub use mine::report::{IncompleteContest, MineReport, MinedContests, Stopped};
pub use people::decide::{Decided, Wish, decide};
pub use ranklore_fetch::{Credentials, InvalidCredentials};
pub use ranklore_reddit::{Counts as DumpCounts, DumpError, DumpOptions};
pub use ranklore_source::assemble::Refusal;
pub use ranklore_source::{
    InPart, InvalidOption, Names, OptionKind, OptionValues, Profile, Registration, Request, Source,
    SourceOption, Terms,
};
pub use registry::{DEMO, SITES, find_site};
