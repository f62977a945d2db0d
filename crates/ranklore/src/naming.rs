//! Real names or pseudonyms in views.

use clap::Args;
use ranklore_views::NamesPolicy;

use crate::output::print_note;

/// The option to show names that are not to be published.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct NamingArgs {
    /// Show real names in place of the pseudonyms that the terms of a site (o2cm) require
    #[arg(long, alias = "names")]
    pub(crate) real_names: bool,
}

impl NamingArgs {
    pub(crate) const fn policy(self) -> NamesPolicy {
        if self.real_names {
            NamesPolicy::AsStored
        } else {
            NamesPolicy::Publishable
        }
    }
}

/// Prints a note if a view has pseudonyms in place of names.
pub(crate) fn note_pseudonyms(pseudonymised: bool) {
    if pseudonymised {
        print_note(
            "names are pseudonyms, as the terms of the site require; --real-names shows real names",
        );
    }
}
