//! Teams that are called after their people, of whom one is forgotten.

use std::collections::BTreeMap;

use rusqlite::params;

use crate::error::Result;
use crate::file::batch::Batch;
use crate::file::batch::Caches;
use crate::ids::{CompetitorId, ContestId, SourceId};

impl Batch<'_> {
    /// Calls the teams of a person anew that are called after their people: `called` says what a
    /// team of these people is called, if so, who come in the order of their names. To be done
    /// before [`Batch::blank_person`], with the same blank.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn blank_teams(
        &mut self,
        source_id: SourceId,
        external_id: &str,
        blank: &str,
        called: &dyn Fn(&[String]) -> Option<String>,
    ) -> Result<()> {
        let Some(person) = self.person(source_id, external_id)? else {
            return Ok(());
        };
        let mut renamed = BTreeMap::new();
        for stood in self.stood_in_teams(person)? {
            let mut people = stood.people.clone();
            let after_people = {
                let names: Vec<String> = people.iter().map(|of| of.1.clone()).collect();
                called(&names).as_ref() == Some(&stood.name)
            };
            if !after_people {
                continue;
            }
            for (id, name) in &mut people {
                if *id == person {
                    blank.clone_into(name);
                }
            }
            people.sort_by(|a, b| a.1.cmp(&b.1));
            let names: Vec<String> = people.iter().map(|of| of.1.clone()).collect();
            if let Some(name) = called(&names) {
                renamed.insert(stood.team, (stood.name.clone(), name));
            }
            self.put_members(&stood, people.into_iter().map(|of| of.0))?;
        }
        for (team, (before, after)) in renamed {
            self.call_team(source_id, team, &before, &after)?;
        }
        *self.caches() = Caches::default();
        Ok(())
    }

    /// Everywhere a person stood as a member.
    fn stood_in_teams(&self, person: CompetitorId) -> Result<Vec<StoodInTeam>> {
        self.sql(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT contest_id, mine.competitor_id, team.external_id
                 FROM (SELECT DISTINCT contest_id, competitor_id FROM member
                     WHERE person_id = ?1) AS mine
                 JOIN competitor AS team USING (competitor_id) ORDER BY 1, 2",
            )?;
            let mut of_team = connection.prepare_cached(
                "SELECT person_id, external_id FROM member
                 JOIN competitor ON competitor.competitor_id = person_id
                 WHERE contest_id = ?1 AND member.competitor_id = ?2 ORDER BY ordinal",
            )?;
            let mut rows = statement.query([person])?;
            let mut stood = Vec::new();
            while let Some(row) = rows.next()? {
                let (contest_id, team) = (row.get(0)?, row.get(1)?);
                let people = of_team.query_map(params![contest_id, team], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
                stood.push(StoodInTeam {
                    contest_id,
                    team,
                    name: row.get(2)?,
                    people: people.collect::<rusqlite::Result<_>>()?,
                });
            }
            Ok(stood)
        })
    }

    fn put_members(
        &self,
        stood: &StoodInTeam,
        people: impl Iterator<Item = CompetitorId>,
    ) -> Result<()> {
        self.sql(|connection| {
            let mut update = connection.prepare_cached(
                "UPDATE member SET person_id = ?4
                 WHERE contest_id = ?1 AND competitor_id = ?2 AND ordinal = ?3",
            )?;
            for (index, person) in people.enumerate() {
                let ordinal = index as i64 + 1;
                update.execute(params![stood.contest_id, stood.team, ordinal, person])?;
            }
            Ok(())
        })
    }

    fn call_team(
        &self,
        source_id: SourceId,
        team: CompetitorId,
        before: &str,
        after: &str,
    ) -> Result<()> {
        self.sql(|connection| {
            connection
                .prepare_cached(
                    "UPDATE competitor SET external_id = ?3,
                         name = CASE name WHEN ?2 THEN ?3 ELSE name END WHERE competitor_id = ?1",
                )?
                .execute(params![team, before, after])?;
            connection
                .prepare_cached(
                    "UPDATE OR REPLACE competitor_name SET name = ?3
                     WHERE competitor_id = ?1 AND name = ?2",
                )?
                .execute(params![team, before, after])?;
            for sql in [
                "UPDATE decision SET subject = ?3
                 WHERE source_id = ?1 AND kind <> 'person' AND subject = ?2",
                "UPDATE decision SET object = ?3
                 WHERE source_id = ?1 AND kind <> 'person' AND object = ?2",
            ] {
                connection
                    .prepare_cached(sql)?
                    .execute(params![source_id, before, after])?;
            }
            Ok(())
        })?;
        self.forget_in_reasons(source_id, before)
    }
}

/// A person who stood as a member of a team.
struct StoodInTeam {
    contest_id: ContestId,
    team: CompetitorId,
    /// What the team is called.
    name: String,
    /// Everybody in it, in order.
    people: Vec<(CompetitorId, String)>,
}
