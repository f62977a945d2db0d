//! Forgotten persons: a blank in place of their name, and hashes by which the name is known again
//! without being kept.

use std::collections::{BTreeSet, HashMap};

use ranklore_contest::{
    Blanks, EntrantKind, SearchedName, UnixSeconds, fold_name, mentions_name, replace_names,
};
use rusqlite::params;

use crate::error::{Error, Result};
use crate::file::batch::{Batch, Caches};
use crate::file::failpoint::failpoint;
use crate::file::lock::Holder;
use crate::file::open::{Store, Writer};
use crate::ids::{CompetitorId, ContestId, SourceId};

/// What the blanks of forgotten persons begin with.
const BLANK: &str = "forgotten-";

/// The forgotten persons of a source.
#[derive(Clone, Debug, Default)]
pub struct Tombstones {
    key: [u8; 32],
    /// Blanks by the hash of the name as it was written.
    blanks: HashMap<[u8; 32], String>,
    /// Blanks by the hash of the folded name.
    folded: HashMap<[u8; 32], String>,
    /// Blanks by the hash of the name as it is searched for within texts.
    within: HashMap<[u8; 32], String>,
    /// The numbers of words of those names.
    lengths: BTreeSet<usize>,
}

impl Tombstones {
    /// Returns true if nobody is forgotten.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blanks.is_empty()
    }

    /// Returns the number of forgotten persons.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blanks.len()
    }

    /// Returns true if a name is the blank of a forgotten person, in whatever spelling.
    #[must_use]
    pub fn is_blank(&self, name: &str) -> bool {
        // Almost every name ends here.
        name.starts_with(BLANK)
            && self.blanks.values().any(|blank| {
                let rest = name.strip_prefix(blank.as_str());
                rest.is_some_and(|rest| rest.is_empty() || is_suffix(rest))
            })
    }

    /// Returns true if a text has the blank of a forgotten person within it.
    #[must_use]
    pub fn has_blank(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        text.contains(BLANK)
            && self
                .blanks
                .values()
                .any(|blank| text.contains(blank.as_str()))
    }

    /// Adds a person of whom there need not be a tombstone in the file.
    pub fn add(&mut self, name: &str, blank: &str) {
        let hash = name_hash(&self.key, name);
        self.blanks.insert(hash, blank.to_owned());
        self.add_spellings(&Spelling::all(name), blank);
    }

    /// Adds a further name of a person, to be found within texts.
    pub fn add_display_name(&mut self, name: &str, blank: &str) {
        self.add_spellings(&Spelling::within(name), blank);
    }

    fn add_spellings(&mut self, spellings: &[Spelling], blank: &str) {
        for spelling in spellings {
            let hash = spelling.hash(&self.key);
            self.add_hash(hash, spelling.words, blank.to_owned());
        }
    }

    fn add_hash(&mut self, hash: [u8; 32], words: Option<usize>, blank: String) {
        self.lengths.extend(words);
        let blanks = match words {
            None => &mut self.folded,
            Some(_) => &mut self.within,
        };
        blanks.entry(hash).or_insert(blank);
    }

    /// Returns the blank of another spelling of a name: different ones stay different, so that no
    /// two competitors become one.
    fn of_spelling(&self, blank: &str, written: &str) -> String {
        let hash = name_hash(&self.key, written);
        let exact = self.blanks.get(&hash);
        exact.cloned().unwrap_or_else(|| {
            let [a, b, c, ..] = hash;
            format!("{blank}-{a:02x}{b:02x}{c:02x}")
        })
    }

    fn found_within(&self, key: &str) -> Option<&String> {
        self.within.get(&Spelling::hash_within(&self.key, key))
    }
}

impl Blanks for Tombstones {
    fn blank(&self, name: &str) -> Option<String> {
        if self.is_empty() || self.is_blank(name) {
            return None;
        }
        if let Some(blank) = self.blanks.get(&name_hash(&self.key, name)) {
            return Some(blank.clone());
        }
        let blank = self.folded.get(&Spelling::hash_folded(&self.key, name))?;
        Some(self.of_spelling(blank, name))
    }

    fn blank_text(&self, text: &str) -> Option<String> {
        replace_names(text, &self.lengths, &|key, written| {
            let blank = self.found_within(key)?;
            Some(self.of_spelling(blank, written))
        })
    }

    fn is_mentioned(&self, text: &str) -> bool {
        mentions_name(text, &self.lengths, &|key| self.found_within(key).is_some())
    }
}

/// True if this stands behind the blank of another spelling.
fn is_suffix(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or_default();
    digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A name as it is compared with others whatever their case and Unicode form.
#[derive(Debug)]
struct Spelling {
    text: String,
    /// Its number of words, if it is searched for within texts.
    words: Option<usize>,
}

impl Spelling {
    /// Returns the spellings of a name that identifies a person.
    fn all(name: &str) -> Vec<Self> {
        let whole = Self {
            text: name.to_owned(),
            words: None,
        };
        std::iter::once(whole).chain(Self::within(name)).collect()
    }

    /// Returns the spelling of a name within texts, unless it is too short to be searched for.
    fn within(name: &str) -> Vec<Self> {
        let searched = SearchedName::new(name).into_iter();
        let spellings = searched.map(|searched| Self {
            text: searched.key,
            words: Some(searched.words),
        });
        spellings.collect()
    }

    fn hash(&self, key: &[u8; 32]) -> [u8; 32] {
        match self.words {
            None => Self::hash_folded(key, &self.text),
            Some(_) => Self::hash_within(key, &self.text),
        }
    }

    fn hash_folded(key: &[u8; 32], name: &str) -> [u8; 32] {
        name_hash(key, &["whole ", &fold_name(name)].concat())
    }

    fn hash_within(key: &[u8; 32], searched: &str) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(key);
        hasher.update(b"within ").update(searched.as_bytes());
        *hasher.finalize().as_bytes()
    }
}

/// Returns the hash of a name under the key of its source.
#[must_use]
pub fn name_hash(key: &[u8; 32], name: &str) -> [u8; 32] {
    *blake3::keyed_hash(key, name.as_bytes()).as_bytes()
}

/// What is forgotten of a person beside documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Contests they stood in, alone or as a member.
    pub contests: u64,
    /// Decisions about them, and those about others that say their name and nothing else.
    pub decisions: u64,
}

/// A sweep that was begun and did not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unswept {
    /// How many forgotten persons may still be read in pages that the file no longer uses.
    pub persons: u64,
    /// The source of one of them.
    pub source: String,
}

impl Store {
    /// The forgotten persons of a source.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn tombstones(&self, source_id: SourceId) -> Result<Tombstones> {
        let key: Option<[u8; 32]> = self.value(
            "SELECT name_key FROM source WHERE source_id = ?1",
            [source_id],
        )?;
        let Some(key) = key else {
            return Ok(Tombstones::default());
        };
        let mut tombstones = Tombstones {
            key,
            blanks: self.rows(
                "SELECT name_hash, blank FROM tombstone WHERE source_id = ?1",
                [source_id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?,
            ..Tombstones::default()
        };
        self.rows(
            "SELECT name_hash, words, blank FROM tombstone_spelling WHERE source_id = ?1",
            [source_id],
            |row| {
                let words: Option<i64> = row.get(1)?;
                let words = words.map(|words| words as usize);
                tombstones.add_hash(row.get(0)?, words, row.get(2)?);
                Ok(())
            },
        )
        .map(|()| tombstones)
    }

    /// Whether forgotten persons may still be read in pages that the file no longer uses.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn unswept(&self) -> Result<Option<Unswept>> {
        self.row(
            "SELECT count(*), min(name) FROM tombstone JOIN source USING (source_id)
             WHERE swept_at IS NULL HAVING count(*) > 0",
            [],
            |row| {
                Ok(Unswept {
                    persons: row.get::<_, i64>(0)? as u64,
                    source: row.get(1)?,
                })
            },
        )
    }

    /// The blank that a person of this name has, or would get beside those forgotten.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn blank_for(
        &self,
        source_id: SourceId,
        name: &str,
        tombstones: &Tombstones,
    ) -> Result<String> {
        if tombstones.is_blank(name) {
            return Ok(name.to_owned());
        }
        if let Some(blank) = tombstones.blank(name) {
            return Ok(blank);
        }
        let mut number = tombstones.len() + 1;
        loop {
            let blank = format!("{BLANK}{number}");
            // Nor may a text have it: the name within another text would become the same.
            let is_taken: bool = self.value(
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

    /// What [`Batch::blank_person`] would change.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn mentions_of(
        &self,
        source_id: SourceId,
        external_id: &str,
        names: &[String],
        tombstones: &Tombstones,
    ) -> Result<Forgotten> {
        let contests = match self.person(source_id, external_id)? {
            Some(person) => self.contests_with(person)?.len() as u64,
            None => 0,
        };
        let mut decisions = 0;
        for row in self.decisions(source_id)? {
            let decision = &row.decision;
            let about = decision.kind() == Some(EntrantKind::Person)
                && (decision.subject() == external_id
                    || decision.act() == "merge" && decision.object() == Some(external_id));
            let is_name = |text: &str| names.iter().any(|name| name == text);
            let named = decision.act() == "rename" && decision.object().is_some_and(is_name);
            let texts = [Some(decision.subject()), decision.object()];
            let texts = texts
                .into_iter()
                .filter(|_| decision.kind() != Some(EntrantKind::Person));
            let mut texts = texts.chain([row.note.as_deref()]).flatten();
            let within = texts.any(|text| is_name(text) || tombstones.is_mentioned(text));
            decisions += u64::from(about || named || within);
        }
        Ok(Forgotten {
            contests,
            decisions,
        })
    }

    pub(crate) fn person(
        &self,
        source_id: SourceId,
        external_id: &str,
    ) -> Result<Option<CompetitorId>> {
        self.row(
            "SELECT competitor_id FROM competitor
             WHERE source_id = ?1 AND kind = 'person' AND external_id = ?2",
            params![source_id, external_id],
            |row| row.get(0),
        )
    }

    /// The contests a person stood in, alone or as a member.
    fn contests_with(&self, person: CompetitorId) -> Result<Vec<ContestId>> {
        self.rows(
            "SELECT contest_id FROM standing WHERE competitor_id = ?1
             UNION SELECT contest_id FROM member WHERE person_id = ?1 ORDER BY 1",
            [person],
            |row| row.get(0),
        )
    }
}

impl Batch<'_> {
    /// Gives a source the key with which names of it are hashed, unless it has one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn need_name_key(&mut self, source_id: SourceId) -> Result<()> {
        self.execute(
            "UPDATE source SET name_key = randomblob(32)
             WHERE source_id = ?1 AND name_key IS NULL",
            [source_id],
        )
        .map(drop)
    }

    /// Puts a tombstone for a person of this name, unless there is one or the name is a blank
    /// itself, and returns the blank. Until the next sweep the person counts as unswept.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn bury(&mut self, source_id: SourceId, name: &str, now: UnixSeconds) -> Result<String> {
        self.need_name_key(source_id)?;
        let tombstones = self.tombstones(source_id)?;
        let blank = self.blank_for(source_id, name, &tombstones)?;
        if tombstones.is_blank(&blank) {
            // Whoever is forgotten again has come up somewhere again.
            self.execute(
                "UPDATE tombstone SET swept_at = NULL
                 WHERE source_id = ?1 AND (blank = ?2 OR instr(?2, blank || '-') = 1)",
                params![source_id, blank],
            )?;
        } else {
            let hash = name_hash(&tombstones.key, name);
            self.execute(
                "INSERT INTO tombstone (source_id, name_hash, blank, forgotten_at)
                 VALUES (?1, ?2, ?3, ?4)",
                params![source_id, hash, blank, now.get()],
            )?;
        }
        if name != blank {
            self.put_spellings(source_id, &tombstones.key, &Spelling::all(name), &blank)?;
        }
        Ok(blank)
    }

    /// Notes a further name of a forgotten person, so that it is found within texts that come
    /// later.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn put_display_name(&mut self, source_id: SourceId, name: &str, blank: &str) -> Result<()> {
        let key = self.tombstones(source_id)?.key;
        self.put_spellings(source_id, &key, &Spelling::within(name), blank)
    }

    fn put_spellings(
        &self,
        source_id: SourceId,
        key: &[u8; 32],
        spellings: &[Spelling],
        blank: &str,
    ) -> Result<()> {
        for spelling in spellings {
            let words = spelling.words.map(|words| words as i64);
            self.execute(
                "INSERT OR IGNORE INTO tombstone_spelling
                     (source_id, name_hash, words, blank) VALUES (?1, ?2, ?3, ?4)",
                params![source_id, spelling.hash(key), words, blank],
            )?;
        }
        Ok(())
    }

    /// Puts the blank in place of a person's names, in standings and in decisions. `names` are
    /// those they are known by: what others say in these very words goes as well.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn blank_person(
        &mut self,
        source_id: SourceId,
        external_id: &str,
        names: &[String],
        blank: &str,
    ) -> Result<()> {
        let person = self.person(source_id, external_id)?;
        // A new name is a name of theirs as well, and so may be the reason that was noted.
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
            self.uncall(person)?;
        }
        for name in names {
            self.blank_name(source_id, name, blank)?;
        }
        *self.caches() = Caches::default();
        if let Some(person) = person {
            for contest_id in self.contests_with(person)? {
                self.hash_contest_again(contest_id)?;
            }
        }
        Ok(())
    }

    /// Notes the hash of a contest in which names were replaced.
    pub(crate) fn hash_contest_again(&self, contest_id: ContestId) -> Result<()> {
        let hash = self.load_contest(contest_id)?.content_hash();
        self.execute(
            "UPDATE contest SET content_hash = ?2 WHERE contest_id = ?1",
            params![contest_id, hash.as_bytes()],
        )
        .map(drop)
    }

    /// Puts the blank in place of a name that a decision gave to somebody else or has for a
    /// note, and takes away reasons that have it. What a source itself calls somebody stays: a
    /// team may be called so.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn blank_name(&mut self, source_id: SourceId, name: &str, blank: &str) -> Result<()> {
        self.forget_in_reasons(source_id, name)?;
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
    /// Writes the whole file anew, so that nothing of what was forgotten is left in pages that
    /// it no longer uses, nor in its log.
    ///
    /// # Errors
    /// [`Error::DiskFull`]: it needs as much room as the file has, and the file is as it was;
    /// [`Error::InUse`] when a reader does not let go of the old pages.
    pub fn sweep(&mut self, now: UnixSeconds) -> Result<()> {
        failpoint("sweep: before");
        self.vacuum()?;
        failpoint("sweep: written anew");
        // The log has the old pages as well until it is cut.
        if !self.cut_log()? {
            return Err(Error::InUse {
                path: self.path().to_owned(),
                holder: Holder::unknown(),
            });
        }
        failpoint("sweep: log cut");
        self.execute(
            "UPDATE tombstone SET swept_at = ?1 WHERE swept_at IS NULL",
            [now.get()],
        )?;
        failpoint("sweep: noted");
        Ok(())
    }
}
