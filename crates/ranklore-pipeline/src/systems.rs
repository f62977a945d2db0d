//! The rating systems by name, and their parameters as people write them.

use ranklore_rating::{
    EloMmr, EloMmrParameters, EloMmx, EloMmxParameters, InvalidParameter, RatingSystem,
};
use ranklore_store::RunRow;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::Error;

/// A system with its parameters, ready to rate.
pub struct System {
    /// Which.
    pub name: &'static str,
    /// All its parameters as canonical JSON: every one, in a fixed order.
    pub parameters: String,
    /// k of the conservative rating mu − k·sigma.
    pub conservative_k: f64,
    /// Nobody rated yet.
    pub rating: Box<dyn RatingSystem>,
}

impl System {
    /// The system of a run, with its parameters and nobody rated yet.
    ///
    /// # Errors
    /// [`Error::NoSystem`], [`Error::Parameters`]: this version no longer knows the one or the
    /// other.
    pub fn of_run(run: &RunRow) -> Result<Self, Error> {
        let parameters = serde_json::from_str(&run.parameters).unwrap_or_default();
        SystemName::find(&run.system)?.with(&parameters)
    }
}

/// One of the systems there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemName(&'static str);

/// All systems, in the order they are listed and run.
pub const SYSTEMS: [SystemName; 2] = [SystemName("elo-mmr"), SystemName("elo-mmx")];

impl SystemName {
    /// The system of this name.
    ///
    /// # Errors
    /// [`Error::NoSystem`], naming those there are.
    pub fn find(name: &str) -> Result<Self, Error> {
        SYSTEMS
            .into_iter()
            .find(|system| system.0 == name)
            .ok_or_else(|| Error::NoSystem {
                name: name.to_owned(),
                known: SYSTEMS.map(Self::as_str).join(", "),
            })
    }

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The system with these parameters, and its defaults for the others.
    ///
    /// # Errors
    /// [`Error::Parameters`] for a parameter it does not have or that is out of range.
    pub fn with(self, parameters: &Map<String, Value>) -> Result<System, Error> {
        match self.0 {
            "elo-mmx" => self.make(parameters, EloMmx::new as fn(EloMmxParameters) -> _),
            _ => self.make(parameters, EloMmr::new as fn(EloMmrParameters) -> _),
        }
    }

    fn make<P, S>(
        self,
        parameters: &Map<String, Value>,
        new: fn(P) -> Result<S, InvalidParameter>,
    ) -> Result<System, Error>
    where
        P: DeserializeOwned + Serialize + Clone,
        S: RatingSystem + 'static,
    {
        let failed = |reason: String| Error::Parameters {
            system: self.0,
            reason,
        };
        let parameters: P = serde_path_to_error::deserialize(Value::Object(parameters.clone()))
            .map_err(|error| {
                let (path, what) = (error.path().to_string(), error.inner().to_string());
                failed(if what.contains(&path) {
                    what
                } else {
                    format!("parameter {path}: {what}")
                })
            })?;
        let rating = new(parameters.clone()).map_err(|error| failed(error.to_string()))?;
        let parameters =
            serde_json::to_string(&parameters).map_err(|error| failed(error.to_string()))?;
        Ok(System {
            name: self.0,
            parameters,
            conservative_k: CONSERVATIVE_K,
            rating: Box::new(rating),
        })
    }
}

/// Those of `parameters` (canonical JSON) that are not the system's defaults.
pub(crate) fn changed_parameters(system: &str, parameters: &str) -> Vec<(String, Value)> {
    let object = |json: &str| serde_json::from_str::<Map<String, Value>>(json).unwrap_or_default();
    let defaults = SystemName::find(system)
        .and_then(|system| system.with(&Map::new()))
        .map_or_else(|_| Map::new(), |system| object(&system.parameters));
    let mut changed: Vec<(String, Value)> = object(parameters).into_iter().collect();
    changed.retain(|(key, value)| defaults.get(key) != Some(value));
    changed
}

/// k of the conservative rating: with 3, one in 740 is overrated.
pub(crate) const CONSERVATIVE_K: f64 = 3.0;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn elo_mmr(parameters: &Value) -> Result<System, Error> {
        SystemName::find("elo-mmr")?.with(parameters.as_object().unwrap())
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
    fn what_a_system_cannot_take_is_named() {
        for (parameters, named) in [
            (json!({"rhoo": 1}), "rhoo"),
            (json!({"rho": -1}), "rho"),
            (json!({"rho": "large"}), "large"),
            (json!({"weight_limit": 0}), "weight_limit"),
            (json!({"newcomer_weights": [0.5, -1]}), "newcomer_weights"),
            (json!({"sigma_limit": null}), "sigma_limit"),
        ] {
            let error = elo_mmr(&parameters).err().unwrap().to_string();
            assert!(error.contains(named), "{error}");
        }
        let error = SystemName::find("elo").err().unwrap().to_string();
        assert!(error.contains("elo-mmr, elo-mmx"), "{error}");
    }
}
