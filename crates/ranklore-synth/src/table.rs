//! A league as a table.

use std::io::{self, Write};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::league::League;

impl League {
    /// Writes a row for each player of each round, as CSV with the columns `contest`, `date`,
    /// `place`, `player`, `team` if there are teams, and `event` and `division` if there are divisions.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let has_teams = self.options.team_size > 1;
        let team_heading = if has_teams { ",team" } else { "" };
        let division_headings = if self.options.divisions > 1 {
            ",event,division"
        } else {
            ""
        };
        writeln!(out, "contest,date,place,player{team_heading}{division_headings}")?;
        for round in self.rounds() {
            // The range of contest times lies within that of jiff.
            let time = Timestamp::from_second(round.time.get()).unwrap_or_default();
            let day = time.to_zoned(TimeZone::UTC).date();
            let event = format!("Round {}", round.number);
            let contest = match round.division {
                Some(division) => format!("{event} Division {division}"),
                None => event.clone(),
            };
            for entrant in &round.entrants {
                let place = entrant.place.map_or("DNF".to_owned(), |place| place.to_string());
                let names: Vec<String> =
                    entrant.members.iter().map(|member| format!("P{member}")).collect();
                let team = names.join("-");
                for name in &names {
                    write!(out, "{contest},{day},{place},{name}")?;
                    if has_teams {
                        write!(out, ",{team}")?;
                    }
                    if let Some(division) = round.division {
                        write!(out, ",{event},{division}")?;
                    }
                    writeln!(out)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{League, LeagueOptions};

    fn table(options: LeagueOptions) -> String {
        let mut table = Vec::new();
        League::new(options).unwrap().write_csv(&mut table).unwrap();
        String::from_utf8(table).unwrap()
    }

    /// Any change of these bytes changes published tables.
    #[test]
    fn same_seed_gives_same_bytes() {
        let options = LeagueOptions {
            players: 6,
            rounds: 2,
            size: Some(4),
            team_size: 2,
            unfinished: 0.3,
            seed: 7,
            ..LeagueOptions::default()
        };
        let expected = "\
contest,date,place,player,team
Round 1,1900-01-01,DNF,P6,P6-P5
Round 1,1900-01-01,DNF,P5,P6-P5
Round 1,1900-01-01,DNF,P3,P3-P1
Round 1,1900-01-01,DNF,P1,P3-P1
Round 2,1900-01-02,1,P3,P3-P4
Round 2,1900-01-02,1,P4,P3-P4
Round 2,1900-01-02,DNF,P6,P6-P2
Round 2,1900-01-02,DNF,P2,P6-P2
";
        assert_eq!(table(options.clone()), expected);
        let divided = table(LeagueOptions {
            players: 4,
            rounds: 1,
            divisions: 2,
            ..LeagueOptions::default()
        });
        let lines: Vec<&str> = divided.lines().collect();
        assert_eq!(lines[0], "contest,date,place,player,event,division");
        assert!(lines[1].starts_with("Round 1 Division 1,1900-01-01,1,P"), "{divided}");
        assert!(lines[4].ends_with(",Round 1,2"), "{divided}");
        let other = LeagueOptions {
            seed: 8,
            ..options.clone()
        };
        assert_ne!(table(options), table(other));
    }
}
