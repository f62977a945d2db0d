//! `ranklore withdraw`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::DecisionRequest;

use super::competitor::apply_decision;
use crate::exit::Exit;
use crate::{GlobalArgs, values};

/// Exclude a contest from rating, or include it again
///
/// The contest and its results stay stored. Importing it again does not include it; --undo does.
#[derive(Debug, Args)]
pub(crate) struct WithdrawArgs {
    /// Source of the contest
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
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

impl WithdrawArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let contest = self.contest;
        let request = if self.undo {
            DecisionRequest::Restore { contest }
        } else {
            DecisionRequest::Withdraw { contest }
        };
        apply_decision(global, &self.source, &request, None, self.note.as_deref())
    }
}
