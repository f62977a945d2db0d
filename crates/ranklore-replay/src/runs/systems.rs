//! Rating systems by name, and their parameters.

mod parameters;

use ranklore_rating::{
    AllTied, Bar, Codeforces, CodeforcesOfficial, ContestPolicy, Elo, EloMmr, EloMmx, EloPairwise,
    EloR, EloSrm, EloSrm2, Glicko, Glicko2, InvalidParameter, PlackettLuce, RatingSystem, Support,
    SystemInfo, Thurstone, Topcoder, TopcoderOfficial, TrueSkill, TrueSkillSpb, UnfinishedPolicy,
    WithContestPolicy,
};
use ranklore_store::{Problem, RatableContest, RunRow, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::runs::contest_size::{OversizedContests, find_oversized_contests};
use crate::runs::rating_period::RatingPeriod;
use crate::runs::systems::parameters::CommonParameters;
use crate::runs::teams::TeamMode;
use crate::runs::weights::Weights;

/// A system with its parameters, ready to rate.
pub struct System {
    /// The name of the system.
    pub name: &'static str,
    /// The description of the system.
    pub about: &'static SystemInfo,
    /// All parameters as canonical JSON, in a fixed order.
    pub parameters: String,
    /// The competitors that are rated in teams.
    pub teams: TeamMode,
    /// The weights of contests.
    pub weights: Weights,
    /// Treatment of contests whose entrants are all tied.
    pub all_tied: AllTied,
    /// The rating periods; without one each contest is a period.
    pub period: Option<RatingPeriod>,
    /// The rating state, without competitors so far.
    pub rating: Box<dyn RatingSystem>,
}

impl System {
    /// Returns the system of a run with its parameters and an empty state.
    ///
    /// # Errors
    /// [`Error::DamagedParameters`]; [`Error::NoSystem`], [`Error::InvalidParameters`]: this version
    /// does not know the system or a parameter.
    pub fn from_run(run: &RunRow) -> Result<Self, Error> {
        let parameters = parse_run_parameters(run)?;
        SystemName::find(&run.system)?.with_parameters(&parameters)
    }

    /// Returns the system as [`System::from_run`]; `None` if this version does not know the system,
    /// which may be `official`, or a parameter.
    ///
    /// # Errors
    /// [`Error::DamagedParameters`].
    pub fn from_run_if_known(run: &RunRow) -> Result<Option<Self>, Error> {
        match Self::from_run(run) {
            Err(Error::NoSystem { .. } | Error::InvalidParameters { .. }) => Ok(None),
            system => system.map(Some),
        }
    }

    /// Returns the system with this name and these parameters, as JSON, and an empty state.
    ///
    /// # Errors
    /// [`Error::NoSystem`], [`Error::InvalidParameters`].
    pub fn from_name(name: &str, parameters: &str) -> Result<Self, Error> {
        let system = SystemName::find(name)?;
        let parameters = parse_parameters(parameters).map_err(|reason| {
            system.invalid_parameters(format!("{reason}; use an undamaged copy"))
        })?;
        system.with_parameters(&parameters)
    }

    /// Returns all parameters.
    ///
    /// # Errors
    /// [`Error::InvalidParameters`] if they are no JSON object.
    pub fn parsed_parameters(&self) -> Result<Map<String, Value>, Error> {
        parse_parameters(&self.parameters).map_err(|reason| Error::InvalidParameters {
            system: self.name,
            reason,
        })
    }

    /// Returns the selected contests that are too large for the system; `None` if it rates all.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn find_oversized_contests(
        &self,
        store: &Store,
        contests: &[RatableContest],
    ) -> Result<Option<OversizedContests>, Error> {
        let oversized = find_oversized_contests(store, self.about, self.weights, contests)?;
        Ok(oversized)
    }
}

/// A system that can be configured.
#[derive(Clone, Copy, Debug)]
pub struct SystemName {
    about: &'static SystemInfo,
    constructor: Constructor,
}

type Constructor = fn(&Map<String, Value>) -> Result<BuiltSystem, String>;

/// All systems, in the order in which they are listed and run.
pub const SYSTEMS: &[SystemName] = &[
    SystemName::new(&EloMmr::INFO, |p| build_system(p, EloMmr::new)),
    SystemName::new(&EloMmx::INFO, |p| build_system(p, EloMmx::new)),
    SystemName::new(&EloR::INFO, |p| build_system(p, EloR::new)),
    SystemName::new(&Codeforces::INFO, |p| build_system(p, Codeforces::new)),
    SystemName::new(&CodeforcesOfficial::INFO, |p| build_system(p, CodeforcesOfficial::new)),
    SystemName::new(&Topcoder::INFO, |p| build_system(p, Topcoder::new)),
    SystemName::new(&TopcoderOfficial::INFO, |p| build_system(p, TopcoderOfficial::new)),
    SystemName::new(&EloSrm::INFO, |p| build_system(p, EloSrm::new)),
    SystemName::new(&EloSrm2::INFO, |p| build_system(p, EloSrm2::new)),
    SystemName::new(&TrueSkill::INFO, |p| build_system(p, TrueSkill::new)),
    SystemName::new(&TrueSkillSpb::INFO, |p| build_system(p, TrueSkillSpb::new)),
    SystemName::new(&Glicko::INFO, |p| build_system(p, Glicko::new)),
    SystemName::new(&Bar::INFO, |p| build_system(p, Bar::new)),
    SystemName::new(&Glicko2::INFO, |p| build_system(p, Glicko2::new)),
    SystemName::new(&Elo::INFO, |p| build_system(p, Elo::new)),
    SystemName::new(&EloPairwise::INFO, |p| build_system(p, EloPairwise::new)),
    SystemName::new(&PlackettLuce::INFO, |p| build_system(p, PlackettLuce::new)),
    SystemName::new(&Thurstone::INFO, |p| build_system(p, Thurstone::new)),
];

impl PartialEq for SystemName {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl SystemName {
    const fn new(about: &'static SystemInfo, constructor: Constructor) -> Self {
        Self { about, constructor }
    }

    /// Finds the system with this name.
    ///
    /// # Errors
    /// [`Error::NoSystem`], with the names of all systems.
    pub fn find(name: &str) -> Result<Self, Error> {
        SYSTEMS.iter().copied().find(|system| system.as_str() == name).ok_or_else(|| {
            Error::NoSystem {
                name: name.to_owned(),
                known: join_names(SYSTEMS.iter()),
            }
        })
    }

    /// Returns the name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.about.name
    }

    /// Returns the description of the system.
    #[must_use]
    pub const fn about(self) -> &'static SystemInfo {
        self.about
    }

    /// Configures the system with these parameters, and defaults for the others. Besides its own
    /// parameters it accepts `dnf`, a word of [`UnfinishedPolicy`], `all_tied`, a word of
    /// [`AllTied`], `period`, a word of [`RatingPeriod`], `teams`, a word of [`TeamMode`], and
    /// `weight`, a word of [`Weights`].
    ///
    /// # Errors
    /// [`Error::InvalidParameters`] for a parameter that is unknown or out of range.
    pub fn with_parameters(self, parameters: &Map<String, Value>) -> Result<System, Error> {
        self.configure(parameters.clone())
            .map_err(|reason| self.invalid_parameters(reason))
    }

    fn invalid_parameters(self, reason: String) -> Error {
        Error::InvalidParameters {
            system: self.as_str(),
            reason,
        }
    }

    fn configure(self, mut parameters: Map<String, Value>) -> Result<System, String> {
        let common = CommonParameters::take_from(&mut parameters, self)?;
        let constructor = self.constructor;
        let (own_json, rating) = constructor(&parameters)?;
        Ok(System {
            name: self.as_str(),
            about: self.about,
            parameters: common
                .add_to_json(own_json, self.about)
                .map_err(|error| error.to_string())?,
            teams: common.teams,
            weights: common.weights,
            all_tied: common.all_tied,
            period: common.period,
            rating: match (common.unfinished, common.all_tied) {
                // Systems do this without a policy.
                (UnfinishedPolicy::Censored, AllTied::Rate) => rating,
                (unfinished, all_tied) => {
                    let policy = ContestPolicy {
                        unfinished,
                        all_tied,
                    };
                    Box::new(WithContestPolicy::new(policy, rating))
                }
            },
        })
    }

    /// Errors if the system does not support what a parameter requires, and names those that do.
    fn check_support(
        self,
        support: Support,
        name: &str,
        word: &str,
        lacks: &str,
    ) -> Result<(), String> {
        if self.about.supports(support) {
            return Ok(());
        }
        let supporting = join_names(SYSTEMS.iter().filter(|s| s.about.supports(support)));
        Err(format!(
            "parameter {name} is {word}, but this system {lacks}; supported by {supporting}"
        ))
    }
}

/// Returns the names of systems, separated by commas.
fn join_names<'s>(systems: impl Iterator<Item = &'s SystemName>) -> String {
    systems.map(|system| system.as_str()).collect::<Vec<_>>().join(", ")
}

/// Canonical JSON of all parameters, and the system built from them.
type BuiltSystem = (String, Box<dyn RatingSystem>);

fn build_system<P, S>(
    parameters: &Map<String, Value>,
    new: fn(P) -> Result<S, InvalidParameter>,
) -> Result<BuiltSystem, String>
where
    P: DeserializeOwned + Serialize + Clone,
    S: RatingSystem + 'static,
{
    let parameters: P = serde_path_to_error::deserialize(Value::Object(parameters.clone()))
        .map_err(|error| {
            let name = error.path().iter().next().map(ToString::to_string).unwrap_or_default();
            describe_type_error(&name, parameters.get(&name), &error.inner().to_string())
        })?;
    let rating = new(parameters.clone()).map_err(|error| error.to_string())?;
    let parameters = serde_json::to_string(&parameters).map_err(|error| error.to_string())?;
    Ok((parameters, Box::new(rating)))
}

/// Describes a parameter that is unknown, or of another type, by the message of serde.
fn describe_type_error(name: &str, value: Option<&Value>, message: &str) -> String {
    let message = message.replace('`', "");
    let expected = message.split_once("expected ").map(|(_, expected)| expected);
    let expected = expected.map_or("another value", |expected| match expected {
        "f64" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number of 0 or more",
        "a boolean" => "true or false",
        other => other.strip_prefix("one of ").unwrap_or(other),
    });
    match value {
        Some(value) if !message.starts_with("unknown field") => {
            format!("parameter {name} is {value}; expected {expected}")
        }
        _ => format!("there is no parameter `{name}`; it has {expected}"),
    }
}

/// Parses parameters that are stored as JSON. The error is a clause.
fn parse_parameters(json: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(json)
        .map_err(|error| format!("its parameters {json} are no JSON object: {error}"))
}

/// Parses the stored parameters of a run.
///
/// # Errors
/// [`Error::DamagedParameters`].
pub(crate) fn parse_run_parameters(run: &RunRow) -> Result<Map<String, Value>, Error> {
    parse_parameters(&run.parameters).map_err(|reason| Error::DamagedParameters {
        run_id: run.run_id,
        reason,
    })
}

/// Returns a problem for each run whose stored parameters are damaged.
///
/// # Errors
/// [`Error::Store`].
pub fn find_damaged_parameters(store: &Store) -> Result<Vec<Problem>, Error> {
    let runs = store.runs()?.into_iter();
    let problems = runs.filter_map(|run| {
        Some(Problem::RunParameters {
            run_id: run.run_id,
            reason: parse_parameters(&run.parameters).err()?,
        })
    });
    Ok(problems.collect())
}

/// Returns the parameters (canonical JSON) that differ from the system's defaults. Damaged
/// parameters have none: a list of runs still describes them.
#[must_use]
pub fn non_default_parameters(system: &str, parameters: &str) -> Vec<(String, Value)> {
    let defaults = SystemName::find(system)
        .and_then(|system| system.with_parameters(&Map::new()))
        .ok()
        .and_then(|system| parse_parameters(&system.parameters).ok())
        .unwrap_or_default();
    let mut changed = parse_parameters(parameters).unwrap_or_default();
    changed.retain(|name, value| defaults.get(name) != Some(&*value));
    changed.into_iter().collect()
}

/// True if a run is of this system with these parameters. A run of an earlier version lacks
/// parameters added since, which have their defaults.
///
/// # Errors
/// [`Error::DamagedParameters`].
pub(crate) fn is_run_of(run: &RunRow, system: &System) -> Result<bool, Error> {
    if run.system != system.name {
        return Ok(false);
    }
    if run.parameters == system.parameters {
        return Ok(true);
    }
    let stored = System::from_run_if_known(run)?;
    Ok(stored.is_some_and(|stored| stored.parameters == system.parameters))
}

/// True if a run has the default parameters of its system.
///
/// # Errors
/// [`Error::DamagedParameters`].
pub(crate) fn has_default_parameters(run: &RunRow) -> Result<bool, Error> {
    let system = SystemName::find(&run.system).and_then(|name| name.with_parameters(&Map::new()));
    system.map_or(Ok(false), |system| is_run_of(run, &system))
}

/// Returns the default k of the conservative rating of a system: [`SystemInfo::conservative_k`]. 0
/// for official ratings and for unknown systems, which have no uncertainty.
#[must_use]
pub fn conservative_k(system: &str) -> f64 {
    SystemName::find(system).map_or(0.0, |system| system.about.conservative_k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn elo_mmr(parameters: &Value) -> Result<System, Error> {
        SystemName::find("elo-mmr")?.with_parameters(parameters.as_object().unwrap())
    }

    #[test]
    fn parameters_are_canonical() {
        let short = elo_mmr(&json!({})).unwrap();
        let long = elo_mmr(&json!({"rho": 1, "sigma_limit": 80.0, "weight_limit": 0.2})).unwrap();
        assert_eq!(short.parameters, long.parameters);
        assert!(short.parameters.starts_with(r#"{"weight_limit":0.2,"#));
        let infinite = elo_mmr(&json!({"rho": "inf"})).unwrap();
        assert!(infinite.parameters.contains(r#""rho":"inf""#));
    }

    #[test]
    fn non_default_dnf_becomes_parameter() {
        let ever = elo_mmr(&json!({})).unwrap();
        let same = elo_mmr(&json!({"dnf": "censored"})).unwrap();
        assert_eq!(ever.parameters, same.parameters);
        let other = elo_mmr(&json!({"dnf": "drop"})).unwrap();
        assert!(other.parameters.ends_with(r#","dnf":"drop"}"#));
        let parsed: Map<String, Value> = serde_json::from_str(&other.parameters).unwrap();
        let again = SystemName::find("elo-mmr").unwrap().with_parameters(&parsed).unwrap();
        assert_eq!(again.parameters, other.parameters);
        let changed = non_default_parameters("elo-mmr", &other.parameters);
        assert_eq!(changed, [("dnf".to_owned(), json!("drop"))]);
    }

    #[test]
    fn only_team_systems_accept_teams_parameter() {
        let ever = elo_mmr(&json!({"teams": "whole"})).unwrap();
        assert_eq!((ever.teams, ever.parameters.contains("teams")), (TeamMode::Whole, false));
        let other = elo_mmr(&json!({"dnf": "drop", "teams": "members"})).unwrap();
        assert_eq!(other.teams, TeamMode::Members);
        assert!(other.parameters.ends_with(r#","dnf":"drop","teams":"members"}"#));
        assert_eq!(TeamMode::from_run_parameters(&other.parameters), TeamMode::Members);
        for system in SYSTEMS {
            let parameters = json!({"teams": "members"});
            let made = system.with_parameters(parameters.as_object().unwrap());
            let able = system.about().supports(Support::Teams);
            assert_eq!(made.is_ok(), able, "{}", system.as_str());
            if let Err(error) = made {
                assert!(error.to_string().contains("elo-mmr, elo-mmx, trueskill"), "{error}");
            }
        }
    }

    #[test]
    fn non_default_weight_becomes_parameter() {
        let same = elo_mmr(&json!({"weight": "own"})).unwrap();
        assert_eq!(same.parameters, elo_mmr(&json!({})).unwrap().parameters);
        for (word, weights) in [
            ("site", Weights::Site(1.0)),
            ("site/25", Weights::Site(25.0)),
            ("duration", Weights::Duration),
        ] {
            let other = elo_mmr(&json!({"weight": word})).unwrap();
            assert_eq!(other.weights, weights);
            assert!(other.parameters.ends_with(&format!(r#","weight":"{word}"}}"#)));
            let parsed: Map<String, Value> = serde_json::from_str(&other.parameters).unwrap();
            let again = SystemName::find("elo-mmr").unwrap().with_parameters(&parsed).unwrap();
            assert_eq!(again.parameters, other.parameters);
            let changed = non_default_parameters("elo-mmr", &other.parameters);
            assert_eq!(changed, [("weight".to_owned(), json!(word))]);
        }
        // This system has a numeric parameter of this name.
        let codeforces = SystemName::find("codeforces").unwrap();
        let made = |value: Value| {
            let parameters = json!({"weight": value});
            let parameters = parameters.as_object().unwrap();
            codeforces.with_parameters(parameters).unwrap()
        };
        let number = made(json!(0.5));
        let site = made(json!("site"));
        assert_eq!(number.weights, Weights::Own);
        assert!(number.parameters.contains(r#""weight":0.5"#));
        assert_eq!(site.weights, Weights::Site(1.0));
        // In the place of the number: the parameters of stored runs are compared as text.
        let expected = number.parameters.replace(r#""weight":0.5"#, r#""weight":"site""#);
        assert_eq!(site.parameters, expected);
        assert_eq!(site.parameters.matches("weight\":").count(), 1);
        let parsed: Map<String, Value> = serde_json::from_str(&site.parameters).unwrap();
        assert_eq!(codeforces.with_parameters(&parsed).unwrap().parameters, site.parameters);
        let parameters = json!({"weight": "site"});
        for system in SYSTEMS {
            let made = system.with_parameters(parameters.as_object().unwrap());
            assert_eq!(made.is_ok(), system.about.supports(Support::Weights));
            let error = made.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.is_empty() || error.contains("elo-mmr"), "{error}");
        }
    }

    #[test]
    fn system_names_are_unique_and_defaults_valid() {
        for (index, system) in SYSTEMS.iter().enumerate() {
            let name = system.as_str();
            assert!(SYSTEMS[..index].iter().all(|other| other.as_str() != name));
            let made = system.with_parameters(&Map::new()).unwrap();
            let parameters = serde_json::from_str(&made.parameters).unwrap();
            assert_eq!(
                system.with_parameters(&parameters).unwrap().parameters,
                made.parameters,
                "{name}"
            );
            let about = system.about();
            assert!(!about.summary.is_empty() && !about.source.is_empty(), "{name}");
        }
    }

    #[test]
    fn error_names_invalid_parameter() {
        for (parameters, named) in [
            (json!({"rhoo": 1}), "rhoo"),
            (json!({"rho": -1}), "rho"),
            (json!({"rho": "large"}), "large"),
            (json!({"weight_limit": 0}), "weight_limit"),
            (json!({"newcomer_weights": [0.5, -1]}), "newcomer_weights"),
            (json!({"sigma_limit": null}), "sigma_limit"),
            (json!({"dnf": "forgive"}), "censored, tied, drop"),
            (json!({"all_tied": "drop"}), "rate, skip"),
            (json!({"period": "week"}), "1d or 7d, month, or event"),
            (json!({"period": "7d"}), "supported by glicko, glicko2, elo, elo-pairwise"),
            (json!({"weight": "sites"}), "site/25"),
            (json!({"weight": 2}), "weight"),
            (json!({"teams": "halves"}), "whole, members"),
        ] {
            let error = elo_mmr(&parameters).err().unwrap().to_string();
            assert!(error.contains(named), "{error}");
        }
        let error = SystemName::find("elo-9").err().unwrap().to_string();
        assert!(error.contains("elo-mmr, elo-mmx"), "{error}");
    }
}
