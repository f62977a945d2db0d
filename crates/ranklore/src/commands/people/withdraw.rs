//! `ranklore withdraw`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_store::{Decision, DecisionAction};

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
        let action = if self.undo {
            DecisionAction::Restore
        } else {
            DecisionAction::Withdraw
        };
        let request = Decision::new(action, self.contest);
        apply_decision(global, &self.source, request, self.note.as_deref())
    }
}
