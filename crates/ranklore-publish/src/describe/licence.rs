//! Known licences and their identifiers elsewhere.

use crate::describe::SourceMetadata;

/// A well-known licence.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Licence {
    /// The identifier in the SPDX list.
    pub(super) spdx: &'static str,
    /// The identifier on the Hugging Face hub.
    pub(super) hugging_face_id: &'static str,
    /// The URL of its text.
    pub(super) url: &'static str,
}

const fn licence(spdx: &'static str, hugging_face_id: &'static str, url: &'static str) -> Licence {
    Licence {
        spdx,
        hugging_face_id,
        url,
    }
}

/// The licences most used for data.
#[rustfmt::skip]
static KNOWN_LICENCES: [Licence; 12] = [
    licence("CC0-1.0", "cc0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    licence("CC-BY-4.0", "cc-by-4.0", "https://creativecommons.org/licenses/by/4.0/"),
    licence("CC-BY-SA-3.0", "cc-by-sa-3.0", "https://creativecommons.org/licenses/by-sa/3.0/"),
    licence("CC-BY-SA-4.0", "cc-by-sa-4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    licence("CC-BY-NC-4.0", "cc-by-nc-4.0", "https://creativecommons.org/licenses/by-nc/4.0/"),
    licence("CC-BY-NC-SA-4.0", "cc-by-nc-sa-4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0/"),
    licence("CC-BY-ND-4.0", "cc-by-nd-4.0", "https://creativecommons.org/licenses/by-nd/4.0/"),
    licence("PDDL-1.0", "pddl", "https://opendatacommons.org/licenses/pddl/1-0/"),
    licence("ODbL-1.0", "odbl", "https://opendatacommons.org/licenses/odbl/1-0/"),
    licence("ODC-By-1.0", "odc-by", "https://opendatacommons.org/licenses/by/1-0/"),
    licence("MIT", "mit", "https://spdx.org/licenses/MIT.html"),
    licence("Apache-2.0", "apache-2.0", "https://spdx.org/licenses/Apache-2.0.html"),
];

/// Returns the distinct licences of the sources; `None` if a source has no known one.
pub(super) fn find_licences(sources: &[SourceMetadata]) -> Option<Vec<&'static Licence>> {
    let mut licences = Vec::<&Licence>::new();
    for source in sources {
        let terms = source.licence.trim();
        let licence =
            KNOWN_LICENCES.iter().find(|licence| licence.spdx.eq_ignore_ascii_case(terms))?;
        if !licences.contains(&licence) {
            licences.push(licence);
        }
    }
    (!licences.is_empty()).then_some(licences)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::fixtures;

    fn find_spdx(licences: [&str; 2]) -> Option<Vec<&'static str>> {
        let mut dataset = fixtures::description();
        for (source, licence) in dataset.sources.iter_mut().zip(licences) {
            licence.clone_into(&mut source.licence);
        }
        let licences = find_licences(&dataset.sources)?;
        Some(licences.into_iter().map(|licence| licence.spdx).collect())
    }

    #[test]
    fn licences_are_known_if_every_source_names_one() {
        assert_eq!(find_spdx(["CC0-1.0", "cc0-1.0 "]), Some(vec!["CC0-1.0"]));
        assert_eq!(find_spdx(["MIT", "ODbL-1.0"]), Some(vec!["MIT", "ODbL-1.0"]));
        assert_eq!(find_spdx(["MIT", ""]), None);
        assert_eq!(find_spdx(["MIT", "MIT, but ask first."]), None);
    }
}
