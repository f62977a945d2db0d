//! The change counter of a source.

use ranklore_contest::{Contest, EntrantKind, StartingRating};
use ranklore_store::{Decision, NewRun, SourceId, WriteBatch, Writer};
use ranklore_test_support::{
    TempDatabase, archive_contest, at, contest, document, import_contest, merge, rename, restore,
    source, withdraw,
};

/// A database with a source of two contests.
struct Fixture {
    scratch: TempDatabase,
    writer: Writer,
    club: SourceId,
}

impl Fixture {
    fn new() -> Self {
        let scratch = TempDatabase::new();
        let mut writer = scratch.open_writer();
        let mut batch = writer.batch().unwrap();
        import_contest(&mut batch, "club", 1, &first());
        import_contest(&mut batch, "club", 1, &contest("2", 20, &["b", "a"]));
        import_contest(&mut batch, "other", 1, &contest("1", 20, &["b", "a"]));
        let club = batch.source_id(&source("club")).unwrap().unwrap();
        batch.commit().unwrap();
        Self {
            scratch,
            writer,
            club,
        }
    }

    fn counts(&self, name: &str) -> i64 {
        let sql = "SELECT changes FROM source WHERE name = ?1";
        let raw = self.scratch.open_raw();
        raw.query_row(sql, [name], |row| row.get(0)).unwrap()
    }

    /// Commits a change, and returns what it added to the counter of the club.
    fn count(&mut self, change: impl FnOnce(&mut WriteBatch<'_>, SourceId)) -> i64 {
        let before = (self.counts("club"), self.counts("other"));
        let mut batch = self.writer.batch().unwrap();
        change(&mut batch, self.club);
        batch.commit().unwrap();
        assert_eq!(self.counts("other"), before.1);
        assert_eq!(self.writer.check().unwrap(), []);
        self.counts("club") - before.0
    }

    fn decide(&mut self, decision: &Decision) -> i64 {
        self.count(|batch, club| {
            assert!(batch.record_decision(club, decision, None, at(9)).unwrap());
        })
    }
}

fn first() -> Contest {
    contest("1", 10, &["a", "b", "c"])
}

#[test]
fn commit_counts_once_what_ratings_depend_on() {
    let mut fixture = Fixture::new();
    assert_eq!(fixture.counts("club"), 1, "one commit");
    let importing = |contest: Contest| {
        move |batch: &mut WriteBatch<'_>, _| {
            import_contest(batch, "club", 5, &contest);
        }
    };
    assert_eq!(fixture.count(importing(contest("3", 30, &["x", "y"]))), 1);
    assert_eq!(fixture.count(importing(contest("3", 30, &["y", "x"]))), 1);
    let division = Some("A".to_owned());
    let moved = Contest {
        division,
        ..first()
    };
    assert_eq!(fixture.count(importing(moved)), 1);
    assert_eq!(fixture.decide(&merge("a", "b")), 1);
    assert_eq!(fixture.decide(&withdraw("2")), 1);
    assert_eq!(fixture.decide(&restore("2")), 1);
    let start = |batch: &mut WriteBatch<'_>, club| {
        let archived = batch.archive_document(club, &document("start", 5, b"a 1600"));
        let document_id = archived.unwrap().document_id;
        let rating = StartingRating {
            mu: 1600.0,
            sigma: None,
        };
        let kind = EntrantKind::Person;
        batch.set_starting_rating(club, document_id, kind, "a", rating).unwrap();
    };
    assert_eq!(fixture.count(start), 1);
    assert_eq!(fixture.count(|batch, club| batch.clear_source(club).unwrap()), 1);
}

#[test]
fn commit_does_not_count_what_no_rating_depends_on() {
    let mut fixture = Fixture::new();
    let same = |batch: &mut WriteBatch<'_>, _| {
        import_contest(batch, "club", 5, &first());
    };
    assert_eq!(fixture.count(same), 0);
    let linked = Contest {
        url: Some("https://example.org/1".into()),
        ..first()
    };
    let linked = |batch: &mut WriteBatch<'_>, _| {
        import_contest(batch, "club", 6, &linked);
    };
    assert_eq!(fixture.count(linked), 0);
    assert_eq!(fixture.decide(&rename("a", "Ada")), 0);
    // A competitor without a contest.
    let new = |batch: &mut WriteBatch<'_>, club| {
        batch.get_or_insert_competitor(club, EntrantKind::Person, "new").unwrap();
    };
    assert_eq!(fixture.count(new), 0);
    let archived = |batch: &mut WriteBatch<'_>, _| {
        archive_contest(batch, "club", 7, &first());
    };
    assert_eq!(fixture.count(archived), 0);
    // A dropped batch leaves nothing to the next.
    let mut batch = fixture.writer.batch().unwrap();
    import_contest(&mut batch, "club", 8, &contest("4", 40, &["a", "b"]));
    drop(batch);
    assert_eq!(fixture.count(|_, _| {}), 0);
}

#[test]
fn changes_after_rating_in_one_batch_are_counted() {
    let mut fixture = Fixture::new();
    let mut batch = fixture.writer.batch().unwrap();
    let run = NewRun {
        system: "s",
        parameters: "{}",
        selection: r#"{"sources":["club","other"]}"#,
        engine: "e",
    };
    import_contest(&mut batch, "club", 5, &contest("3", 30, &["x", "y"]));
    let run_id = batch.begin_run(&run, at(5)).unwrap();
    batch.record_source_changes(run_id).unwrap();
    batch.commit().unwrap();
    let run = fixture.writer.run(run_id).unwrap().unwrap();
    assert_eq!(run.source_changes, Some(3));
    assert!(fixture.writer.has_unchanged_sources(&run).unwrap());
    for name in ["club", "other"] {
        let mut batch = fixture.writer.batch().unwrap();
        import_contest(&mut batch, "club", 6, &contest("3", 30, &["y", "x", name]));
        batch.record_source_changes(run_id).unwrap();
        import_contest(&mut batch, name, 6, &contest("4", 40, &["x", "y", name]));
        batch.commit().unwrap();
        let run = fixture.writer.run(run_id).unwrap().unwrap();
        assert!(!fixture.writer.has_unchanged_sources(&run).unwrap(), "{name}");
    }
    assert_eq!(fixture.writer.check().unwrap(), []);
}
