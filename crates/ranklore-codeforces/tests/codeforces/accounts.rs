//! Accounts and changed handles.

use ranklore_codeforces::{MAX_HANDLES_PER_REQUEST, rated_users_request, user_info_requests};
use ranklore_source::{Account, AccountRename, Method, Source};

use crate::fixtures::{bytes, read, read_file, source, user_info, user_info_with_unknown};

fn account(name: &str, rating: Option<f64>) -> Account {
    Account {
        name: name.to_owned(),
        rating,
    }
}

#[test]
fn rated_list_is_read() {
    let reading = read_file(&rated_users_request(), "user.ratedList.json");
    assert_eq!(reading.accounts.len(), 6);
    assert_eq!(reading.accounts[0], account("brass.lamp", Some(2401.0)));
    assert_eq!(reading.accounts[5], account("mudflat", Some(-60.0)));
}

#[test]
fn minimised_accounts_have_handle_and_rating() {
    let minimised = source().minimise(&user_info().key(), &bytes("user.info.json")).into_owned();
    let minimised: serde_json::Value = serde_json::from_slice(&minimised).unwrap();
    let expected = serde_json::json!({"status": "OK", "result": [
        {"handle": "jetty", "rating": 1333},
        {"handle": "oarlock", "rating": 1409},
        {"handle": "Lamp_Keeper", "rating": 2100},
        {"handle": "quiet"},
    ]});
    assert_eq!(minimised, expected);
    let list = source()
        .minimise(&rated_users_request().key(), &bytes("user.ratedList.json"))
        .into_owned();
    assert!(!String::from_utf8(list).unwrap().contains("Name"));
}

#[test]
fn old_handle_is_read_as_renamed() {
    let reading = read_file(&user_info(), "user.info.json");
    let renamed = AccountRename {
        from: "old_lamp".to_owned(),
        to: "Lamp_Keeper".to_owned(),
    };
    assert_eq!(reading.renamed, [renamed]);
    assert_eq!(reading.accounts[3], account("quiet", None));
}

#[test]
fn reordered_or_missing_accounts_are_refused() {
    let text = String::from_utf8(bytes("user.info.json")).unwrap();
    let mut answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    answer["result"].as_array_mut().unwrap().swap(0, 3);
    let error = read(&user_info(), answer.to_string().as_bytes()).unwrap_err();
    assert_eq!(error.at, "result[0].handle");
    answer["result"].as_array_mut().unwrap().pop();
    let error = read(&user_info(), answer.to_string().as_bytes()).unwrap_err();
    assert_eq!(error.at, "result");
    assert_eq!(error.expected, "4 accounts, one for each handle, not 3");
}

#[test]
fn unknown_handle_is_dropped_from_next_request() {
    let request = user_info_with_unknown();
    let body = bytes("user.info-unknown.json");
    let again = user_info_requests(["jetty", "oarlock"]).remove(0);
    let reading = read(&request, &body).unwrap();
    assert_eq!(reading.unknown, ["no_such_gull"]);
    assert_eq!(reading.follow, [again]);

    let alone = user_info_requests(["No_Such_Gull"]).remove(0);
    let reading = read(&alone, &body).unwrap();
    assert_eq!(reading.unknown, ["No_Such_Gull"]);
    assert!(reading.follow.is_empty());
    // Repeating the request would never end.
    assert_eq!(read(&user_info(), &body).unwrap_err().at, "comment");
}

#[test]
fn handles_are_deduplicated_and_batched() {
    let many: Vec<String> = (0..=MAX_HANDLES_PER_REQUEST).map(|n| format!("gull{n:05}")).collect();
    let mut handles: Vec<&str> = many.iter().map(String::as_str).rev().collect();
    handles.extend(["gull00001", "brass.lamp + gull7", "", "a;b", "фонарь"]);
    let requests = user_info_requests(handles.iter().copied());
    assert_eq!(requests.len(), 2);
    assert_eq!(requests, user_info_requests(many.iter().map(String::as_str)));
    assert_eq!(requests[0].method, Method::Post);
    assert_eq!(requests[1].what, "the account gull01000");
    assert!(user_info_requests([]).is_empty());
}
