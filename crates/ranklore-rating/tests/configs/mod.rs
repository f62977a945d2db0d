//! Every system, with the smallest and the largest value of each parameter.

use ranklore_rating::{
    Bar, Codeforces, CodeforcesOfficial, Elo, EloMmr, EloMmx, EloPairwise, EloR, EloSrm, EloSrm2,
    Glicko, Glicko2, InvalidParameter, PlackettLuce, RatingSystem, SearchRange, SystemInfo,
    Thurstone, Topcoder, TopcoderOfficial, TrueSkill, TrueSkillSpb,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::random::Random;

type Parameters = Map<String, Value>;
type Make = fn(Parameters) -> Result<Box<dyn RatingSystem>, String>;

/// A system with parameters.
#[derive(Clone)]
pub(crate) struct SystemConfig {
    pub(crate) about: &'static SystemInfo,
    make: Make,
    /// The parameters that differ from the defaults.
    pub(crate) parameters: Parameters,
}

impl SystemConfig {
    /// Creates the system, without competitors.
    pub(crate) fn build(&self) -> Box<dyn RatingSystem> {
        (self.make)(self.parameters.clone()).unwrap_or_else(|error| panic!("{self}: {error}"))
    }
}

impl std::fmt::Display for SystemConfig {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parameters = Value::Object(self.parameters.clone());
        write!(to, "{} {parameters}", self.about.name)
    }
}

/// A system and the extreme values of its parameters.
struct SystemCorners {
    about: &'static SystemInfo,
    make: Make,
    defaults: Parameters,
    /// For each parameter its extreme values.
    corners: Parameters,
    /// For each parameter invalid values, just beyond the extremes for numbers.
    beyond: Parameters,
}

macro_rules! system {
    ($about:expr, $new:expr, { $($name:ident: $corners:tt but not $beyond:tt),* $(,)? }) => {
        SystemCorners {
            about: &$about,
            make: |parameters| {
                let system = build_system($new, parameters)?;
                Ok(Box::new(system))
            },
            defaults: default_parameters($new),
            corners: [$((stringify!($name).to_owned(), json!($corners))),*].into_iter().collect(),
            beyond: [$((stringify!($name).to_owned(), json!($beyond))),*].into_iter().collect(),
        }
    };
}

fn build_system<P: DeserializeOwned, S>(
    new: fn(P) -> Result<S, InvalidParameter>,
    parameters: Parameters,
) -> Result<S, String> {
    let parameters =
        serde_json::from_value(Value::Object(parameters)).map_err(|error| error.to_string())?;
    new(parameters).map_err(|error| error.to_string())
}

fn default_parameters<P: Serialize + Default, S>(
    _: fn(P) -> Result<S, InvalidParameter>,
) -> Parameters {
    match serde_json::to_value(P::default()) {
        Ok(Value::Object(parameters)) => parameters,
        other => panic!("parameters are an object: {other:?}"),
    }
}

/// Returns all systems, in the order of listings.
#[expect(clippy::too_many_lines, reason = "a table with one line per parameter")]
fn systems() -> Vec<SystemCorners> {
    vec![
        system!(EloMmr::INFO, EloMmr::new, {
            weight_limit: [1e-6, 1e6] but not [0.9e-6, 1.1e6],
            sigma_limit: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            drift_per_day: [0.0, 1e9] but not [-1e-9, 1.1e9],
            rho: [0.0, 1e-300, 1e300, "inf"] but not [-1e-9],
            split_ties: [true] but not [],
            newcomer_weights: [[1e-6, 1e6], [1e6, 1e-6, 1.0]] but not [[0.9e-6], [1.0, 1.1e6]],
            history_limit: [0, 1] but not [-1],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
        }),
        system!(EloMmx::INFO, EloMmx::new, {
            weight_limit: [1e-6, 1e6] but not [0.9e-6, 1.1e6],
            sigma_limit: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            drift_per_day: [0.0, 1e9] but not [-1e-9, 1.1e9],
            split_ties: [true] but not [],
            newcomer_weights: [[1e-6, 1e6], [1e6, 1e-6, 1.0]] but not [[0.9e-6], [1.0, 1.1e6]],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
        }),
        system!(EloR::INFO, EloR::new, {
            delta: [100.000_000_000_000_02, 1e6] but not [100.0, 1.1e6],
            sigma_limit: [1e-3, 249.999_999_999_999_97] but not [0.9e-3, 250.0],
            history_limit: [0, 1] but not [-1],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
        }),
        system!(Codeforces::INFO, Codeforces::new, {
            beta: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            weight: [1e-6, 1e6] but not [0.9e-6, 1.1e6],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
        }),
        system!(CodeforcesOfficial::INFO, CodeforcesOfficial::new, {
            initial_mu: [-1_000_000, 1_000_000] but not [-1_000_001, 1_000_001],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
        }),
        system!(Topcoder::INFO, Topcoder::new, {
            weight_limit: [1e-6, 0.999_999] but not [0.9e-6, 0.999_999_1],
            newcomer_weight: [1e-6, 0.999_999] but not [0.9e-6, 0.999_999_1],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
        }),
        system!(TopcoderOfficial::INFO, TopcoderOfficial::new, {
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            first_sigma: [1.0, 1e6] but not [0.9, 1.1e6],
        }),
        system!(EloSrm::INFO, EloSrm::new, {
            k: [1e-6, 1e6] but not [0.9e-6, 1.1e6],
            variance_factor: [0.0, 1e6] but not [-1e-9, 1.1e6],
            experience_exponent: [0.0, 10.0] but not [-1e-9, 10.1],
            maximum: [1e-6, 1e6] but not [0.9e-6, 1.1e6],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
        }),
        system!(EloSrm2::INFO, EloSrm2::new, {
            k: [1e-6, 1e6] but not [0.9e-6, 1.1e6],
            variance_factor: [0.0, 1e6] but not [-1e-9, 1.1e6],
            experience_exponent: [0.0, 10.0] but not [-1e-9, 10.1],
            maximum: [1e-6, 1e6] but not [0.9e-6, 1.1e6],
            bonus: [0.0, 1e6] but not [-1e-9, 1.1e6],
            inflation: [0.0, 1e3] but not [-1e-9, 1.1e3],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
        }),
        system!(TrueSkill::INFO, TrueSkill::new, {
            mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            beta: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            tau: [0.0, 1e6] but not [-1e-9, 1.1e6],
            draw_probability: [0.0, 1e-6, 0.999_999] but not [-1e-9, 0.999_999_1],
            margin: ["fixed"] but not ["two"],
            advantage: [-1e4, 1e4] but not [-1.1e4, 1.1e4],
        }),
        system!(TrueSkillSpb::INFO, TrueSkillSpb::new, {
            eps: [1e-3, 1e5] but not [0.9e-3, 1.1e5],
            margin: ["fixed"] but not ["two"],
            beta: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            convergence_eps: [1e-9, 1e3] but not [0.9e-9, 1.1e3],
            sigma_drift: [0.0, 1e6] but not [-1e-9, 1.1e6],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
        }),
        system!(Glicko::INFO, Glicko::new, {
            beta: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            sigma_drift: [0.0, 1e6] but not [-1e-9, 1.1e6],
            information: ["one-performance", "mean", "every-pair"] but not ["every_pair"],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            advantage: [-1e4, 1e4] but not [-1.1e4, 1.1e4],
        }),
        system!(Bar::INFO, Bar::new, {
            beta: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            sigma_drift: [0.0, 1e6] but not [-1e-9, 1.1e6],
            kappa: [1e-9, 1.0] but not [0.9e-9, 1.1],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
        }),
        system!(Glicko2::INFO, Glicko2::new, {
            tau: [0.01, 10.0] but not [0.009, 10.1],
            initial_volatility: [1e-6, 10.0] but not [0.9e-6, 10.1],
            period_days: [0.01, 1e6] but not [0.009, 1.1e6, -1.0],
            information: ["one-match", "mean", "every-pair"] but not ["one"],
            initial_mu: [-1e6, 1e6] but not [-1.1e6, 1.1e6],
            initial_sigma: [1e-3, 1e6] but not [0.9e-3, 1.1e6],
            advantage: [-1e4, 1e4] but not [-1.1e4, 1.1e4],
        }),
        system!(Elo::INFO, Elo::new, {
            model: ["gaussian"] but not ["normal"],
            update: ["bounded"] but not ["none"],
            scale: [1.0, 1e6] but not [0.9, 1.1e6],
            learning_rate: [1e-6, 1e6, [[-1e6, 1e6], [1e6, 1e-6]]]
                but not [0.9e-6, 1.1e6, [], [[1.0, 1.0], [1.0, 2.0]]],
            initial_mu: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
            dummy_mu: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
            floor: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
            advantage: [-1e4, 1e4] but not [-1.1e4, 1.1e4],
        }),
        system!(EloPairwise::INFO, EloPairwise::new, {
            pairs: ["sum"] but not ["all"],
            model: ["gaussian"] but not ["normal"],
            update: ["bounded"] but not ["none"],
            scale: [1.0, 1e6] but not [0.9, 1.1e6],
            learning_rate: [1e-6, 1e6, [[-1e6, 1e6], [1e6, 1e-6]]]
                but not [0.9e-6, 1.1e6, [], [[1.0, 1.0], [1.0, 2.0]]],
            initial_mu: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
            dummy_mu: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
            floor: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
        }),
        system!(PlackettLuce::INFO, PlackettLuce::new, {
            orientation: ["race"] but not ["relay"],
            block: ["independent"] but not ["none"],
            scale: [1.0, 1e6] but not [0.9, 1.1e6],
            learning_rate: [1e-6, 1e6, [[-1e6, 1e6], [1e6, 1e-6]]]
                but not [0.9e-6, 1.1e6, [], [[1.0, 1.0], [1.0, 2.0]]],
            step: ["plain"] but not ["none"],
            initial_mu: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
            dummy_mu: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
            floor: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
        }),
        system!(Thurstone::INFO, Thurstone::new, {
            scale: [1.0, 1e6] but not [0.9, 1.1e6],
            learning_rate: [1e-6, 1e6, [[-1e6, 1e6], [1e6, 1e-6]]]
                but not [0.9e-6, 1.1e6, [], [[1.0, 1.0], [1.0, 2.0]]],
            step: ["plain"] but not ["none"],
            initial_mu: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
            dummy_mu: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
            floor: [-1e5, 1e5] but not [-1.1e5, 1.1e5],
        }),
    ]
}

/// Every system with its defaults.
pub(crate) fn defaults() -> Vec<SystemConfig> {
    let form = |system: SystemCorners| SystemConfig {
        about: system.about,
        make: system.make,
        parameters: Map::new(),
    };
    systems().into_iter().map(form).collect()
}

/// Returns a system with these parameters, and defaults for the others.
pub(crate) fn with_parameters(name: &str, parameters: &Value) -> SystemConfig {
    let mut defaults = defaults().into_iter();
    let form = defaults.find(|form| form.about.name == name);
    let mut form = form.unwrap_or_else(|| panic!("there is no system {name}"));
    form.parameters = parameters.as_object().cloned().unwrap_or_default();
    form
}

/// Every system with its defaults, with one parameter at each extreme value, and with several.
pub(crate) fn corners() -> Vec<SystemConfig> {
    let mut random = Random::new(3);
    let mut forms = defaults();
    for system in systems() {
        let mut add = |parameters: Parameters| {
            let form = SystemConfig {
                about: system.about,
                make: system.make,
                parameters,
            };
            // Some extreme values of one parameter are invalid together with those of another.
            if (form.make)(form.parameters.clone()).is_ok() {
                forms.push(form);
            }
        };
        for (name, corners) in &system.corners {
            for corner in corners.as_array().into_iter().flatten() {
                add([(name.clone(), corner.clone())].into_iter().collect());
            }
        }
        for _ in 0..12 {
            let mut parameters = Map::new();
            for (name, corners) in &system.corners {
                let corners = corners.as_array().map_or(&[][..], Vec::as_slice);
                if random.below(2) == 0 {
                    parameters.insert(name.clone(), corners[random.below(corners.len())].clone());
                }
            }
            add(parameters);
        }
    }
    forms
}

/// Every system at each corner of its search space: each parameter at the lowest or highest value
/// that a search tries, or at one of its choices.
pub(crate) fn search_corners() -> Vec<SystemConfig> {
    let mut forms = Vec::new();
    for form in defaults() {
        let mut corners = vec![form.clone()];
        for parameter in form.about.parameters {
            let values = search_ends(parameter.range);
            if values.is_empty() {
                continue;
            }
            let with_value = |corner: &SystemConfig, value: &Value| {
                let mut corner = corner.clone();
                corner.parameters.insert(parameter.name.to_owned(), value.clone());
                corner
            };
            let corners_with = |corner| values.iter().map(move |value| with_value(corner, value));
            corners = corners.iter().flat_map(corners_with).collect();
        }
        forms.extend(corners);
    }
    forms
}

/// The lowest and the highest value that a search tries, or all choices.
fn search_ends(range: SearchRange) -> Vec<Value> {
    match range {
        SearchRange::Linear { low, high } | SearchRange::Log { low, high } => {
            vec![low.into(), high.into()]
        }
        SearchRange::Choice(words) => words
            .iter()
            .map(|&word| serde_json::from_str(word).unwrap_or(word.into()))
            .collect(),
        SearchRange::Fixed(_) => Vec::new(),
    }
}

/// Asserts that systems declare all their parameters, in their order, and that the search space
/// contains each default.
pub(crate) fn assert_search_spaces_contain_defaults() {
    for system in systems() {
        let name = system.about.name;
        let declared: Vec<&str> = system.about.parameters.iter().map(|info| info.name).collect();
        let mut sorted = declared.clone();
        sorted.sort_unstable();
        let mut all: Vec<&str> = system.defaults.keys().map(String::as_str).collect();
        all.sort_unstable();
        assert_eq!(sorted, all, "{name}: declared parameters, and all");
        for info in system.about.parameters {
            let default = &system.defaults[info.name];
            let ends = search_ends(info.range);
            let is_inside = match (info.range, default.as_f64()) {
                (SearchRange::Fixed(_), _) => true,
                (SearchRange::Choice(_), _) => ends.contains(default),
                (_, Some(default)) => {
                    let numbers: Vec<f64> = ends.iter().filter_map(Value::as_f64).collect();
                    numbers[0] < numbers[1] && (numbers[0]..=numbers[1]).contains(&default)
                }
                _ => false,
            };
            assert!(is_inside, "{name}: {} is {default}, not in {:?}", info.name, info.range);
        }
    }
}

/// Asserts that the table above has every parameter, and that exactly its values are valid.
pub(crate) fn assert_complete() {
    for system in systems() {
        let name = system.about.name;
        let keys = |parameters: &Parameters| parameters.keys().cloned().collect::<Vec<_>>();
        let mut known = keys(&system.corners);
        let mut all = keys(&system.defaults);
        known.sort_unstable();
        all.sort_unstable();
        assert_eq!(known, all, "{name}: parameters and their corners");
        for (corners, may_be) in [(&system.corners, true), (&system.beyond, false)] {
            for (parameter, values) in corners {
                for value in values.as_array().into_iter().flatten() {
                    let changed_parameters =
                        [(parameter.clone(), value.clone())].into_iter().collect();
                    let made = (system.make)(changed_parameters).map(drop);
                    assert_eq!(made.is_ok(), may_be, "{name}: {parameter} {value}: {made:?}");
                }
            }
        }
    }
}
