//! Renaming of teams that are named after their members, when a member is forgotten.

use std::collections::BTreeMap;

use rusqlite::params;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::ids::{CompetitorId, ContestId, SourceId};

impl WriteBatch<'_> {
    /// Renames the teams of a person that are named after their members. `name_team` returns the
    /// name of such a team for its members, sorted by name; `None` if it cannot be named so. Call
    /// it before [`WriteBatch::anonymise_person`], with the same blank.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn anonymise_team_names(
        &mut self,
        source_id: SourceId,
        external_id: &str,
        blank: &str,
        name_team: &dyn Fn(&[String]) -> Option<String>,
    ) -> Result<()> {
        let Some(person) = self.find_person(source_id, external_id)? else {
            return Ok(());
        };
        let mut renamed = BTreeMap::new();
        let appearances: Vec<(ContestId, CompetitorId, String)> = self.query(
            "SELECT contest_id, mine.competitor_id, team.external_id
             FROM (SELECT DISTINCT contest_id, competitor_id FROM member
                 WHERE person_id = ?1) AS mine
             JOIN competitor AS team USING (competitor_id) ORDER BY 1, 2",
            [person],
        )?;
        for (contest_id, team, before) in appearances {
            let mut people: Vec<(CompetitorId, String)> = self.query(
                "SELECT person_id, external_id FROM member
                 JOIN competitor ON competitor.competitor_id = person_id
                 WHERE contest_id = ?1 AND member.competitor_id = ?2 ORDER BY ordinal",
                params![contest_id, team],
            )?;
            if name_team(&names(&people)).as_ref() != Some(&before) {
                continue;
            }
            for (id, name) in &mut people {
                if *id == person {
                    blank.clone_into(name);
                }
            }
            people.sort_by(|a, b| a.1.cmp(&b.1));
            if let Some(after) = name_team(&names(&people)) {
                renamed.insert(team, (before, after));
            }
            for (ordinal, (person, _)) in (1_i64..).zip(&people) {
                self.execute(
                    "UPDATE member SET person_id = ?4
                     WHERE contest_id = ?1 AND competitor_id = ?2 AND ordinal = ?3",
                    params![contest_id, team, ordinal, person],
                )?;
            }
        }
        for (team, (before, after)) in renamed {
            self.rename_team(source_id, team, &before, &after)?;
        }
        self.clear_caches();
        Ok(())
    }

    fn rename_team(
        &self,
        source_id: SourceId,
        team: CompetitorId,
        before: &str,
        after: &str,
    ) -> Result<()> {
        self.execute_all(
            "UPDATE competitor SET external_id = ?3,
                 name = CASE name WHEN ?2 THEN ?3 ELSE name END WHERE competitor_id = ?1;
             UPDATE OR REPLACE competitor_name SET name = ?3
                 WHERE competitor_id = ?1 AND name = ?2",
            params![team, before, after],
        )?;
        self.execute_all(
            "UPDATE decision SET subject = ?3
                 WHERE source_id = ?1 AND kind <> 'person' AND subject = ?2;
             UPDATE decision SET object = ?3
                 WHERE source_id = ?1 AND kind <> 'person' AND object = ?2",
            params![source_id, before, after],
        )?;
        self.redact_sync_reasons(source_id, before)
    }
}

fn names(people: &[(CompetitorId, String)]) -> Vec<String> {
    people.iter().map(|(_, name)| name.clone()).collect()
}
