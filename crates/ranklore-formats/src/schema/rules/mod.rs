//! The rules that decide the meanings of columns, in their order.
//!
//! A heading proposes meanings; a rule looks at the cells and at the other columns. It returns what
//! it found, nothing, or the reason to refuse the table with the option that settles the doubt.
//! Each rule sees the candidates as the rules before it left them.
#![expect(clippy::unnecessary_wraps, reason = "all rules have one type")]

mod contests;
mod dates;
mod divisions;
pub(crate) mod duplicates;
mod entrants;
mod field_places;
pub(crate) mod orienteering;
pub(crate) mod plausibility;
pub(crate) mod rankings;
mod remarks;
mod scores;
mod status_flags;
pub(crate) mod unread_dates;
mod wins;

use self::contests::{
    contests_within_one_ranking, ids_within_dates, links_of_rows, named_games,
    numbers_of_competitors, running_orders, start_numbers,
};
use self::dates::{dates_in_columns, days_of_events, years_of_contests};
use self::divisions::{
    classes_within_one_order, divisions_that_rank, ids_of_parts, results_beside_times,
    stated_divisions,
};
use self::duplicates::{ids_that_agree, places_that_agree, rounds_beside_names};
use self::entrants::{
    crew_of_helm, id_of_the_noun, ids_as_names, nations_of_people, numbers_beside_names,
    people_beside_teams, rival_names, teams_as_affiliations,
};
use self::field_places::{places_of_fields, places_under_compounds};
use self::orienteering::orienteering_exports;
use self::plausibility::{
    falling_places, starting_ratings, statuses, statuses_beside_results, statuses_beside_times,
    weights_of_contests,
};
use self::rankings::{
    classes_within_one_ranking, finishes_without_places, letters_of_medals, medals,
    places_in_words, played_games, rank_all, ranking_among_vague_places, ranking_beside_scores,
};
use self::remarks::{placeholders_among_places, statuses_in_other_columns};
use self::scores::{
    columns_before_times, doubtful_scores, footnotes_of_scores, gaps_beside_places, holds_times,
    points_of_seasons, results_that_break_ties, rival_times, scores_in_words,
};
use self::status_flags::flags_of_statuses;
use self::unread_dates::{unread_dates, weekdays};
use self::wins::{winners_beside_scores, wins_in_words};
use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::people::bare_id::{bare_id_of_competitors, id_around_rows};
use crate::schema::people::genders::genders_in_lists;
use crate::schema::people::member_columns::members_in_columns;
use crate::schema::people::name_parts::names_in_two_columns;
use crate::schema::table::HeaderTable;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::is_overall_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::FileReadError;

type Rule = fn(&HeaderTable, &ReadOptions) -> Result<Option<Evidence>, FileReadError>;

/// All rules about columns. A new rule is a line here.
const COLUMN_RULES: [(&str, Rule); 65] = [
    ("orienteering exports", orienteering_exports),
    ("weekdays", weekdays),
    ("named games", named_games),
    ("numbers beside names", numbers_beside_names),
    ("names in two columns", names_in_two_columns),
    ("members in columns", members_in_columns),
    ("ids as names", ids_as_names),
    ("places of fields", places_of_fields),
    ("overall place", overall_place),
    ("places under compounds", places_under_compounds),
    ("divisions that rank", divisions_that_rank),
    ("places that agree", places_that_agree),
    ("id of the noun", id_of_the_noun),
    ("ids that agree", ids_that_agree),
    ("nations of people", nations_of_people),
    ("rival names", rival_names),
    ("id around rows", id_around_rows),
    ("stated divisions", stated_divisions),
    ("ids of parts", ids_of_parts),
    ("rounds beside names", rounds_beside_names),
    ("days of events", days_of_events),
    ("unread dates", unread_dates),
    ("dates in columns", dates_in_columns),
    ("years of contests", years_of_contests),
    ("links of rows", links_of_rows),
    ("start numbers", start_numbers),
    ("running orders", running_orders),
    ("ids within dates", ids_within_dates),
    ("places in words", places_in_words),
    ("results beside times", results_beside_times),
    ("medals", medals),
    ("letters of medals", letters_of_medals),
    ("weights of contests", weights_of_contests),
    ("falling places", falling_places),
    ("starting ratings", starting_ratings),
    ("wins in words", wins_in_words),
    ("flags of statuses", flags_of_statuses),
    ("statuses", statuses),
    ("statuses beside times", statuses_beside_times),
    ("statuses beside results", statuses_beside_results),
    ("statuses in other columns", statuses_in_other_columns),
    ("rival times", rival_times),
    ("gaps beside places", gaps_beside_places),
    ("placeholders among places", placeholders_among_places),
    ("played games", played_games),
    ("finishes without places", finishes_without_places),
    ("ranking among vague places", ranking_among_vague_places),
    ("contests within one ranking", contests_within_one_ranking),
    ("numbers of competitors", numbers_of_competitors),
    ("classes within one ranking", classes_within_one_ranking),
    ("classes within one order", classes_within_one_order),
    ("scores in words", scores_in_words),
    ("points of seasons", points_of_seasons),
    ("ranking that is not read", ranking_beside_scores),
    ("columns before times", columns_before_times),
    ("results that break ties", results_that_break_ties),
    ("winners beside scores", winners_beside_scores),
    ("doubtful scores", doubtful_scores),
    ("genders in lists", genders_in_lists),
    ("crew of the helm", crew_of_helm),
    ("people beside teams", people_beside_teams),
    ("teams as affiliations", teams_as_affiliations),
    ("bare id", bare_id_of_competitors),
    ("same name by", same_name_by),
    ("footnotes of scores", footnotes_of_scores),
];

/// Applies all rules to a table.
pub(crate) fn apply_column_rules(
    table: &mut HeaderTable,
    options: &ReadOptions,
) -> Result<(), FileReadError> {
    for (rule, find) in COLUMN_RULES {
        if let Some(evidence) = find(table, options)? {
            tracing::debug!("rule \"{rule}\": {evidence}");
            table.apply(evidence)?;
        }
    }
    Ok(())
}

/// Finds a single column of sums that is headed "overall" and holds places: a ranking beside columns
/// of times, of which it cannot be the sum.
fn overall_place(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Place, Score, Summary};
    let &[(strength, column)] = table.claims(Summary) else {
        return Ok(None);
    };
    if strength == MatchStrength::Stated
        || table.has_column(Place)
        || !is_overall_heading(table.heading(column))
    {
        return Ok(None);
    }
    let holds_times = |&column: &usize| holds_times(table, column);
    let scores: Vec<usize> = table.claims(Score).iter().map(|claim| claim.1).collect();
    let has_times = if scores.is_empty() {
        table.unknown_columns.iter().any(holds_times)
    } else {
        scores.iter().all(holds_times)
    };
    let is_place = has_times && rank_all(table, table.contest_rows(), column);
    Ok(is_place.then(|| {
        let observation = format!("{} holds a ranking beside times", table.describe_column(column));
        Evidence::new(observation, vec![Change::Means(Place, column)])
    }))
}

/// Finds the columns that tell competitors of one name apart, as the user says: no contests.
fn same_name_by(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(heading) = &options.same_name_by else {
        return Ok(None);
    };
    let columns = table.unknown_columns.iter().copied();
    let columns = columns.filter(|&column| table.heading(column) == heading);
    let changes = columns.map(Change::IsNoContest).collect();
    Ok(Some(Evidence::new("the user names the column", changes)))
}
