//! Confirmation of changes that cannot be undone.

use std::io::{IsTerminal as _, stdin};

use anyhow::bail;

use crate::exit::WrongUsage;
use crate::output::print_question;

/// Asks the user whether to make a change, which is described as `removes club (2 contests)`. Errors if
/// nobody can answer.
pub(super) fn confirm(change: &str) -> anyhow::Result<bool> {
    if !stdin().is_terminal() {
        bail!(WrongUsage(format!("this {change} and cannot be undone; confirm it with --yes")));
    }
    print_question(&format!("This {change} and cannot be undone. Type yes to confirm:"));
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "yes"))
}
