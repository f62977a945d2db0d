//! Search spaces: the parameters of a system that a search varies.

use serde_json::{Map, Value};

use ranklore_rating::SearchRange;

use crate::error::Error;
use crate::runs::systems::SystemName;
use crate::search::dimension::{SearchDimension, SearchDomain};
use crate::search::range_override::RangeOverride;
use crate::system_spec::{Setting, SystemSpec, format_value};

/// The parameters of a system that a search varies, and the values of the others.
#[derive(Clone, Debug)]
pub struct SearchSpace {
    spec: SystemSpec,
    dimensions: Vec<SearchDimension>,
}

/// A value of each dimension of a space, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchPoint(Vec<Value>);

/// A value at the end of its range, beyond which the system accepts more.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchEdge {
    /// The name of the parameter.
    pub name: String,
    /// The value.
    pub value: f64,
    /// A wider range.
    pub wider: RangeOverride,
}

impl SearchSpace {
    /// Returns the declared space of a system. Its settings replace defaults and are searched all
    /// the same; `ranges` replace declared ones, also of parameters that are otherwise not searched;
    /// `fixed` parameters are not searched.
    ///
    /// # Errors
    /// [`Error::InvalidParameters`]: the system has no such parameter, does not accept an end of its
    /// range, or its default is outside; [`Error::ConflictingSettings`]: a parameter is fixed and has
    /// another setting, a range, or two of them.
    pub fn new(
        spec: &SystemSpec,
        ranges: &[RangeOverride],
        fixed: &[Setting],
    ) -> Result<Self, Error> {
        let mut space = Self {
            spec: spec.clone().with_settings(fixed)?,
            dimensions: Vec::new(),
        };
        space.check_names(ranges, fixed)?;
        let defaults = space.spec.build()?.parsed_parameters()?;
        for parameter in spec.system.about().parameters {
            let name = parameter.name;
            if fixed.iter().any(|setting| setting.name == name) {
                continue;
            }
            let default = defaults.get(name).cloned().unwrap_or_default();
            let range = ranges.iter().find(|range| range.name == name);
            let domain = match range {
                Some(range) => Some(space.override_domain(parameter.range, &default, range)?),
                None => SearchDomain::from_range(parameter.range),
            };
            let Some(domain) = domain else { continue };
            if !domain.contains(&default) {
                return Err(space.describe_outside(name, &domain, &default));
            }
            let name = name.to_owned();
            space.dimensions.push(SearchDimension {
                name,
                domain,
                default,
            });
        }
        Ok(space)
    }

    /// Returns the system.
    #[must_use]
    pub const fn system(&self) -> SystemName {
        self.spec.system
    }

    /// Returns the searched parameters, in the order of the system; none if nothing can be tuned.
    #[must_use]
    pub fn dimensions(&self) -> &[SearchDimension] {
        &self.dimensions
    }

    /// Returns the point of all defaults.
    #[must_use]
    pub fn default_point(&self) -> SearchPoint {
        SearchPoint(self.dimensions.iter().map(|dimension| dimension.default.clone()).collect())
    }

    /// Returns the searched parameters with their values at a point.
    #[must_use]
    pub fn settings(&self, point: &SearchPoint) -> Map<String, Value> {
        let names = self.dimensions.iter().map(|dimension| dimension.name.clone());
        names.zip(point.0.iter().cloned()).collect()
    }

    /// Returns the system with the parameters of a point.
    #[must_use]
    pub fn spec(&self, point: &SearchPoint) -> SystemSpec {
        let mut spec = self.spec.clone();
        spec.settings.extend(self.settings(point));
        spec
    }

    /// Returns the point of these parameters, which may be more than those searched; `None` if one
    /// is missing or outside.
    #[must_use]
    pub fn point(&self, parameters: &Map<String, Value>) -> Option<SearchPoint> {
        let dimensions = self.dimensions.iter();
        let values = dimensions.map(|dimension| {
            let value = parameters.get(&dimension.name)?;
            dimension.domain.contains(value).then(|| value.clone())
        });
        values.collect::<Option<_>>().map(SearchPoint)
    }

    /// Returns the values of a point that are at an end of their range beyond which the system
    /// accepts more: a better value may lie there.
    #[must_use]
    pub fn edges(&self, point: &SearchPoint) -> Vec<SearchEdge> {
        let values = self.dimensions.iter().zip(&point.0);
        values.filter_map(|(dimension, value)| self.edge(dimension, value)).collect()
    }

    /// Returns the point at these places of the dimensions, from 0 to 1.
    pub(super) fn point_at(&self, places: &[f64]) -> SearchPoint {
        let dimensions = self.dimensions.iter().zip(places);
        SearchPoint(
            dimensions.map(|(dimension, &place)| dimension.domain.value_at(place)).collect(),
        )
    }

    /// Returns the places of a point: the reverse of [`Self::point_at`], up to rounding.
    #[cfg(feature = "model-samplers")]
    pub(super) fn places_of(&self, point: &SearchPoint) -> Vec<f64> {
        let values = self.dimensions.iter().zip(&point.0);
        values.map(|(dimension, value)| dimension.domain.place_of(value)).collect()
    }

    fn check_names(&self, ranges: &[RangeOverride], fixed: &[Setting]) -> Result<(), Error> {
        for (index, range) in ranges.iter().enumerate() {
            let name = &range.name;
            let conflict = |first: String| Error::ConflictingSettings {
                name: name.clone(),
                first,
                second: range.to_string(),
            };
            if let Some(earlier) = ranges[..index].iter().find(|earlier| earlier.name == *name) {
                return Err(conflict(earlier.to_string()));
            }
            if let Some(setting) = fixed.iter().find(|setting| setting.name == *name) {
                return Err(conflict(setting.origin.clone()));
            }
            let parameters = self.system().about().parameters;
            if parameters.iter().all(|parameter| parameter.name != name) {
                let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                let known = names.join(", ");
                return Err(self.invalid(format!("there is no parameter `{name}`; it has {known}")));
            }
        }
        Ok(())
    }

    /// Returns the values of an overriding range, on the declared scale.
    fn override_domain(
        &self,
        declared: SearchRange,
        default: &Value,
        range: &RangeOverride,
    ) -> Result<SearchDomain, Error> {
        let RangeOverride { name, low, high } = range;
        let domain = match declared {
            SearchRange::Choice(words) => {
                let words = words.join(", ");
                return Err(self.invalid(format!(
                    "parameter {name} has no range: it is one of {words}; fix one of them"
                )));
            }
            _ if !default.is_number() => {
                return Err(self.invalid(format!(
                    "parameter {name} is {default}, and a range needs a number in it; set one"
                )));
            }
            SearchRange::Log { .. } if *low <= 0.0 => {
                return Err(self.invalid(format!(
                    "range {range} is searched by its logarithm; it must be above 0"
                )));
            }
            _ if default.is_i64() => SearchDomain::whole(*low, *high).ok_or_else(|| {
                self.invalid(format!("parameter {name} is whole, and an end of {range} is not"))
            })?,
            _ => SearchDomain::Real {
                low: *low,
                high: *high,
                is_log: matches!(declared, SearchRange::Log { .. }),
            },
        };
        self.check_ends(name, &domain)?;
        Ok(domain)
    }

    /// Errors if the system does not accept an end of a range.
    fn check_ends(&self, name: &str, domain: &SearchDomain) -> Result<(), Error> {
        for place in [0.0, 1.0] {
            let mut spec = self.spec.clone();
            spec.settings.insert(name.to_owned(), domain.value_at(place));
            spec.build()?;
        }
        Ok(())
    }

    fn describe_outside(&self, name: &str, domain: &SearchDomain, default: &Value) -> Error {
        let default = format_value(default);
        self.invalid(format!(
            "parameter {name} is {default}, outside of the searched {domain}; widen the range, fix \
             the parameter, or set it inside"
        ))
    }

    fn edge(&self, dimension: &SearchDimension, value: &Value) -> Option<SearchEdge> {
        let SearchDimension { name, domain, .. } = dimension;
        let end = domain.end_near(value)?;
        // Ever smaller steps beyond the end, until the system accepts one.
        let mut wider_domains = [4.0, 2.0, 1.2].into_iter().filter_map(|by| domain.widen(end, by));
        let wider = wider_domains.find(|wider| self.check_ends(name, wider).is_ok())?;
        let (low, high) = wider.ends()?;
        Some(SearchEdge {
            name: name.clone(),
            value: value.as_f64()?,
            wider: RangeOverride {
                name: name.clone(),
                low,
                high,
            },
        })
    }

    fn invalid(&self, reason: String) -> Error {
        Error::InvalidParameters {
            system: self.system().as_str(),
            reason,
        }
    }
}
