//! Tombstones of forgotten persons: the blank that replaces their name, and hashes that recognise
//! the name without storing it.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use ranklore_contest::{
    EntrantKind, ForgottenNames, SearchedName, UnixSeconds, fold_name, mentions_name, replace_names,
};
use rusqlite::params;

use crate::error::{Error, Result};
use crate::file::batch::WriteBatch;
use crate::file::columns::row;
use crate::file::failpoint::failpoint;
use crate::file::open::{Store, Writer};
use crate::ids::{CompetitorId, ContestId, SourceId};
use crate::lock_holder::LockHolder;
use crate::people::decisions::{DecisionAction, DecisionRow};

/// Prefix of the blanks of forgotten persons.
const BLANK_PREFIX: &str = "forgotten-";

/// The tombstones of a source.
#[derive(Clone, Debug, Default)]
pub struct Tombstones {
    key: [u8; 32],
    /// Blanks by the hash of the name as written.
    blanks: HashMap<[u8; 32], String>,
    /// Blanks by the hashes of spellings.
    spellings: HashMap<[u8; 32], String>,
    /// Numbers of words of the names searched for within texts.
    word_counts: BTreeSet<usize>,
    /// The persons and spellings added since the tombstones were loaded.
    added: AddedNames,
}

/// Names that are to be stored.
#[derive(Clone, Debug, Default)]
struct AddedNames {
    /// Hashes of names as written, with new blanks.
    persons: Vec<([u8; 32], String)>,
    /// Blanks of persons who have tombstones, but whose names have appeared again.
    known: Vec<String>,
    spellings: Vec<(Spelling, String)>,
}

impl Tombstones {
    /// Returns true if no person is forgotten.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blanks.is_empty()
    }

    /// Returns the number of forgotten persons.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blanks.len()
    }

    /// Returns true if a name is the blank of a forgotten person, in any spelling.
    #[must_use]
    pub fn is_blank(&self, name: &str) -> bool {
        // Fast path for almost every name.
        name.starts_with(BLANK_PREFIX)
            && self.blanks.values().any(|blank| {
                let rest = name.strip_prefix(blank.as_str());
                rest.is_some_and(|rest| rest.is_empty() || is_spelling_suffix(rest))
            })
    }

    /// Returns true if a text contains the blank of a forgotten person.
    #[must_use]
    pub fn contains_blank(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        text.contains(BLANK_PREFIX)
            && self.blanks.values().any(|blank| text.contains(blank.as_str()))
    }

    /// Adds a person who is to be called `blank`, as [`Store::blank_for`] returns it.
    pub fn add_name(&mut self, name: &str, blank: &str) {
        let hash = name_hash(&self.key, name);
        if self.is_blank(blank) {
            self.added.known.push(blank.to_owned());
        } else {
            self.added.persons.push((hash, blank.to_owned()));
        }
        if name != blank {
            self.blanks.insert(hash, blank.to_owned());
            self.add_spelling(Spelling::whole(&self.key, name), blank);
            self.add_display_name(name, blank);
        }
    }

    /// Adds another name of a person, to be found within texts.
    pub fn add_display_name(&mut self, name: &str, blank: &str) {
        if let Some(spelling) = Spelling::within_text(&self.key, name) {
            self.add_spelling(spelling, blank);
        }
    }

    fn add_spelling(&mut self, spelling: Spelling, blank: &str) {
        self.word_counts.extend(spelling.words);
        if let Entry::Vacant(entry) = self.spellings.entry(spelling.hash) {
            entry.insert(blank.to_owned());
            self.added.spellings.push((spelling, blank.to_owned()));
        }
    }

    /// Returns the blank for another spelling of a name. Different spellings get different blanks,
    /// so that two competitors never become one.
    fn blank_for_spelling(&self, blank: &str, written: &str) -> String {
        let hash = name_hash(&self.key, written);
        let exact = self.blanks.get(&hash);
        exact.cloned().unwrap_or_else(|| {
            let [a, b, c, ..] = hash;
            format!("{blank}-{a:02x}{b:02x}{c:02x}")
        })
    }

    fn find_in_text(&self, key: &str) -> Option<&String> {
        self.spellings.get(&spelling_hash(&self.key, WITHIN_TEXT, key))
    }
}

impl ForgottenNames for Tombstones {
    fn placeholder(&self, name: &str) -> Option<String> {
        if self.is_empty() || self.is_blank(name) {
            return None;
        }
        if let Some(blank) = self.blanks.get(&name_hash(&self.key, name)) {
            return Some(blank.clone());
        }
        let blank = self.spellings.get(&Spelling::whole(&self.key, name).hash)?;
        Some(self.blank_for_spelling(blank, name))
    }

    fn replace_in_text(&self, text: &str) -> Option<String> {
        replace_names(text, &self.word_counts, &|key, written| {
            let blank = self.find_in_text(key)?;
            Some(self.blank_for_spelling(blank, written))
        })
    }

    fn is_mentioned_in(&self, text: &str) -> bool {
        mentions_name(text, &self.word_counts, &|key| self.find_in_text(key).is_some())
    }
}

/// True if the text is the suffix of the blank for another spelling.
fn is_spelling_suffix(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A name as it is recognised in any case and Unicode normalisation.
#[derive(Clone, Debug)]
struct Spelling {
    hash: [u8; 32],
    /// Number of words, if it is searched for within texts.
    words: Option<usize>,
}

/// The prefixes of hashed spellings: no name is taken for the other kind.
const WHOLE: &str = "whole ";
const WITHIN_TEXT: &str = "within ";

impl Spelling {
    /// Returns the spelling of a name that identifies a person.
    fn whole(key: &[u8; 32], name: &str) -> Self {
        Self {
            hash: spelling_hash(key, WHOLE, &fold_name(name)),
            words: None,
        }
    }

    /// Returns the spelling of a name within texts, unless it is too short to be searched for.
    fn within_text(key: &[u8; 32], name: &str) -> Option<Self> {
        let searched_name = SearchedName::new(name)?;
        Some(Self {
            hash: spelling_hash(key, WITHIN_TEXT, &searched_name.key),
            words: Some(searched_name.words),
        })
    }
}

fn spelling_hash(key: &[u8; 32], prefix: &str, text: &str) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(prefix.as_bytes()).update(text.as_bytes());
    *hasher.finalize().as_bytes()
}

/// Returns the hash of a name under the key of its source.
#[must_use]
pub fn name_hash(key: &[u8; 32], name: &str) -> [u8; 32] {
    spelling_hash(key, "", name)
}

row! {
    /// Tombstones without a completed vacuum.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct PendingVacuum {
        /// Number of forgotten persons whose names may remain in free pages of the file.
        pub persons: u64,
        /// The source of one of them.
        pub source: String,
    }
}

impl Store {
    /// Loads the tombstones of a source.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn tombstones(&self, source_id: SourceId) -> Result<Tombstones> {
        let Some(key) = self.name_key(source_id)? else {
            return Ok(Tombstones::default());
        };
        let mut tombstones = Tombstones {
            key,
            blanks: self.query(
                "SELECT name_hash, blank FROM tombstone WHERE source_id = ?1",
                [source_id],
            )?,
            ..Tombstones::default()
        };
        self.for_each(
            "SELECT name_hash, words, blank FROM tombstone_spelling WHERE source_id = ?1",
            [source_id],
            |(name_hash, words, blank): (_, Option<usize>, _)| {
                tombstones.word_counts.extend(words);
                tombstones.spellings.insert(name_hash, blank);
            },
        )?;
        Ok(tombstones)
    }

    /// Returns the tombstones whose names may remain in free pages of the file.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn pending_vacuum(&self) -> Result<Option<PendingVacuum>> {
        self.query(
            "SELECT count(*), min(name) FROM tombstone JOIN source USING (source_id)
             WHERE swept_at IS NULL HAVING count(*) > 0",
            [],
        )
    }

    /// Returns the blank of a person with this name, or the one that they would get.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn blank_for(
        &self,
        source_id: SourceId,
        name: &str,
        tombstones: &Tombstones,
    ) -> Result<String> {
        if tombstones.is_blank(name) {
            return Ok(name.to_owned());
        }
        if let Some(blank) = tombstones.placeholder(name) {
            return Ok(blank);
        }
        let mut number = tombstones.len() + 1;
        loop {
            let blank = format!("{BLANK_PREFIX}{number}");
            // The blank must not occur in a text either: redacting the text would make two texts
            // equal.
            let is_taken: bool = self.query(
                "SELECT EXISTS (SELECT 1 FROM competitor WHERE source_id = ?1
                         AND (instr(lower(external_id), ?2) > 0 OR instr(lower(name), ?2) > 0))
                     OR EXISTS (SELECT 1 FROM contest WHERE source_id = ?1
                         AND instr(lower(external_id || ' ' || name || ' ' || coalesce(event, '')
                             || ' ' || coalesce(division, '')), ?2) > 0)",
                params![source_id, blank],
            )?;
            if !is_taken && !tombstones.is_blank(&blank) {
                return Ok(blank);
            }
            number += 1;
        }
    }

    /// Counts the contests with a person, as an entrant or as a member.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_contests_of_person(&self, source_id: SourceId, external_id: &str) -> Result<u64> {
        Ok(match self.find_person(source_id, external_id)? {
            Some(person) => self.contests_of_person(person)?.len() as u64,
            None => 0,
        })
    }

    /// Counts the decisions about a person, and others that contain their name: those that
    /// [`WriteBatch::anonymise_person`] would change.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_decisions_mentioning(
        &self,
        source_id: SourceId,
        external_id: &str,
        names: &[String],
        tombstones: &Tombstones,
    ) -> Result<u64> {
        let decisions = self.decisions(source_id)?;
        let mentions = decisions
            .iter()
            .filter(|row| mentions_person(row, external_id, names, tombstones));
        Ok(mentions.count() as u64)
    }

    pub(crate) fn find_person(
        &self,
        source_id: SourceId,
        external_id: &str,
    ) -> Result<Option<CompetitorId>> {
        self.query(
            "SELECT competitor_id FROM competitor
             WHERE source_id = ?1 AND kind = 'person' AND external_id = ?2",
            params![source_id, external_id],
        )
    }

    /// Returns the contests with a person, as an entrant or as a member.
    fn contests_of_person(&self, person: CompetitorId) -> Result<Vec<ContestId>> {
        self.query(
            "SELECT contest_id FROM standing WHERE competitor_id = ?1
             UNION SELECT contest_id FROM member WHERE person_id = ?1 ORDER BY 1",
            [person],
        )
    }
}

/// True if a decision is about a person, gives one of the person's names, or contains one in a text.
fn mentions_person(
    row: &DecisionRow,
    external_id: &str,
    names: &[String],
    tombstones: &Tombstones,
) -> bool {
    let decision = &row.decision;
    let object = decision.object.as_deref();
    let is_of_person = decision.kind == Some(EntrantKind::Person);
    if is_of_person
        && (decision.subject == external_id
            || decision.action == DecisionAction::Merge && object == Some(external_id))
    {
        return true;
    }
    let is_name = |text: &str| names.iter().any(|name| name == text);
    if decision.action == DecisionAction::Rename && object.is_some_and(is_name) {
        return true;
    }
    let texts = [Some(&*decision.subject), object].into_iter();
    texts
        .filter(|_| !is_of_person)
        .chain([row.note.as_deref()])
        .flatten()
        .any(|text| is_name(text) || tombstones.is_mentioned_in(text))
}

impl WriteBatch<'_> {
    /// Creates the key that hashes the names of a source, unless it exists.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn ensure_name_key(&mut self, source_id: SourceId) -> Result<()> {
        self.execute(
            "UPDATE source SET name_key = randomblob(32)
             WHERE source_id = ?1 AND name_key IS NULL",
            [source_id],
        )
    }

    /// Stores the persons and spellings that were added to the tombstones of a source since they
    /// were loaded. These persons count as pending until the next vacuum.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn store_tombstones(
        &mut self,
        source_id: SourceId,
        tombstones: &Tombstones,
        now: UnixSeconds,
    ) -> Result<()> {
        let added = &tombstones.added;
        for blank in &added.known {
            // The name has appeared again, so the file needs another vacuum.
            self.execute(
                "UPDATE tombstone SET swept_at = NULL
                 WHERE source_id = ?1 AND (blank = ?2 OR instr(?2, blank || '-') = 1)",
                params![source_id, blank],
            )?;
        }
        for (hash, blank) in &added.persons {
            self.execute(
                "INSERT INTO tombstone (source_id, name_hash, blank, forgotten_at)
                 VALUES (?1, ?2, ?3, ?4)",
                params![source_id, hash, blank, now.get()],
            )?;
        }
        for (spelling, blank) in &added.spellings {
            let words = spelling.words.map(|words| words as i64);
            self.execute(
                "INSERT INTO tombstone_spelling (source_id, name_hash, words, blank)
                 VALUES (?1, ?2, ?3, ?4)",
                params![source_id, spelling.hash, words, blank],
            )?;
        }
        Ok(())
    }

    /// Replaces a person's names by the blank, in standings and in decisions. `names` are the names
    /// they are known by; decisions about others that contain exactly these are redacted as well.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn anonymise_person(
        &mut self,
        source_id: SourceId,
        external_id: &str,
        names: &[String],
        blank: &str,
    ) -> Result<()> {
        let person = self.find_person(source_id, external_id)?;
        // The new name of a rename also names the person, and so may the note.
        for sql in [
            "UPDATE decision SET subject = ?3, note = NULL,
                 object = CASE act WHEN 'rename' THEN ?3 ELSE object END
             WHERE source_id = ?1 AND kind = 'person' AND subject = ?2",
            "UPDATE decision SET object = ?3, note = NULL
             WHERE source_id = ?1 AND kind = 'person' AND act = 'merge' AND object = ?2",
        ] {
            self.execute(sql, params![source_id, external_id, blank])?;
        }
        if let Some(person) = person {
            self.execute(
                "UPDATE competitor SET external_id = ?2, name = ?2 WHERE competitor_id = ?1",
                params![person, blank],
            )?;
            self.delete_name_history(person)?;
        }
        for name in names {
            self.redact_name(source_id, name, blank)?;
        }
        self.clear_caches();
        if let Some(person) = person {
            for contest_id in self.contests_of_person(person)? {
                self.rehash_contest(contest_id)?;
            }
        }
        Ok(())
    }

    /// Updates the content hash of a contest in which names were replaced.
    pub(crate) fn rehash_contest(&self, contest_id: ContestId) -> Result<()> {
        let hash = self.load_contest(contest_id)?.content_hash();
        self.execute(
            "UPDATE contest SET content_hash = ?2 WHERE contest_id = ?1",
            params![contest_id, hash.as_bytes()],
        )
    }

    /// Replaces a name by the blank where a decision gave it to another competitor or has it as its
    /// note, and in sync reasons. Names that the source itself gives to other competitors stay: a
    /// team may have the same name.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn redact_name(&mut self, source_id: SourceId, name: &str, blank: &str) -> Result<()> {
        self.redact_sync_reasons(source_id, name)?;
        for sql in [
            "UPDATE decision SET object = ?3
             WHERE source_id = ?1 AND act = 'rename' AND object = ?2",
            "UPDATE decision SET note = ?3 WHERE source_id = ?1 AND note = ?2",
            "UPDATE competitor SET name = ?3
             WHERE source_id = ?1 AND name = ?2 AND external_id <> ?2",
            "UPDATE OR REPLACE competitor_name SET name = ?3
             WHERE name = ?2 AND competitor_id IN (SELECT competitor_id FROM competitor
                 WHERE source_id = ?1 AND external_id <> ?2)",
        ] {
            self.execute(sql, params![source_id, name, blank])?;
        }
        Ok(())
    }
}

impl Writer {
    /// Rewrites the whole file, so that no forgotten name remains in free pages or in the log.
    ///
    /// # Errors
    /// [`Error::DiskFull`]: needs the size of the file again; the database is then unchanged.
    /// [`Error::InUse`] if a reader still holds old pages.
    pub fn vacuum(&mut self, now: UnixSeconds) -> Result<()> {
        failpoint("sweep: before");
        self.rewrite_file()?;
        failpoint("sweep: written anew");
        // The log holds the old pages until it is truncated.
        if !self.truncate_wal()? {
            return Err(Error::InUse {
                path: self.path().to_owned(),
                holder: LockHolder::unknown(),
            });
        }
        failpoint("sweep: log cut");
        let batch = self.batch()?;
        batch.execute("UPDATE tombstone SET swept_at = ?1 WHERE swept_at IS NULL", [now.get()])?;
        batch.commit()?;
        failpoint("sweep: noted");
        Ok(())
    }
}
