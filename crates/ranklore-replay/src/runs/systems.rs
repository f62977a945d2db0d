//! Rating systems by name, and their parameters.

use ranklore_rating::{
    AllTied, Bar, Codeforces, CodeforcesOfficial, ContestPolicy, Elo, EloMmr, EloMmx, EloPairwise,
    EloR, EloSrm, EloSrm2, Glicko, Glicko2, InvalidParameter, PlackettLuce, RatingSystem, Support,
    SystemInfo, Thurstone, Topcoder, TopcoderOfficial, TrueSkill, TrueSkillSpb, UnfinishedPolicy,
    WithContestPolicy,
};
use ranklore_store::{RatableContest, RunRow, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::runs::contest_size::{OversizedContests, find_oversized_contests};
use crate::runs::rating_period::RatingPeriod;
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
    /// [`Error::NoSystem`], [`Error::InvalidParameters`]: this version does not know the system or
    /// a parameter.
    pub fn from_run(run: &RunRow) -> Result<Self, Error> {
        Self::from_name(&run.system, &run.parameters)
    }

    /// Returns the system with this name and these parameters, as JSON, and an empty state.
    ///
    /// # Errors
    /// The errors of [`System::from_run`].
    pub fn from_name(name: &str, parameters: &str) -> Result<Self, Error> {
        let parameters = serde_json::from_str(parameters).unwrap_or_default();
        SystemName::find(name)?.with_parameters(&parameters)
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
        find_oversized_contests(store, self.about, self.weights, contests)
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
    SystemName::new(&EloMmr::INFO, |of| build_system(of, EloMmr::new)),
    SystemName::new(&EloMmx::INFO, |of| build_system(of, EloMmx::new)),
    SystemName::new(&EloR::INFO, |of| build_system(of, EloR::new)),
    SystemName::new(&Codeforces::INFO, |of| build_system(of, Codeforces::new)),
    SystemName::new(&CodeforcesOfficial::INFO, |of| {
        build_system(of, CodeforcesOfficial::new)
    }),
    SystemName::new(&Topcoder::INFO, |of| build_system(of, Topcoder::new)),
    SystemName::new(&TopcoderOfficial::INFO, |of| {
        build_system(of, TopcoderOfficial::new)
    }),
    SystemName::new(&EloSrm::INFO, |of| build_system(of, EloSrm::new)),
    SystemName::new(&EloSrm2::INFO, |of| build_system(of, EloSrm2::new)),
    SystemName::new(&TrueSkill::INFO, |of| build_system(of, TrueSkill::new)),
    SystemName::new(&TrueSkillSpb::INFO, |of| {
        build_system(of, TrueSkillSpb::new)
    }),
    SystemName::new(&Glicko::INFO, |of| build_system(of, Glicko::new)),
    SystemName::new(&Bar::INFO, |of| build_system(of, Bar::new)),
    SystemName::new(&Glicko2::INFO, |of| build_system(of, Glicko2::new)),
    SystemName::new(&Elo::INFO, |of| build_system(of, Elo::new)),
    SystemName::new(&EloPairwise::INFO, |of| build_system(of, EloPairwise::new)),
    SystemName::new(&PlackettLuce::INFO, |of| {
        build_system(of, PlackettLuce::new)
    }),
    SystemName::new(&Thurstone::INFO, |of| build_system(of, Thurstone::new)),
];

/// Name of the parameter for entrants that did not finish, which every system has.
const UNFINISHED_PARAMETER: &str = "dnf";

/// Name of the parameter for contests whose entrants are all tied, which every system has.
const ALL_TIED_PARAMETER: &str = "all_tied";

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
        SYSTEMS
            .iter()
            .copied()
            .find(|system| system.as_str() == name)
            .ok_or_else(|| Error::NoSystem {
                name: name.to_owned(),
                known: join_names(SYSTEMS.iter()),
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
    /// [`AllTied`], `period`, a word of [`RatingPeriod`], `teams`, a word of [`TeamMode`], and `weight`, a word of [`Weights`].
    ///
    /// # Errors
    /// [`Error::InvalidParameters`] for a parameter that is unknown or out of range.
    pub fn with_parameters(self, parameters: &Map<String, Value>) -> Result<System, Error> {
        let failed = |reason: String| Error::InvalidParameters {
            system: self.as_str(),
            reason,
        };
        let mut own = parameters.clone();
        let unfinished = match own.remove(UNFINISHED_PARAMETER) {
            Some(word) => self.parse_unfinished(&word).map_err(failed)?,
            None => self.about.unfinished,
        };
        let all_tied = match own.remove(ALL_TIED_PARAMETER) {
            Some(word) => parse_all_tied(&word).map_err(failed)?,
            None => AllTied::default(),
        };
        let teams = match own.remove(TeamMode::PARAMETER) {
            Some(word) => self.parse_team_mode(&word).map_err(failed)?,
            None => TeamMode::default(),
        };
        let period = match own.remove(RatingPeriod::PARAMETER) {
            Some(word) => Some(self.parse_period(&word, &own).map_err(failed)?),
            None => None,
        };
        // A number is the system's own parameter of this name.
        let weights = match own.get(Weights::PARAMETER) {
            Some(Value::String(word)) => self.parse_weights(word).map_err(failed)?,
            _ => Weights::default(),
        };
        own.retain(|name, value| name != Weights::PARAMETER || !value.is_string());
        let (mut parameters, rating) = (self.constructor)(&own).map_err(failed)?;
        // Defaults are omitted, so that older runs keep their identity.
        if unfinished != self.about.unfinished {
            add_parameter(&mut parameters, UNFINISHED_PARAMETER, unfinished.as_str());
        }
        if all_tied != AllTied::default() {
            add_parameter(&mut parameters, ALL_TIED_PARAMETER, all_tied.as_str());
        }
        if let Some(period) = period {
            add_parameter(&mut parameters, RatingPeriod::PARAMETER, &period.to_word());
        }
        if teams != TeamMode::default() {
            add_parameter(&mut parameters, TeamMode::PARAMETER, teams.as_str());
        }
        if weights != Weights::default() {
            add_parameter(&mut parameters, Weights::PARAMETER, &weights.to_word());
        }
        Ok(System {
            name: self.as_str(),
            about: self.about,
            parameters,
            teams,
            weights,
            all_tied,
            period,
            rating: match (unfinished, all_tied) {
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

    fn parse_unfinished(self, word: &Value) -> Result<UnfinishedPolicy, String> {
        let unfinished = word.as_str().and_then(UnfinishedPolicy::from_word);
        let unfinished = unfinished.ok_or_else(|| {
            let known = UnfinishedPolicy::ALL
                .map(UnfinishedPolicy::as_str)
                .join(", ");
            format!("parameter {UNFINISHED_PARAMETER} is {word}; it must be one of {known}")
        })?;
        let default = self.about.unfinished;
        if unfinished == UnfinishedPolicy::Censored && default != UnfinishedPolicy::Censored {
            return Err(format!(
                "parameter {UNFINISHED_PARAMETER} is censored, which this system does not support"
            ));
        }
        Ok(unfinished)
    }

    fn parse_team_mode(self, word: &Value) -> Result<TeamMode, String> {
        let name = TeamMode::PARAMETER;
        let teams = word.as_str().and_then(TeamMode::from_word).ok_or_else(|| {
            let known = TeamMode::ALL.map(TeamMode::as_str).join(", ");
            format!("parameter {name} is {word}; it must be one of {known}")
        })?;
        if teams == TeamMode::Members {
            self.check_support(
                Support::Teams,
                name,
                teams.as_str(),
                "does not rate members",
            )?;
        }
        Ok(teams)
    }

    fn parse_period(self, word: &Value, own: &Map<String, Value>) -> Result<RatingPeriod, String> {
        let name = RatingPeriod::PARAMETER;
        let period = word.as_str().and_then(RatingPeriod::from_word);
        let period = period.ok_or_else(|| {
            format!("parameter {name} is {word}; it must be days such as 1d or 7d, month, or event")
        })?;
        let word = period.to_word();
        self.check_support(Support::Periods, name, &word, "has no rating periods")?;
        if own
            .get("period_days")
            .is_some_and(|days| days.as_f64() != Some(0.0))
        {
            return Err(format!(
                "parameter {name} is {word}, and period_days is set too: choose one of them"
            ));
        }
        Ok(period)
    }

    fn parse_weights(self, word: &str) -> Result<Weights, String> {
        let name = Weights::PARAMETER;
        let weights = Weights::from_word(word).ok_or_else(|| {
            format!(
                "parameter {name} is {word}; it must be own, site, or site/25 where 25 is the \
                 site's weight of an ordinary contest"
            )
        })?;
        if weights != Weights::Own {
            let word = weights.to_word();
            self.check_support(Support::Weights, name, &word, "ignores weights")?;
        }
        Ok(weights)
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
        let able = join_names(SYSTEMS.iter().filter(|of| of.about.supports(support)));
        Err(format!(
            "parameter {name} is {word}, but this system {lacks}; supported by {able}"
        ))
    }
}

fn parse_all_tied(word: &Value) -> Result<AllTied, String> {
    word.as_str().and_then(AllTied::from_word).ok_or_else(|| {
        let known = AllTied::ALL.map(AllTied::as_str).join(", ");
        format!("parameter {ALL_TIED_PARAMETER} is {word}; it must be one of {known}")
    })
}

/// Returns the names of systems, separated by commas.
fn join_names<'s>(systems: impl Iterator<Item = &'s SystemName>) -> String {
    systems
        .map(|system| system.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Canonical JSON of all parameters, and the system built from them.
type BuiltSystem = (String, Box<dyn RatingSystem>);

/// Appends a parameter that is not the system's own to canonical JSON, or replaces the system's own
/// parameter of this name, which then has its default.
fn add_parameter(parameters: &mut String, name: &str, word: &str) {
    let named = format!("\"{name}\":");
    if let Some(at) = parameters.find(&named) {
        let start = at + named.len();
        let value = &parameters[start..];
        let end = start + value.find([',', '}']).unwrap_or(value.len());
        parameters.replace_range(start..end, &format!("\"{word}\""));
        return;
    }
    // Removes the closing brace.
    parameters.pop();
    let comma = if parameters.len() > 1 { "," } else { "" };
    parameters.extend([comma, "\"", name, "\":\"", word, "\"}"]);
}

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
            let (path, what) = (error.path().to_string(), error.inner().to_string());
            if what.contains(&path) {
                what
            } else {
                format!("parameter {path}: {what}")
            }
        })?;
    let rating = new(parameters.clone()).map_err(|error| error.to_string())?;
    let parameters = serde_json::to_string(&parameters).map_err(|error| error.to_string())?;
    Ok((parameters, Box::new(rating)))
}

/// Returns the parameters (canonical JSON) that differ from the system's defaults.
#[must_use]
pub fn non_default_parameters(system: &str, parameters: &str) -> Vec<(String, Value)> {
    let object = |json: &str| serde_json::from_str::<Map<String, Value>>(json).unwrap_or_default();
    let defaults = SystemName::find(system)
        .and_then(|system| system.with_parameters(&Map::new()))
        .map_or_else(|_| Map::new(), |system| object(&system.parameters));
    let mut changed: Vec<(String, Value)> = object(parameters).into_iter().collect();
    changed.retain(|(key, value)| defaults.get(key) != Some(value));
    changed
}

/// True if a run is of this system with these parameters. A run of an earlier version lacks
/// parameters added since, which have their defaults.
pub(crate) fn is_run_of(run: &RunRow, system: &System) -> bool {
    run.system == system.name
        && (run.parameters == system.parameters
            || System::from_run(run).is_ok_and(|of| of.parameters == system.parameters))
}

/// True if a run has the default parameters of its system.
pub(crate) fn has_default_parameters(run: &RunRow) -> bool {
    let system = SystemName::find(&run.system).and_then(|of| of.with_parameters(&Map::new()));
    system.is_ok_and(|system| is_run_of(run, &system))
}

/// Returns the default k of the conservative rating of a system: [`SystemInfo::conservative_k`]. 0
/// for official ratings and for unknown systems, which have no uncertainty.
pub(crate) fn conservative_k(system: &str) -> f64 {
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
        let again = SystemName::find("elo-mmr")
            .unwrap()
            .with_parameters(&parsed)
            .unwrap();
        assert_eq!(again.parameters, other.parameters);
        let changed = non_default_parameters("elo-mmr", &other.parameters);
        assert_eq!(changed, [("dnf".to_owned(), json!("drop"))]);
    }

    #[test]
    fn only_team_systems_accept_teams_parameter() {
        let ever = elo_mmr(&json!({"teams": "whole"})).unwrap();
        assert_eq!(
            (ever.teams, ever.parameters.contains("teams")),
            (TeamMode::Whole, false)
        );
        let other = elo_mmr(&json!({"dnf": "drop", "teams": "members"})).unwrap();
        assert_eq!(other.teams, TeamMode::Members);
        assert!(
            other
                .parameters
                .ends_with(r#","dnf":"drop","teams":"members"}"#)
        );
        assert_eq!(
            TeamMode::from_run_parameters(&other.parameters),
            TeamMode::Members
        );
        for system in SYSTEMS {
            let parameters = json!({"teams": "members"});
            let made = system.with_parameters(parameters.as_object().unwrap());
            let able = system.about().supports(Support::Teams);
            assert_eq!(made.is_ok(), able, "{}", system.as_str());
            if let Err(error) = made {
                assert!(
                    error.to_string().contains("elo-mmr, elo-mmx, trueskill"),
                    "{error}"
                );
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
        ] {
            let other = elo_mmr(&json!({"weight": word})).unwrap();
            assert_eq!(other.weights, weights);
            assert!(
                other
                    .parameters
                    .ends_with(&format!(r#","weight":"{word}"}}"#))
            );
            let parsed: Map<String, Value> = serde_json::from_str(&other.parameters).unwrap();
            let again = SystemName::find("elo-mmr")
                .unwrap()
                .with_parameters(&parsed)
                .unwrap();
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
        let (own, site) = (made(json!(0.5)), made(json!("site")));
        assert_eq!(own.weights, Weights::Own);
        assert!(own.parameters.contains(r#""weight":0.5"#));
        assert_eq!(site.weights, Weights::Site(1.0));
        assert_eq!(site.parameters.matches("weight\":").count(), 1);
        let parsed: Map<String, Value> = serde_json::from_str(&site.parameters).unwrap();
        assert_eq!(
            codeforces.with_parameters(&parsed).unwrap().parameters,
            site.parameters
        );
        let parameters = json!({"weight": "site"});
        for system in SYSTEMS {
            let made = system.with_parameters(parameters.as_object().unwrap());
            assert_eq!(made.is_ok(), system.about.supports(Support::Weights));
            let error = made
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
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
            assert!(
                !about.summary.is_empty() && !about.source.is_empty(),
                "{name}"
            );
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
            (
                json!({"period": "7d"}),
                "supported by glicko, glicko2, elo, elo-pairwise",
            ),
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
