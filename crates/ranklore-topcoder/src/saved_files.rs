//! Names of files saved from the site.

use ranklore_source::Request;

use crate::requests::TopcoderRequest;

/// Name of the file with the list of rounds, which an import requires.
pub const SAVED_ROUND_LIST: &str = "tc_module=BasicData&c=dd_round_list";

/// Returns the request that a saved file answers, by its name: the last part of the URL, in which
/// `_` or `@` may replace `?`. `.xml` or `.html` may follow. Returns `None` for other names.
///
/// ```
/// use ranklore_topcoder::parse_saved_file_name;
///
/// let name = "tc_module=BasicData&c=dd_round_results&rd=9601";
/// let request = parse_saved_file_name(name).unwrap();
/// assert_eq!(request.key(), "GET tc?c=dd_round_results&module=BasicData&rd=9601");
/// assert_eq!(parse_saved_file_name("notes.txt"), None);
/// ```
#[must_use]
pub fn parse_saved_file_name(name: &str) -> Option<Request> {
    let name = [".xml", ".html", ".htm"]
        .into_iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name);
    let (path, query) = name.split_once(['?', '_', '@'])?;
    let request = TopcoderRequest::from_parameters(path, |parameter| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find_map(|(name, value)| (name == parameter).then_some(value))
    });
    request.map(TopcoderRequest::to_request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_file_names_are_parsed() {
        let key = |name: &str| parse_saved_file_name(name).map(|request| request.key());
        let list = "GET tc?c=dd_round_list&module=BasicData";
        for name in [
            SAVED_ROUND_LIST,
            "tc?module=BasicData&c=dd_round_list",
            "tc@module=BasicData&c=dd_round_list",
            "tc_module=BasicData&c=dd_round_list.xml",
            "tc_c=dd_round_list&module=BasicData",
        ] {
            assert_eq!(key(name).as_deref(), Some(list), "{name}");
        }
        assert_eq!(
            key("tc_module=BasicData&c=dd_round_results&rd=9601").as_deref(),
            Some("GET tc?c=dd_round_results&module=BasicData&rd=9601")
        );
        assert_eq!(
            key("tc_module=MatchList&sc=&sd=&nr=200&sr=201").as_deref(),
            Some("GET tc?module=MatchList&nr=200&sr=201")
        );
        assert_eq!(
            key("stat_c=round_stats&rd=9601&dn=2.html").as_deref(),
            Some("GET stat?c=round_stats&dn=2&em=100&nm=99&rd=9601&sm=1")
        );
        for foreign in [
            "",
            "tc",
            "dd_round_list.xml",
            "tc_module=BasicData&c=dd_coder_list",
            "tc_module=BasicData&c=dd_round_results&rd=",
            "tc_module=BasicData&c=dd_round_results&rd=9601 (1)",
            "stat_c=round_overview&rd=9601",
        ] {
            assert_eq!(key(foreign), None, "{foreign}");
        }
    }
}
