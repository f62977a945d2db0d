//! Events that a site lists in several places, over several syncs.

use super::ctftime_site::{Change, MinedCtftime, ResponseMode, Step};

fn result(event: u32, late: bool, teams: &[u32]) -> Change {
    Change::SetResult {
        event,
        late,
        teams: teams.to_vec(),
    }
}

/// Returns the winners of an event, each with its state.
fn winners_with_state(mined: &MinedCtftime, event: u32) -> Vec<String> {
    let sql = format!(
        "SELECT competitor.external_id, state FROM standing
         JOIN contest USING (contest_id) JOIN competitor USING (competitor_id)
         WHERE contest.external_id = '{event}' AND place = 1"
    );
    mined.query(&sql).into_iter().collect()
}

/// Returns all names that a team ever had.
fn team_names(mined: &MinedCtftime, team: u32) -> Vec<String> {
    let sql = format!(
        "SELECT competitor_name.name FROM competitor_name JOIN competitor USING (competitor_id)
         WHERE external_id = '{team}'"
    );
    mined.query(&sql).into_iter().collect()
}

#[test]
fn moved_event_belongs_to_the_newest_list() {
    let mut mined = MinedCtftime::new();
    // The list of the later year cannot be fetched and still has the event.
    let moved = Step {
        late: ResponseMode::NotFound,
        ..Step::all_ok(1)
    };
    mined.sync(moved.with_change(result(510, false, &[2, 1])));
    assert_eq!(winners_with_state(&mined, 510), ["2 provisional"]);
    mined.assert_rebuild_is_stable();
    mined.sync(Step::all_ok(1));
    assert_eq!(winners_with_state(&mined, 510), ["2 provisional"]);
    mined.assert_rebuild_is_stable();
    // Moved back, while the list of the earlier year is unreadable.
    let back = Step {
        early: ResponseMode::UnknownLayout,
        ..Step::all_ok(1)
    };
    mined.sync(back.with_change(result(510, true, &[3, 1])));
    assert_eq!(winners_with_state(&mined, 510), ["3 provisional"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn event_dropped_by_newer_list_follows_older_list() {
    let mut mined = MinedCtftime::new();
    let late = Step {
        early: ResponseMode::UnknownLayout,
        ..Step::all_ok(1)
    };
    mined.sync(late.with_change(result(500, true, &[4, 1])));
    assert_eq!(winners_with_state(&mined, 500), ["4 provisional"]);
    let removal = Step {
        early: ResponseMode::UnknownLayout,
        ..Step::all_ok(1)
    };
    mined.sync(removal.with_change(Change::RemoveEvent {
        event: 500,
        late: true,
    }));
    // The last readable list of the earlier year has the event.
    assert_eq!(winners_with_state(&mined, 500), ["1 provisional"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn unreadable_event_does_not_block_other_withdrawals() {
    let mut mined = MinedCtftime::new();
    let odd = Change::MakeUnreadable {
        event: 500,
        late: false,
    };
    let removal = Change::RemoveEvent {
        event: 510,
        late: true,
    };
    mined.sync(Step::all_ok(1).with_change(odd).with_change(removal));
    assert_eq!(winners_with_state(&mined, 500), ["1 provisional"]);
    assert_eq!(winners_with_state(&mined, 510), ["1 withdrawn"]);
    mined.assert_rebuild_is_stable();
    // The unreadable event may be any of the missing ones.
    mined.sync(Step::all_ok(1).with_change(Change::RemoveEvent {
        event: 501,
        late: false,
    }));
    assert_eq!(winners_with_state(&mined, 501), ["1 provisional"]);
    mined.assert_rebuild_is_stable();
    mined.sync(Step::all_ok(1).with_change(Change::RemoveEvent {
        event: 500,
        late: false,
    }));
    assert_eq!(winners_with_state(&mined, 500), ["1 withdrawn"]);
    assert_eq!(winners_with_state(&mined, 501), ["1 withdrawn"]);
    // The event is listed again.
    mined.sync(Step::all_ok(1).with_change(result(501, false, &[3, 1])));
    assert_eq!(winners_with_state(&mined, 501), ["3 provisional"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn result_moved_to_another_team_is_no_merge() {
    let mut mined = MinedCtftime::new();
    let current_name = |mined: &MinedCtftime, team: u32| {
        mined.query(&format!("SELECT name FROM competitor WHERE external_id = '{team}'"))
    };
    // The results of team 4 in the later year move to team 5; those of the earlier year stay.
    let moved = [510, 511].map(|event| result(event, true, &[1, 2, 3, 5]));
    let step = moved.into_iter().fold(Step::all_ok(1), Step::with_change);
    mined.sync(step);
    assert_eq!(team_names(&mined, 5), [""; 0]);
    assert_eq!(Vec::from_iter(current_name(&mined, 4)), ["Dov"]);
    mined.assert_rebuild_is_stable();
    // Now they move too: the teams were merged.
    let merged = Change::MergeTeams { from: 4, into: 5 };
    mined.sync(Step::all_ok(1).with_change(merged));
    assert_eq!(team_names(&mined, 5), ["Dov"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn merge_is_found_across_unreadable_answers() {
    let mut mined = MinedCtftime::new();
    let unreadable = Step {
        early: ResponseMode::UnknownLayout,
        late: ResponseMode::UnknownLayout,
        ..Step::all_ok(1)
    };
    mined.sync(unreadable);
    mined.sync(Step::all_ok(1).with_change(Change::MergeTeams { from: 1, into: 5 }));
    assert_eq!(team_names(&mined, 5), ["Ada"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn merge_is_found_after_stopped_sync() {
    let mut mined = MinedCtftime::new();
    let ended = Step {
        late: ResponseMode::AccessDenied,
        ..Step::all_ok(1)
    };
    mined.sync(ended.with_change(Change::MergeTeams { from: 1, into: 5 }));
    assert_eq!(team_names(&mined, 5), [""; 0]);
    // Another event has changed by then.
    mined.sync(Step::all_ok(1).with_change(result(501, false, &[3, 5])));
    assert_eq!(team_names(&mined, 5), ["Ada"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn merged_team_inherits_all_earlier_names() {
    let mut mined = MinedCtftime::new();
    mined.sync(Step::all_ok(1).with_change(Change::MergeTeams { from: 1, into: 5 }));
    mined.sync(Step::all_ok(1).with_change(Change::MergeTeams { from: 5, into: 6 }));
    assert_eq!(team_names(&mined, 6), ["5", "Ada"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn unchanged_event_is_reread_only_to_settle() {
    let mut mined = MinedCtftime::new();
    let tried = |mined: &MinedCtftime| {
        let sql = "SELECT DISTINCT tried_at FROM contest_sync WHERE external_id = '500'";
        mined.query(sql)
    };
    let first = tried(&mined);
    mined.sync(Step::all_ok(1));
    assert_eq!(tried(&mined), first);
    assert_eq!(winners_with_state(&mined, 500), ["1 provisional"]);
    mined.sync(Step::all_ok(90));
    assert_ne!(tried(&mined), first);
    assert_eq!(winners_with_state(&mined, 500), ["1 final"]);
    let rested = tried(&mined);
    mined.sync(Step::all_ok(1));
    assert_eq!(tried(&mined), rested);
    mined.assert_rebuild_is_stable();
}

#[test]
fn next_sync_names_competitors_left_by_limit() {
    let mut mined = MinedCtftime::after_step(Step {
        limit: Some(3),
        ..Step::all_ok(0)
    });
    let called =
        |mined: &MinedCtftime| mined.query("SELECT name FROM competitor WHERE external_id = '4'");
    assert_eq!(called(&mined).len(), 0);
    mined.sync(Step::all_ok(1));
    assert_eq!(Vec::from_iter(called(&mined)), ["Dov"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn withdrawn_event_keeps_the_last_name() {
    let called = |mined: &MinedCtftime| {
        let sql = "SELECT name, state FROM contest WHERE external_id = '500'";
        Vec::from_iter(mined.query(sql))
    };
    let without = || Change::RemoveEvent {
        event: 500,
        late: false,
    };
    let mut mined = MinedCtftime::new();
    mined.sync(Step::all_ok(1).with_change(without()));
    let renamed = Change::SetDetails {
        event: 500,
        days: 4,
    };
    mined.sync(Step::all_ok(1).with_change(renamed));
    assert_eq!(called(&mined), ["Event 500 (4) withdrawn"]);
    mined.assert_rebuild_is_stable();
    // Removed from the list of events first, then from its year.
    let mut mined = MinedCtftime::new();
    mined.sync(Step::all_ok(1).with_change(Change::RemoveDetails { event: 500 }));
    assert_eq!(called(&mined), ["An event provisional"]);
    mined.sync(Step::all_ok(1).with_change(without()));
    assert_eq!(called(&mined), ["Event 500 (1) withdrawn"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn event_withdrawn_before_sync_gets_last_results() {
    let mut mined = MinedCtftime::new();
    let left = Step {
        limit: Some(0),
        ..Step::all_ok(1)
    };
    mined.sync(left.with_change(result(501, false, &[3, 2])));
    assert_eq!(winners_with_state(&mined, 501), ["1 provisional"]);
    mined.sync(Step::all_ok(1).with_change(Change::RemoveEvent {
        event: 501,
        late: false,
    }));
    assert_eq!(winners_with_state(&mined, 501), ["3 withdrawn"]);
    mined.assert_rebuild_is_stable();
}

#[test]
fn old_answer_does_not_settle_an_event() {
    let mut mined = MinedCtftime::new();
    let old = Step {
        late: ResponseMode::NotFound,
        ..Step::all_ok(90)
    };
    mined.sync(old);
    assert_eq!(winners_with_state(&mined, 510), ["1 provisional"]);
    mined.sync(Step::all_ok(1));
    assert_eq!(winners_with_state(&mined, 510), ["1 final"]);
    mined.assert_rebuild_is_stable();
}
