//! `ranklore withdraw`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::DecisionRequest;

use super::competitor::carry_out;
use crate::exit::Exit;
use crate::{Global, words};

/// Exclude a contest from rating, or include it again
///
/// The contest and its results stay stored. Importing it again does not include it; --undo does.
#[derive(Debug, Args)]
pub(crate) struct Withdraw {
    /// Source of the contest
    #[arg(value_name = "SOURCE", value_parser = words::source)]
    source: SourceName,
    /// Contest id or exact name
    #[arg(value_name = "CONTEST")]
    contest: String,
    /// Include the contest again
    #[arg(long)]
    undo: bool,
    /// Reason, stored with the decision
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Withdraw {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let contest = self.contest;
        let wish = if self.undo {
            DecisionRequest::Restore { contest }
        } else {
            DecisionRequest::Withdraw { contest }
        };
        carry_out(global, &self.source, &wish, None, self.note.as_deref())
    }
}
