//! The content hash of a contest, independent of database ids, fetch times and the document's
//! format.

use crate::contest::Contest;

/// A BLAKE3 hash of all data that a rating could depend on: identity, time, weights, ceiling and
/// the standings. Equal hashes mean equal results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Returns the hash with these bytes, read back from storage.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl Contest {
    /// Returns the content hash. Every field has a length or a tag in front, so that different
    /// contests write different bytes. Entrants are hashed in order of (place, competitor), so that
    /// the order within a tie does not matter.
    #[must_use]
    pub fn content_hash(&self) -> ContentHash {
        let mut bytes = Vec::with_capacity(64 + 32 * self.entrants.len());
        write_text(&mut bytes, &self.external_id);
        write_text(&mut bytes, &self.name);
        write_optional_text(&mut bytes, self.event.as_deref());
        write_optional_text(&mut bytes, self.division.as_deref());
        write_integer(&mut bytes, self.ordinal);
        write_integer(&mut bytes, self.starts_at.map(crate::ContestTime::get));
        write_integer(&mut bytes, Some(self.ends_at.get()));
        write_number(&mut bytes, Some(self.weight));
        write_number(&mut bytes, self.site_weight);
        write_number(&mut bytes, self.performance_ceiling);
        let mut order: Vec<_> = self.entrants.iter().collect();
        order.sort_unstable_by_key(|e| {
            (e.outcome.place().map_or(u32::MAX, crate::Place::get), &e.competitor)
        });
        for entrant in &order {
            write_text(&mut bytes, &entrant.competitor);
            write_text(&mut bytes, entrant.kind.as_str());
            write_integer(&mut bytes, entrant.outcome.place().map(|place| i64::from(place.get())));
            write_optional_text(&mut bytes, entrant.outcome.status());
            write_number(&mut bytes, entrant.score);
            write_number(&mut bytes, entrant.penalty);
            bytes.extend_from_slice(&(entrant.members.len() as u64).to_le_bytes());
            for member in &entrant.members {
                write_text(&mut bytes, member);
            }
        }
        // Only where there are sides, so that the hashes of all other contests stay as they were.
        // No text has this length.
        if order.iter().any(|entrant| entrant.side.is_some()) {
            bytes.extend_from_slice(&u64::MAX.to_le_bytes());
            for entrant in &order {
                write_optional_text(&mut bytes, entrant.side.map(crate::Side::as_str));
            }
        }
        ContentHash(*blake3::hash(&bytes).as_bytes())
    }
}

fn write_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

fn write_optional_text(bytes: &mut Vec<u8>, value: Option<&str>) {
    bytes.push(u8::from(value.is_some()));
    if let Some(value) = value {
        write_text(bytes, value);
    }
}

fn write_integer(bytes: &mut Vec<u8>, value: Option<i64>) {
    bytes.push(u8::from(value.is_some()));
    bytes.extend_from_slice(&value.unwrap_or(0).to_le_bytes());
}

fn write_number(bytes: &mut Vec<u8>, value: Option<f64>) {
    bytes.push(u8::from(value.is_some()));
    // Adding 0.0 turns minus zero into zero.
    bytes.extend_from_slice(&(value.unwrap_or(0.0) + 0.0).to_bits().to_le_bytes());
}

#[cfg(test)]
mod tests {
    use crate::contest::{Contest, Entrant, EntrantOutcome, Place, Side};
    use crate::contest_time::ContestTime;

    fn contest() -> Contest {
        let place = |p| EntrantOutcome::Finished(Place::new(p).unwrap());
        Contest {
            external_id: "7".into(),
            name: "Round 7".into(),
            event: None,
            division: None,
            ordinal: None,
            url: None,
            starts_at: None,
            ends_at: ContestTime::MIN,
            weight: 1.0,
            site_weight: None,
            performance_ceiling: None,
            entrants: vec![
                Entrant::person("ada", place(1)),
                Entrant::person("bea", place(2)),
                Entrant::person("cleo", place(2)),
            ],
        }
    }

    #[test]
    fn order_within_tie_keeps_hash() {
        let mut swapped = contest();
        swapped.entrants.swap(1, 2);
        assert_eq!(contest().content_hash(), swapped.content_hash());
    }

    #[test]
    fn each_field_changes_hash() {
        let changes: [fn(&mut Contest); 14] = [
            |c| c.external_id = "8".into(),
            |c| c.name = "Round 7b".into(),
            |c| c.event = Some(String::new()),
            |c| c.division = Some("B".into()),
            |c| c.ordinal = Some(0),
            |c| c.starts_at = Some(ContestTime::MIN),
            |c| c.ends_at = ContestTime::MAX,
            |c| c.weight = 0.5,
            |c| c.performance_ceiling = Some(2000.0),
            |c| c.entrants[0].score = Some(0.0),
            |c| c.entrants[2].outcome = EntrantOutcome::DidNotFinish,
            |c| c.entrants[2].members.push("dot".into()),
            |c| c.entrants[0].side = Some(Side::White),
            |c| c.entrants[1].side = Some(Side::White),
        ];
        for (index, change) in changes.iter().enumerate() {
            let mut changed = contest();
            change(&mut changed);
            assert_ne!(contest().content_hash(), changed.content_hash(), "{index}");
        }
    }
}
