//! Client credentials: where they are read from, and that they are never stored or printed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use ranklore_contest::UnixSeconds;
use ranklore_ingest::{
    Credentials, CredentialsError, MineReport, MineRequest, load_credentials, mine,
};
use ranklore_replay::{NoProgress, Progress};
use ranklore_source::{
    Classification, Document, MediaKind, NameDisplay, Profile, Request, SiteReadError, SiteReading,
    Source, Terms, TokenTerms,
};
use ranklore_test_support::{Reply, Server};
use ranklore_test_support::{TempDatabase, at};
use serde_json::json;
use tempfile::TempDir;

/// The terms of a site for registered programs only.
const TERMS: Terms = Terms {
    interval: Duration::ZERO,
    obeys_robots_txt: false,
    provisional_period: Duration::ZERO,
    names: NameDisplay::AsPublished,
    token: Some(TokenTerms {
        url: "https://accounts.pier.example/token",
        form: &[("grant_type", "client_credentials")],
        registration_url: "https://pier.example/programs",
    }),
    ..Terms::new("https://pier.example")
};

struct PierSource(&'static Profile);

const RESTRICTED_PIER: PierSource = PierSource(&Profile::new("old-pier", TERMS));

/// The site of [`RESTRICTED_PIER`] without registration.
const OPEN_PIER: PierSource = PierSource(&Profile::new(
    "old-pier",
    Terms {
        token: None,
        ..TERMS
    },
));

impl Source for PierSource {
    fn profile(&self) -> &'static Profile {
        self.0
    }

    fn initial_requests(&self) -> Vec<Request> {
        vec![Request::get("boats", MediaKind::Json, "the boats")]
    }

    fn classify(&self, _: &Request, status: u16, _: &[u8]) -> Classification {
        match status {
            200 => Classification::Answer,
            _ => Classification::Invalid(format!("HTTP {status}")),
        }
    }

    fn minimise<'b>(&self, _: &str, body: &'b [u8]) -> Cow<'b, [u8]> {
        Cow::Borrowed(body)
    }

    fn read(&self, _: &Document<'_>) -> Result<SiteReading, SiteReadError> {
        Ok(SiteReading::default())
    }
}

const ID: &str = "jetty-program";
const SECRET: &str = "oil-of-whales";
/// `jetty-program:oil-of-whales`.
const BASIC: &str = "amV0dHktcHJvZ3JhbTpvaWwtb2Ytd2hhbGVz";
const TOKEN: &str = "wick-and-glass";

fn assert_no_secrets(text: &str) {
    for secret in [ID, SECRET, BASIC, TOKEN] {
        assert!(!text.contains(secret), "{text}");
    }
}

/// Records all progress messages.
#[derive(Default)]
struct NoteLog(Mutex<String>);

impl Progress for NoteLog {
    fn begin_task(&self, task: &str, _: u64) {
        self.note(task);
    }

    fn advance(&self, _: u64, _: u64, _: u64) {}

    fn note(&self, line: &str) {
        *self.0.lock().unwrap() += line;
    }

    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Checks every file in a folder and returns their names.
fn assert_no_secret_files(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            for secret in [ID, SECRET, BASIC, TOKEN] {
                let occurrences = bytes.windows(secret.len());
                let occurrences = occurrences.filter(|part| *part == secret.as_bytes()).count();
                assert_eq!(occurrences, 0, "{secret} in {}", path.display());
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            names.push(name);
        }
    }
    names
}

#[test]
fn secrets_are_never_stored_or_printed() {
    let server = Server::new();
    let scratch = TempDatabase::new();
    let token = json!({"access_token": TOKEN, "token_type": "bearer", "expires_in": 3600});
    let refused = json!({"error": "invalid_grant", "error_description": format!("{ID} {SECRET}")});
    let request = MineRequest {
        base_url: Some(server.url().to_owned()),
        interval: Some(Duration::ZERO),
        backoff: Some(Duration::ZERO),
        credentials: Credentials::new(ID.into(), SECRET.into()).ok(),
        ..MineRequest::default()
    };
    let notes = NoteLog::default();
    let mut writer = scratch.open_writer();
    let mut on = |boats: Vec<Reply>, token: &serde_json::Value| -> MineReport {
        server.set_replies("GET /boats", boats);
        server.set_replies("POST /token grant_type=client_credentials", [Reply::json(token)]);
        server.set_replies("POST /token", [Reply::json(token)]);
        mine(&mut writer, &RESTRICTED_PIER, &request, || at(1_700_006_400), &notes).unwrap()
    };
    let good = || Reply::json(&json!([]));
    let echo = format!("[\"Bearer {TOKEN}\"]");
    // Fetched and archived, also after a rejected token.
    assert_eq!(on(vec![good()], &token).answers, 1);
    let expired = Reply::new(401, "text/plain", "expired");
    assert_eq!(on(vec![expired, good()], &token).answers, 1);
    for bad in [
        vec![Reply::new(200, "application/json", echo.clone())],
        vec![good().header("ETag", &format!("\"{TOKEN}\""))],
        vec![Reply::new(404, "text/plain", echo.clone())],
    ] {
        let report = on(bad, &token);
        assert_eq!(report.answers, 0);
        assert_no_secrets(&format!("{report:?}"));
    }
    let report = on(vec![good()], &refused);
    assert!(report.stopped.is_some());
    assert_no_secrets(&format!("{report:?} {request:?}"));

    let names = assert_no_secret_files(scratch.folder());
    assert!(names.iter().any(|name| name.ends_with("-wal")), "{names:?}");
    drop(writer);
    assert_no_secret_files(scratch.folder());
    let notes = notes.0.into_inner().unwrap();
    assert_no_secrets(&notes);
}

#[test]
fn mirror_is_not_requested_without_credentials() {
    let server = Server::new();
    let scratch = TempDatabase::new();
    let request = MineRequest {
        base_url: Some(server.url().to_owned()),
        ..MineRequest::default()
    };
    let now: fn() -> UnixSeconds = || at(1_700_006_400);
    let error =
        mine(&mut scratch.open_writer(), &RESTRICTED_PIER, &request, now, &NoProgress).unwrap_err();
    assert!(error.to_string().contains("https://pier.example/programs"), "{error}");
    assert_eq!(server.take_targets(), [""; 0]);
}

/// Environment variables and a settings file.
struct Environment {
    variables: HashMap<String, OsString>,
    settings: PathBuf,
    _folder: TempDir,
}

impl Environment {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = if cfg!(windows) {
            "APPDATA"
        } else {
            "XDG_CONFIG_HOME"
        };
        let settings = folder.path().join("ranklore").join("config.toml");
        std::fs::create_dir(settings.parent().unwrap()).unwrap();
        Self {
            variables: HashMap::from([(home.to_owned(), folder.path().into())]),
            settings,
            _folder: folder,
        }
    }

    fn set(&mut self, variable: &str, value: &str) {
        self.variables.insert(variable.to_owned(), value.into());
    }

    /// Writes the settings file with private permissions.
    fn write(&self, settings: &str) {
        std::fs::write(&self.settings, settings).unwrap();
        #[cfg(unix)]
        self.set_mode(0o600);
    }

    #[cfg(unix)]
    fn set_mode(&self, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&self.settings, permissions).unwrap();
    }

    fn credentials(&self) -> Result<Option<Credentials>, CredentialsError> {
        load_credentials(&RESTRICTED_PIER, &|name| self.variables.get(name).cloned())
    }

    /// Returns the error message, after checking that it has no secrets.
    fn error(&self) -> String {
        let error = self.credentials().unwrap_err();
        let message = error.to_string();
        assert_no_secrets(&format!("{message} {error:?}"));
        message
    }
}

fn test_credentials() -> Credentials {
    Credentials::new(ID.into(), SECRET.into()).unwrap()
}

fn settings_section(id: &str, secret: &str) -> String {
    format!("[other]\nid = 1\n\n[old-pier]\nid = \"{id}\"\nsecret = \"{secret}\"\n")
}

#[test]
fn environment_overrides_settings() {
    let mut environment = Environment::new();
    environment.write(&settings_section("other-program", "other-secret"));
    environment.set("RANKLORE_OLD_PIER_ID", ID);
    assert_eq!(
        environment.error(),
        "RANKLORE_OLD_PIER_ID is set and RANKLORE_OLD_PIER_SECRET is not: set both, or neither"
    );
    environment.set("RANKLORE_OLD_PIER_SECRET", SECRET);
    assert_eq!(environment.credentials().unwrap(), Some(test_credentials()));
    environment.set("RANKLORE_OLD_PIER_SECRET", "whales");
    let message = environment.error();
    assert!(message.contains("RANKLORE_OLD_PIER_SECRET: the secret is shorter"), "{message}");
    // Empty variables count as unset.
    environment.set("RANKLORE_OLD_PIER_ID", "");
    environment.set("RANKLORE_OLD_PIER_SECRET", "");
    environment.write(&settings_section(ID, SECRET));
    assert_eq!(environment.credentials().unwrap(), Some(test_credentials()));
}

#[test]
fn open_site_reads_no_credentials() {
    let credentials = load_credentials(&OPEN_PIER, &|name| panic!("{name}")).unwrap();
    assert_eq!(credentials, None);
}

#[test]
fn missing_credentials_error_says_what_to_do() {
    let environment = Environment::new();
    let path = environment.settings.display().to_string();
    let expected = [
        "old-pier",
        "https://pier.example/programs",
        "RANKLORE_OLD_PIER_ID",
        "RANKLORE_OLD_PIER_SECRET",
        &*path,
        "chmod 600",
    ];
    let message = environment.error();
    for word in expected {
        assert!(message.contains(word), "{word}: {message}");
    }
    environment.write("[reddit]\nid = \"x\"\n");
    assert_eq!(environment.error(), message);
    // The XDG specification ignores relative folders.
    let nowhere =
        load_credentials(&RESTRICTED_PIER, &|name| (name == "XDG_CONFIG_HOME").then(|| ".".into()));
    assert!(matches!(nowhere, Err(CredentialsError::Missing { file: None, .. })));
}

#[test]
fn invalid_settings_are_refused_without_quoting() {
    let environment = Environment::new();
    let long = format!("# {}\n{}", "x".repeat(70_000), settings_section(ID, SECRET));
    for (settings, wrong) in [
        (
            &*format!("[old-pier]\nid = \"{ID}\"\nsecret = {SECRET}\n"),
            "line 3 is not TOML",
        ),
        (&*format!("[old-pier]\nid = \"{ID}\"\n[old-pier]\n"), "is not TOML"),
        (
            &*format!("[old-pier]\nid = \"{ID}\"\nsecrets = \"{SECRET}\"\n"),
            "secret is missing under",
        ),
        (
            "[old-pier]\nid = 12345678\nsecret = \"x\"\n",
            "id under [old-pier] is not a string",
        ),
        (&*format!("old-pier = \"{SECRET}\"\n"), "id is missing under"),
        (&*settings_section(ID, "whales"), "the secret is shorter"),
        (&*settings_section(ID, &format!("{SECRET} {SECRET}")), "other characters"),
        (&*long, "longer than 65536 bytes"),
    ] {
        environment.write(settings);
        let message = environment.error();
        let path = environment.settings.display().to_string();
        assert!(message.contains(wrong) && message.contains(&path), "{message}");
    }
    std::fs::write(&environment.settings, b"[old-pier]\nid = \"\xff\"").unwrap();
    assert!(environment.error().contains("is not UTF-8"));
}

#[cfg(unix)]
#[test]
fn settings_with_open_permissions_are_refused() {
    let environment = Environment::new();
    environment.write(&settings_section(ID, SECRET));
    for mode in [0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o666] {
        environment.set_mode(mode);
        let message = environment.error();
        let path = environment.settings.display();
        let expected = format!("{path} can be read or changed by others (mode {mode:03o})");
        assert!(message.contains(&expected), "{message}");
    }
    for mode in [0o600, 0o700, 0o400] {
        environment.set_mode(mode);
        assert_eq!(environment.credentials().unwrap(), Some(test_credentials()));
    }
    // The permissions of a link's target are checked.
    let elsewhere = environment.settings.with_file_name("elsewhere.toml");
    std::fs::rename(&environment.settings, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &environment.settings).unwrap();
    assert_eq!(environment.credentials().unwrap(), Some(test_credentials()));
    environment.set_mode(0o644);
    assert!(matches!(environment.credentials(), Err(CredentialsError::Exposed { .. })));
}

#[cfg(unix)]
#[test]
fn foreign_or_non_file_settings_are_refused() {
    let environment = Environment::new();
    std::fs::create_dir(&environment.settings).unwrap();
    assert!(environment.error().contains("is not a regular file"));
    std::fs::remove_dir(&environment.settings).unwrap();
    environment.write(&settings_section(ID, SECRET));
    // Only root can change the owner.
    if std::os::unix::fs::chown(&environment.settings, Some(4_242), None).is_ok() {
        let message = environment.error();
        assert!(message.contains("belongs to another user (number 4242)"), "{message}");
    }
}
