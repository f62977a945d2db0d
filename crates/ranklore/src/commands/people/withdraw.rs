//! `ranklore withdraw`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_ingest::Wish;

use super::competitor::carry_out;
use crate::exit::Exit;
use crate::{Global, words};

/// Take a contest out of rating, or put it back.
///
/// The contest stays on record with its results. Importing it again does not bring it back;
/// --undo does.
#[derive(Debug, Args)]
pub(crate) struct Withdraw {
    /// Of which source
    #[arg(value_name = "SOURCE", value_parser = words::source)]
    source: SourceName,
    /// Its id, or its name as it is written
    #[arg(value_name = "CONTEST")]
    contest: String,
    /// Rate it again
    #[arg(long)]
    undo: bool,
    /// Why: kept with the decision
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Withdraw {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let contest = self.contest;
        let wish = if self.undo {
            Wish::Restore { contest }
        } else {
            Wish::Withdraw { contest }
        };
        carry_out(global, &self.source, &wish, None, self.note.as_deref())
    }
}
