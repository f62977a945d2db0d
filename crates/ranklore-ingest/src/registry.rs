//! The list of supported sites.

use ranklore_source::{Registration, Source};
use ranklore_store::{SourceId, Store};

use crate::error::Error;

/// The supported sites, ordered by name.
pub static SITES: &[&Registration] = &[
    &ranklore_atcoder::REGISTRATION,
    &ranklore_codeforces::REGISTRATION,
    &ranklore_ctftime::REGISTRATION,
    &ranklore_o2cm::REGISTRATION,
    &ranklore_racetime::REGISTRATION,
    &ranklore_reddit::REGISTRATION,
    &ranklore_topcoder::REGISTRATION,
];

/// The site whose layout the bundled demo site has.
pub static DEMO: &Registration = &ranklore_codeforces::REGISTRATION;

/// Returns the site with this name, if it is supported.
#[must_use]
pub fn find_site(name: &str) -> Option<&'static Registration> {
    let mut sites = SITES.iter().copied();
    sites.find(|site| site.profile.name == name)
}

/// Opens the source of a site with all optional requests in the archive; `None` for an unknown
/// site.
pub(crate) fn archived_site(
    name: &str,
    store: &Store,
    source_id: SourceId,
) -> Result<Option<Box<dyn Source>>, Error> {
    let Some(site) = find_site(name) else {
        return Ok(None);
    };
    Ok(Some((site.open_archive)(&store.request_keys(source_id)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_names_are_sorted_and_unique() {
        let names: Vec<&str> = SITES.iter().map(|site| site.profile.name).collect();
        assert!(names.is_sorted_by(|one, next| one < next), "{names:?}");
    }
}
