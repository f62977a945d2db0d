//! Tests with pages of the site. They run if `RANKLORE_REAL_DATA` names the folder with the data.

use std::path::PathBuf;

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_contest::EntrantKind;
use ranklore_source::{Classification, Request, Source};

use crate::fixtures::{competition, entrants, month, months, read, source};

fn real_file(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("RANKLORE_REAL_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        println!("left out: RANKLORE_REAL_DATA is not set");
        return None;
    };
    let path = PathBuf::from(folder).join("o2cm").join(name);
    Some(std::fs::read(path).unwrap())
}

fn assert_conforms(name: &str, request: &Request, body: &[u8]) {
    assert_eq!(source().classify(request, 200, body), Classification::Answer, "{name}");
    let fixture = Fixture {
        name,
        request,
        status: 200,
        body,
        optional: &[],
    };
    conformance::check_reading(&source(), &fixture);
    conformance::check_minimise(&source(), &fixture);
}

#[test]
fn large_competition_is_read() {
    let Some(body) = real_file("event3_isc25_POST_all.html") else {
        return;
    };
    let request = competition("isc25");
    let reading = read(&request, &body).unwrap();
    assert_eq!(reading.refused, []);
    assert_eq!(reading.results.len(), 135);
    let couples = reading.results.iter().flat_map(entrants);
    assert!(couples.clone().all(|couple| couple.kind == EntrantKind::Couple
        && couple.members.len() == 2
        && couple.members.iter().all(|name| !name.contains(['&', ')']))));
    // In seven heats two people dance twice, once each leading; one entry is a placeholder.
    assert_eq!(couples.count() + 7 + 1, 1_689);
    let [placeholder, repeats, gaps] = reading.warnings.as_slice() else {
        panic!("{:?}", reading.warnings);
    };
    assert!(placeholder.contains("1 entry with a placeholder"));
    assert!(repeats.contains("7 entries of a couple already in the heat"));
    assert!(gaps.contains("6 heats with gaps"));
    let single = reading.results.iter().filter(|heat| entrants(heat).len() == 1);
    assert_eq!(single.count(), 7);
    assert_eq!(reading.follow, []);
    assert_conforms("isc25", &request, &body);
    // The page lists all competitors by name, whether or not they are in a heat.
    let offered = |page: &[u8]| {
        let page = String::from_utf8_lossy(page).to_lowercase();
        let options = page.split("<option").skip(1);
        let texts = options.filter_map(|option| option.split('>').nth(1)).map(str::to_owned);
        texts.filter(|text| text.contains(", ")).count()
    };
    assert!(offered(&body) > 100);
    assert_eq!(offered(&source().minimise(&request.key(), &body)), 0);
}

#[test]
fn competition_list_is_read() {
    let Some(body) = real_file("home_default_asp_2023-04_excerpt.html") else {
        return;
    };
    let reading = read(&months(), &body).unwrap();
    // January 2005 to April 2023.
    assert_eq!(reading.follow.len(), 18 * 12 + 4);
    assert_conforms("home", &months(), &body);
    let april = month(2023, 4);
    let reading = read(&april, &body).unwrap();
    let listed: Vec<(&str, String)> = reading
        .listed
        .iter()
        .map(|one| (&*one.external_id, one.ends_at.unwrap().to_string()))
        .collect();
    let due = [
        ("ndc23", "2023-04-08"),
        ("bcb23", "2023-04-08"),
        ("fdf23a", "2023-04-08"),
        ("mac23", "2023-01-14"),
        ("big22", "2022-12-10"),
        ("pbd22", "2022-12-03"),
    ];
    assert_eq!(listed, due.map(|(id, day)| (id, day.to_owned())));
    assert_conforms("the month", &april, &body);
}
