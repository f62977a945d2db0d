//! The growth of sigma with the time since the last contest.

const SECONDS_PER_DAY: f64 = 86_400.0;

/// The rule by which sigma grows while a competitor is away.
///
/// It grows to the uncertainty with which a contest at that time starts, without what the contest
/// itself adds. It is data rather than a function of the system, so that stored ratings grow too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SigmaGrowth {
    /// Sigma does not grow with time.
    #[default]
    None,
    /// The variance, sigma², grows by this number of points² a day.
    PerDay(f64),
    /// The variance grows by the square of the volatility for each missed rating period, fractions
    /// included.
    PerMissedPeriod {
        /// The length of a period in days, above 0. The last period belongs to the next contest.
        days: f64,
        /// Rating points per unit of volatility.
        unit: f64,
        /// The sigma of a newcomer: time does not increase a sigma beyond it.
        newcomer_sigma: f64,
    },
}

impl SigmaGrowth {
    /// Creates the rule of a variance that grows by `variance` points² a day, or 0.
    #[must_use]
    pub fn per_day(variance: f64) -> Self {
        if variance > 0.0 {
            Self::PerDay(variance)
        } else {
            Self::None
        }
    }

    /// Returns sigma some seconds after the contest that left a rating with this sigma and
    /// [volatility](crate::RatedEntrant::volatility). Without growth it is the same to the last bit.
    #[must_use]
    pub fn sigma_after(self, sigma: f64, volatility: Option<f64>, seconds: i64) -> f64 {
        if seconds <= 0 {
            return sigma;
        }
        let days_away = seconds as f64 / SECONDS_PER_DAY;
        match self {
            Self::None => sigma,
            Self::PerDay(growth) => (sigma * sigma + growth * days_away).sqrt(),
            Self::PerMissedPeriod {
                days,
                unit,
                newcomer_sigma,
            } => {
                let missed = (days_away / days - 1.0).max(0.0);
                let growth = missed * volatility.map_or(0.0, |volatility| volatility * volatility);
                let [variance, newcomer] = [sigma, newcomer_sigma].map(|sigma| {
                    let deviation = sigma / unit;
                    deviation * deviation
                });
                let grown = (variance + growth).min(variance.max(newcomer));
                if grown > variance {
                    // Not less by a rounding error.
                    (unit * grown.sqrt()).max(sigma)
                } else {
                    sigma
                }
            }
        }
    }
}
