//! Contests: inserted, upserted again, corrected, loaded, in replay order.

use ranklore_contest::{Entrant, EntrantKind, EntrantOutcome, StartingRating};
use ranklore_store::{
    CompetitorId, ContestFilter, ContestState, ContestUpsert, Error, Problem, UpsertOutcome,
};
use ranklore_test_support::{
    TempDatabase, archive_contest, at, contest, contest_time, import_contest, source,
};

use crate::{contests_of_sources, full_contest};

#[test]
fn contest_round_trips() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let rich = full_contest("1", 1000);
    assert_eq!(import_contest(&mut batch, "club", 5, &rich), UpsertOutcome::Added);
    batch.commit().unwrap();
    let row = writer.contest(&source("club"), "1").unwrap().unwrap();
    assert_eq!((row.entrants, row.revision), (5, 1));
    assert_eq!(row.content_hash, Some(rich.content_hash()));
    let loaded = writer.load_contest(row.contest_id).unwrap();
    assert_eq!(loaded, rich);
    assert_eq!(writer.check().unwrap(), []);
    // A person and a team with the same name are two competitors.
    let everybody = writer.competitors_by_id((1..100).map(CompetitorId::new));
    let mut bees = everybody.unwrap();
    bees.retain(|competitor| competitor.external_id == "the bees");
    assert_eq!(bees.len(), 2);
    assert_ne!(bees[0].kind, bees[1].kind);
}

#[test]
fn same_contest_again_writes_nothing() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    for round in 0..3 {
        let before = (writer.content_hash().unwrap(), writer.sources().unwrap());
        let mut batch = writer.batch().unwrap();
        let expected = if round == 0 {
            UpsertOutcome::Added
        } else {
            UpsertOutcome::Unchanged
        };
        assert_eq!(
            import_contest(&mut batch, "club", 5 + round, &full_contest("1", 1000)),
            expected
        );
        batch.commit().unwrap();
        if round > 0 {
            let after = (writer.content_hash().unwrap(), writer.sources().unwrap());
            assert_eq!(after, before);
        }
    }
}

#[test]
fn only_changed_result_is_a_revision() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &full_contest("1", 1000));
    let mut revised = contest("1", 1000, &["zoe", "ada"]);
    assert_eq!(
        import_contest(&mut batch, "club", 6, &revised),
        UpsertOutcome::Revised { revision: 2 }
    );
    revised.url = Some("https://example.org/moved".into());
    assert_eq!(import_contest(&mut batch, "club", 7, &revised), UpsertOutcome::MetadataUpdated);
    let (source_id, document_id) = archive_contest(&mut batch, "club", 7, &revised);
    let state = ContestState::Provisional;
    for expected in [UpsertOutcome::MetadataUpdated, UpsertOutcome::Unchanged] {
        let outcome = batch.upsert_contest(
            source_id,
            document_id,
            ContestUpsert::new(&revised, state, false),
        );
        assert_eq!(outcome.unwrap(), expected);
    }
    batch.commit().unwrap();
    let row = writer.contest(&source("club"), "1").unwrap().unwrap();
    assert_eq!((row.revision, row.entrants, row.rated), (2, 2, false));
    assert_eq!((row.state, row.url.as_ref()), (state, revised.url.as_ref()));
    assert_eq!(writer.load_contest(row.contest_id).unwrap(), revised);
    assert_eq!(writer.check().unwrap(), []);
    drop(writer);
    let members: i64 = scratch
        .open_raw()
        .query_row("SELECT count(*) FROM member", [], |row| row.get(0))
        .unwrap();
    assert_eq!(members, 0, "members of the first revision are gone");
}

#[test]
fn contests_of_a_document_are_written_as_one_by_one() {
    let players: Vec<String> = (0..40).map(|player| format!("player {player}")).collect();
    let game = |id: usize, white: usize| {
        let order = [&*players[white % 40], &*players[(white + 1 + id % 38) % 40]];
        contest(&id.to_string(), 1000 + id as i64, &order)
    };
    // More results than are inserted together, with known contests and teams between new ones.
    let document: Vec<_> = (0..1500)
        .map(|id| match id % 211 {
            210 => full_contest(&id.to_string(), 1000 + id as i64),
            _ => game(id, id * 7),
        })
        .collect();
    let same = document.iter().step_by(190).cloned();
    let earlier: Vec<_> =
        same.chain((3..1500).step_by(400).map(|id| game(id, id * 7 + 2))).collect();
    let write = |together: bool| {
        let scratch = TempDatabase::new();
        let mut writer = scratch.open_writer();
        let mut batch = writer.batch().unwrap();
        let mut outcomes = Vec::new();
        for (now, contests) in [(5, &earlier), (6, &document)] {
            let (club, document) = archive_contest(&mut batch, "club", now, &contests[0]);
            let upserts = contests
                .iter()
                .map(|contest| ContestUpsert::new(contest, ContestState::Final, true));
            if together {
                let each = |written: &[ContestUpsert<'_>], outcome| {
                    let ids = written.iter().map(|upsert| upsert.contest.external_id.clone());
                    outcomes.extend(ids.map(|id| (id, outcome)));
                };
                batch.upsert_contests(club, document, upserts, each).unwrap();
            } else {
                for upsert in upserts {
                    let id = upsert.contest.external_id.clone();
                    let outcome = batch.upsert_contest(club, document, upsert).unwrap();
                    outcomes.push((id, outcome));
                }
            }
        }
        batch.commit().unwrap();
        assert_eq!(writer.check().unwrap(), []);
        let contests = writer.ratable_contests(&contests_of_sources(&["club"]));
        (writer.content_hash().unwrap(), contests.unwrap(), outcomes)
    };
    let together = write(true);
    assert_eq!(together, write(false));
    let count = |is_counted: fn(&UpsertOutcome) -> bool| {
        together.2.iter().filter(|(_, outcome)| is_counted(outcome)).count()
    };
    assert_eq!(count(|outcome| matches!(outcome, UpsertOutcome::Revised { .. })), 4);
    assert_eq!(count(|outcome| *outcome == UpsertOutcome::Unchanged), 8);
    assert_eq!(count(|outcome| *outcome == UpsertOutcome::Added), 1500);
}

#[test]
fn newer_document_wins_in_any_order() {
    let (old, new) = (contest("1", 1000, &["a", "b"]), contest("1", 1000, &["b", "a"]));
    let mut hashes = Vec::new();
    // The correction arrives in the same second, or after the clock went back.
    for (correction_at, new_first) in [(100, false), (100, true), (50, false), (50, true)] {
        let scratch = TempDatabase::new();
        let mut writer = scratch.open_writer();
        let mut batch = writer.batch().unwrap();
        let (club, first) = archive_contest(&mut batch, "club", 100, &old);
        let (_, second) = archive_contest(&mut batch, "club", correction_at, &new);
        let mut upsert = |document_id, contest| {
            let outcome = batch.upsert_contest(
                club,
                document_id,
                ContestUpsert::new(contest, ContestState::Final, true),
            );
            outcome.unwrap()
        };
        if new_first {
            assert_eq!(upsert(second, &new), UpsertOutcome::Added);
            assert_eq!(upsert(first, &old), UpsertOutcome::Superseded);
        } else {
            assert_eq!(upsert(first, &old), UpsertOutcome::Added);
            assert_eq!(upsert(second, &new), UpsertOutcome::Revised { revision: 2 });
        }
        batch.commit().unwrap();
        let stored = writer.contest(&source("club"), "1").unwrap().unwrap();
        assert_eq!(writer.load_contest(stored.contest_id).unwrap(), new);
        hashes.push(writer.content_hash().unwrap());
    }
    hashes.dedup();
    assert_eq!(hashes.len(), 1);
}

#[test]
fn duplicate_entrant_errors_and_batch_continues() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
    for id in ["1", "2"] {
        let twice = contest(id, 10, &["x", "y", "x"]);
        let (source_id, document_id) = archive_contest(&mut batch, "club", 5, &twice);
        let error = batch
            .upsert_contest(
                source_id,
                document_id,
                ContestUpsert::new(&twice, ContestState::Final, true),
            )
            .unwrap_err();
        assert!(matches!(error, Error::InvalidContest { .. }), "{error:?}");
        assert!(error.to_string().contains("\"x\" occurs twice"), "{error}");
    }
    import_contest(&mut batch, "club", 5, &contest("3", 10, &["x"]));
    batch.commit().unwrap();
    assert_eq!(writer.sources().unwrap()[0].contests, 2);
    assert_eq!(writer.check().unwrap(), []);
}

#[test]
fn ratable_contests_are_in_replay_order() {
    let mut expected = Vec::new();
    let mut add = |name: &'static str, id, ends_at, event: Option<&str>, ordinal| {
        let mut contest = contest(id, ends_at, &["a", "b"]);
        contest.event = event.map(Into::into);
        contest.ordinal = ordinal;
        contest.division = Some(format!("of {name}"));
        expected.push((name, contest));
    };
    add("z", "9", 10, None, None);
    add("a", "2", 20, None, None);
    add("a", "10", 20, None, None);
    add("a", "1a", 20, None, None);
    add("a", "7", 20, None, Some(-1));
    add("a", "6", 20, None, Some(1));
    add("a", "5", 20, Some("cup"), None);
    add("a", "4", 20, Some("cup"), Some(1));
    add("a", "3", 20, Some("cup"), Some(2));
    add("a", "1", 20, Some("dash"), Some(1));
    add("b", "0", 20, None, None);
    add("a", "0", 21, None, None);
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    for (name, contest) in expected.iter().rev() {
        import_contest(&mut batch, name, 5, contest);
    }
    import_contest(&mut batch, "other", 5, &contest("1", 20, &["a", "b"]));
    let unrated = contest("77", 20, &["a", "b"]);
    let (source_id, document_id) = archive_contest(&mut batch, "a", 5, &unrated);
    for (state, rated) in [
        (ContestState::Final, false),
        (ContestState::Withdrawn, true),
        (ContestState::Incomplete, true),
    ] {
        batch
            .upsert_contest(source_id, document_id, ContestUpsert::new(&unrated, state, rated))
            .unwrap();
        let ids = |selection: &ContestFilter| -> Vec<(String, String)> {
            let rows = batch.ratable_contests(selection).unwrap();
            let rows = batch.contests_by_id(rows.iter().map(|row| row.contest_id));
            rows.unwrap().into_iter().map(|row| (row.source, row.external_id)).collect()
        };
        let names = |keep: &dyn Fn(&str, i64) -> bool| -> Vec<(String, String)> {
            let in_order = expected.iter().filter(|(name, c)| keep(name, c.ends_at.get()));
            in_order.map(|(name, c)| ((*name).into(), c.external_id.clone())).collect()
        };
        let all = contests_of_sources(&["z", "b", "a", "a"]);
        assert_eq!(ids(&all), names(&|_, _| true));
        assert_eq!(ids(&contests_of_sources(&["b"])), names(&|name, _| name == "b"));
        let some = ContestFilter {
            since: Some(contest_time(20)),
            until: Some(contest_time(21)),
            ..all.clone()
        };
        assert_eq!(ids(&some), names(&|_, ends_at| ends_at == 20));
        let division = ContestFilter {
            division: Some("of z".into()),
            ..all
        };
        assert_eq!(ids(&division), names(&|name, _| name == "z"));
        assert_eq!(ids(&contests_of_sources(&["nowhere"])), []);
    }
    batch.commit().unwrap();
    let rows = writer.contests_of_source(source_id).unwrap();
    let mut expected: Vec<_> = rows.into_iter().map(|row| (row.contest_id, row.name)).collect();
    expected.sort_unstable();
    let mut names = Vec::new();
    writer
        .for_each_contest_name(source_id, |contest_id, name| {
            names.push((contest_id, name.to_owned()));
        })
        .unwrap();
    names.sort_unstable();
    assert_eq!(names, expected);
}

#[test]
fn standings_round_trip() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    let mut second = contest("2", 20, &["c", "a", "b"]);
    second.entrants[2].outcome = EntrantOutcome::DidNotFinish;
    import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
    import_contest(&mut batch, "club", 5, &second);
    batch.commit().unwrap();
    let store = scratch.open_reader();
    let contests = store.ratable_contests(&contests_of_sources(&["club"])).unwrap();
    let mut rows = Vec::new();
    store
        .for_each_standing(contests.iter().rev().map(|row| row.contest_id), |id, standings| {
            assert!(standings.is_sorted_by_key(|standing| standing.competitor_id));
            for standing in standings {
                let competitors = store.competitors_by_id([standing.competitor_id]).unwrap();
                let place = standing.place.map(ranklore_contest::Place::get);
                rows.push((id == contests[1].contest_id, competitors[0].name.clone(), place));
            }
        })
        .unwrap();
    let row = |second, name: &str, place| (second, name.to_owned(), place);
    let expected = [
        row(true, "a", Some(2)),
        row(true, "b", None),
        row(true, "c", Some(1)),
        row(false, "a", Some(1)),
        row(false, "b", Some(2)),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn starting_rating_reports_change_once() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
    let club = batch.get_or_insert_source(&source("club"), at(5)).unwrap();
    let start = |mu, sigma| StartingRating { mu, sigma };
    let [first, second] = ["x", "y"]
        .map(|id| archive_contest(&mut batch, "club", 5, &contest(id, 10, &["a", "b"])).1);
    let before = batch.content_hash().unwrap();
    for (document, rating, is_new) in [
        (first, start(1600.0, None), true),
        (first, start(1600.0, None), false),
        (first, start(1600.0, Some(90.0)), true),
        (second, start(1600.0, Some(90.0)), false),
        // The second document now wins: it has the same time and a larger id.
        (first, start(1700.0, None), false),
        (second, start(1601.0, Some(90.0)), true),
        (second, start(1601.0, Some(90.0)), false),
        (first, start(1600.0, Some(90.0)), false),
    ] {
        let changed = batch.set_starting_rating(club, document, EntrantKind::Person, "b", rating);
        assert_eq!(changed.unwrap(), is_new, "{document} {rating:?}");
    }
    assert_ne!(batch.content_hash().unwrap(), before);
    let starts = batch.starting_ratings(club).unwrap();
    assert_eq!(starts.len(), 1);
    assert_eq!(starts[0].1, start(1601.0, Some(90.0)));
    assert_eq!(batch.competitors_by_id([starts[0].0]).unwrap()[0].name, "b");
    // A team with the name of a person is another competitor.
    let rating = start(1800.0, None);
    let changed = batch.set_starting_rating(club, first, EntrantKind::Team, "b", rating);
    assert!(changed.unwrap());
    assert_eq!(batch.starting_ratings(club).unwrap().len(), 2);
    batch.commit().unwrap();
    assert_eq!(writer.check().unwrap(), []);
}

#[test]
fn content_hash_ignores_insertion_order() {
    let contests = [
        full_contest("1", 100),
        contest("2", 20, &["a", "ada", "zoe"]),
        full_contest("10", 300),
    ];
    let mut hashes = Vec::new();
    for order in [[0, 1, 2], [2, 0, 1]] {
        let scratch = TempDatabase::new();
        let mut writer = scratch.open_writer();
        for index in order {
            let mut batch = writer.batch().unwrap();
            for name in if order[0] == 0 {
                ["club", "league"]
            } else {
                ["league", "club"]
            } {
                import_contest(&mut batch, name, 100 + index as i64, &contests[index]);
            }
            batch.commit().unwrap();
        }
        hashes.push(writer.content_hash().unwrap());
        if order[0] == 0 {
            let mut batch = writer.batch().unwrap();
            let mut changed = contests[1].clone();
            changed.entrants.push(Entrant::person("late", EntrantOutcome::DidNotFinish));
            import_contest(&mut batch, "club", 200, &changed);
            assert_ne!(batch.content_hash().unwrap(), hashes[0]);
            import_contest(&mut batch, "club", 201, &contests[1]);
            assert_eq!(batch.content_hash().unwrap(), hashes[0]);
        }
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn check_finds_rows_changed_outside() {
    for (damage, expected) in [
        ("UPDATE standing SET place = 3 WHERE place = 2", "content hash"),
        ("DELETE FROM standing WHERE place = 2", "2 entrants"),
        ("UPDATE contest SET weight = 2", "content hash"),
        ("DELETE FROM competitor WHERE external_id = 'b'", "competitor"),
    ] {
        let scratch = TempDatabase::new();
        let mut writer = scratch.open_writer();
        let mut batch = writer.batch().unwrap();
        import_contest(&mut batch, "club", 5, &contest("1", 10, &["a", "b"]));
        batch.commit().unwrap();
        drop(writer);
        scratch.open_raw().execute_batch(damage).unwrap();
        let problems = scratch.open_reader().check().unwrap();
        assert!(!problems.is_empty(), "{damage}");
        let messages = problems.iter().map(ToString::to_string);
        assert!(
            messages.into_iter().any(|problem| problem.contains(expected)),
            "{damage}: {problems:?}"
        );
        let reference = matches!(problems[0], Problem::Reference { .. });
        assert_eq!(reference, expected == "competitor", "{damage}");
    }
}
