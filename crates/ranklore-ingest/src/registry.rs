//! The sites that can be mined: one line each.

use ranklore_source::{Registration, Source};
use ranklore_store::{SourceId, Store};

use crate::error::Error;

/// The sites that can be mined, in the order of their names.
pub static SITES: &[&Registration] = &[
    &ranklore_codeforces::REGISTRATION,
    &ranklore_ctftime::REGISTRATION,
    &ranklore_o2cm::REGISTRATION,
    &ranklore_reddit::REGISTRATION,
    &ranklore_topcoder::REGISTRATION,
];

/// The site whose form the bundled site of the demo answers in.
pub static DEMO: &Registration = &ranklore_codeforces::REGISTRATION;

/// Returns the site of this name, if there is a reader for it.
#[must_use]
pub fn find_site(name: &str) -> Option<&'static Registration> {
    let mut sites = SITES.iter().copied();
    sites.find(|site| site.profile.name == name)
}

/// Opens the reader of everything that was ever asked of a site, by the archive, if there is one.
pub(crate) fn archived_site(
    name: &str,
    store: &Store,
    source_id: SourceId,
) -> Result<Option<Box<dyn Source>>, Error> {
    let Some(site) = find_site(name) else {
        return Ok(None);
    };
    Ok(Some((site.of_archive)(&store.request_keys(source_id)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_unique() {
        let names: Vec<&str> = SITES.iter().map(|site| site.profile.name).collect();
        assert!(names.is_sorted_by(|one, next| one < next), "{names:?}");
    }
}
