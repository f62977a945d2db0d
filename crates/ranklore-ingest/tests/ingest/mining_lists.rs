//! Events that a site lists in several places, over several syncs.

use super::yearbook::{Change, How, Mined, Step};

fn result(event: u32, late: bool, teams: &[u32]) -> Change {
    Change::Result {
        event,
        late,
        teams: teams.to_vec(),
    }
}

/// Returns the winners of an event, each with its state.
fn won(mined: &Mined, event: u32) -> Vec<String> {
    let sql = format!(
        "SELECT competitor.external_id, state FROM standing
         JOIN contest USING (contest_id) JOIN competitor USING (competitor_id)
         WHERE contest.external_id = '{event}' AND place = 1"
    );
    mined.all(&sql).into_iter().collect()
}

/// Returns all names that a team ever had.
fn names(mined: &Mined, team: u32) -> Vec<String> {
    let sql = format!(
        "SELECT competitor_name.name FROM competitor_name JOIN competitor USING (competitor_id)
         WHERE external_id = '{team}'"
    );
    mined.all(&sql).into_iter().collect()
}

#[test]
fn an_event_that_moved_between_years_is_where_it_was_seen_last() {
    let mut mined = Mined::new();
    // The list of the later year cannot be fetched and still has the event.
    let moved = Step {
        late: How::NotFound,
        ..Step::well(1)
    };
    mined.sync(moved.with(result(510, false, &[2, 1])));
    assert_eq!(won(&mined, 510), ["2 provisional"]);
    mined.is_rebuilt();
    mined.sync(Step::well(1));
    assert_eq!(won(&mined, 510), ["2 provisional"]);
    mined.is_rebuilt();
    // Moved back, while the list of the earlier year is unreadable.
    let back = Step {
        early: How::Otherwise,
        ..Step::well(1)
    };
    mined.sync(back.with(result(510, true, &[3, 1])));
    assert_eq!(won(&mined, 510), ["3 provisional"]);
    mined.is_rebuilt();
}

#[test]
fn what_the_newer_list_has_no_more_is_as_the_older_has_it() {
    let mut mined = Mined::new();
    let late = Step {
        early: How::Otherwise,
        ..Step::well(1)
    };
    mined.sync(late.with(result(500, true, &[4, 1])));
    assert_eq!(won(&mined, 500), ["4 provisional"]);
    let gone = Step {
        early: How::Otherwise,
        ..Step::well(1)
    };
    mined.sync(gone.with(Change::Without {
        event: 500,
        late: true,
    }));
    // The last readable list of the earlier year has the event.
    assert_eq!(won(&mined, 500), ["1 provisional"]);
    mined.is_rebuilt();
}

#[test]
fn an_event_that_cannot_be_read_keeps_no_other_from_being_taken_back() {
    let mut mined = Mined::new();
    let odd = Change::Odd {
        event: 500,
        late: false,
    };
    let gone = Change::Without {
        event: 510,
        late: true,
    };
    mined.sync(Step::well(1).with(odd).with(gone));
    assert_eq!(won(&mined, 500), ["1 provisional"]);
    assert_eq!(won(&mined, 510), ["1 withdrawn"]);
    mined.is_rebuilt();
    // The unreadable event may be any of the missing ones.
    mined.sync(Step::well(1).with(Change::Without {
        event: 501,
        late: false,
    }));
    assert_eq!(won(&mined, 501), ["1 provisional"]);
    mined.is_rebuilt();
    mined.sync(Step::well(1).with(Change::Without {
        event: 500,
        late: false,
    }));
    assert_eq!(won(&mined, 500), ["1 withdrawn"]);
    assert_eq!(won(&mined, 501), ["1 withdrawn"]);
    // The event is listed again.
    mined.sync(Step::well(1).with(result(501, false, &[3, 1])));
    assert_eq!(won(&mined, 501), ["3 provisional"]);
    mined.is_rebuilt();
}

#[test]
fn a_merge_is_seen_behind_answers_that_cannot_be_read() {
    let mut mined = Mined::new();
    let unreadable = Step {
        early: How::Otherwise,
        late: How::Otherwise,
        ..Step::well(1)
    };
    mined.sync(unreadable);
    mined.sync(Step::well(1).with(Change::Merged { from: 1, into: 5 }));
    assert_eq!(names(&mined, 5), ["Ada"]);
    mined.is_rebuilt();
}

#[test]
fn a_merge_is_seen_after_a_sync_that_ended_at_it() {
    let mut mined = Mined::new();
    let ended = Step {
        late: How::Wall,
        ..Step::well(1)
    };
    mined.sync(ended.with(Change::Merged { from: 1, into: 5 }));
    assert_eq!(names(&mined, 5), [""; 0]);
    // Another event has changed by then.
    mined.sync(Step::well(1).with(result(501, false, &[3, 5])));
    assert_eq!(names(&mined, 5), ["Ada"]);
    mined.is_rebuilt();
}

#[test]
fn who_inherits_a_team_has_the_names_of_those_it_had_become() {
    let mut mined = Mined::new();
    mined.sync(Step::well(1).with(Change::Merged { from: 1, into: 5 }));
    mined.sync(Step::well(1).with(Change::Merged { from: 5, into: 6 }));
    assert_eq!(names(&mined, 6), ["5", "Ada"]);
    mined.is_rebuilt();
}

#[test]
fn what_says_nothing_new_is_learned_only_to_come_to_rest() {
    let mut mined = Mined::new();
    let tried = |mined: &Mined| {
        let sql = "SELECT DISTINCT tried_at FROM contest_sync WHERE external_id = '500'";
        mined.all(sql)
    };
    let first = tried(&mined);
    mined.sync(Step::well(1));
    assert_eq!(tried(&mined), first);
    assert_eq!(won(&mined, 500), ["1 provisional"]);
    mined.sync(Step::well(90));
    assert_ne!(tried(&mined), first);
    assert_eq!(won(&mined, 500), ["1 final"]);
    let rested = tried(&mined);
    mined.sync(Step::well(1));
    assert_eq!(tried(&mined), rested);
    mined.is_rebuilt();
}

#[test]
fn who_stands_in_what_a_sync_left_is_named_by_the_next() {
    let mut mined = Mined::begun(Step {
        limit: Some(3),
        ..Step::well(0)
    });
    let called = |mined: &Mined| mined.all("SELECT name FROM competitor WHERE external_id = '4'");
    assert_eq!(called(&mined).len(), 0);
    mined.sync(Step::well(1));
    assert_eq!(Vec::from_iter(called(&mined)), ["Dov"]);
    mined.is_rebuilt();
}

#[test]
fn what_was_taken_back_is_called_as_the_site_called_it_last() {
    let called = |mined: &Mined| {
        let sql = "SELECT name, state FROM contest WHERE external_id = '500'";
        Vec::from_iter(mined.all(sql))
    };
    let without = || Change::Without {
        event: 500,
        late: false,
    };
    let mut mined = Mined::new();
    mined.sync(Step::well(1).with(without()));
    let renamed = Change::Described {
        event: 500,
        days: 4,
    };
    mined.sync(Step::well(1).with(renamed));
    assert_eq!(called(&mined), ["Event 500 (4) withdrawn"]);
    mined.is_rebuilt();
    // Removed from the list of events first, then from its year.
    let mut mined = Mined::new();
    mined.sync(Step::well(1).with(Change::Undescribed { event: 500 }));
    assert_eq!(called(&mined), ["An event provisional"]);
    mined.sync(Step::well(1).with(without()));
    assert_eq!(called(&mined), ["Event 500 (1) withdrawn"]);
    mined.is_rebuilt();
}

#[test]
fn what_was_taken_back_before_it_was_learned_came_out_as_was_said_last() {
    let mut mined = Mined::new();
    let left = Step {
        limit: Some(0),
        ..Step::well(1)
    };
    mined.sync(left.with(result(501, false, &[3, 2])));
    assert_eq!(won(&mined, 501), ["1 provisional"]);
    mined.sync(Step::well(1).with(Change::Without {
        event: 501,
        late: false,
    }));
    assert_eq!(won(&mined, 501), ["3 withdrawn"]);
    mined.is_rebuilt();
}

#[test]
fn what_is_learned_again_from_an_old_answer_comes_to_rest_by_a_new_one() {
    let mut mined = Mined::new();
    let old = Step {
        late: How::NotFound,
        ..Step::well(90)
    };
    mined.sync(old);
    assert_eq!(won(&mined, 510), ["1 provisional"]);
    mined.sync(Step::well(1));
    assert_eq!(won(&mined, 510), ["1 final"]);
    mined.is_rebuilt();
}
