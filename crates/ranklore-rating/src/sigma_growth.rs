//! The growth of sigma with the time since the last contest.

pub(crate) const SECONDS_PER_DAY: f64 = 86_400.0;

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
    /// The variance grows for each missed rating period, fractions included.
    PerMissedPeriod {
        /// The length of a period in days, above 0. The last period belongs to the next contest.
        days: f64,
        /// The growth in a period.
        growth: PeriodGrowth,
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
            Self::PerMissedPeriod { days, growth } => {
                let missed = (days_away / days - 1.0).max(0.0);
                growth.sigma_after(sigma, volatility, missed)
            }
        }
    }
}

/// The growth of sigma in a rating period without a contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeriodGrowth {
    /// The growth of the variance; `None` for the square of the volatility.
    pub variance: Option<f64>,
    /// Rating points per unit of the variance and of the volatility.
    pub unit: f64,
    /// The sigma of a newcomer: time does not increase a sigma beyond it.
    pub newcomer_sigma: f64,
}

impl PeriodGrowth {
    /// Returns sigma after some missed periods, 0 or more. Without growth it is the same to the last
    /// bit.
    #[must_use]
    pub fn sigma_after(self, sigma: f64, volatility: Option<f64>, missed: f64) -> f64 {
        let per_period = self
            .variance
            .unwrap_or_else(|| volatility.map_or(0.0, |volatility| volatility * volatility));
        let growth = missed * per_period;
        let [variance, newcomer] = [sigma, self.newcomer_sigma].map(|sigma| {
            let deviation = sigma / self.unit;
            deviation * deviation
        });
        let grown = (variance + growth).min(variance.max(newcomer));
        if grown > variance {
            // Not less by a rounding error.
            (self.unit * grown.sqrt()).max(sigma)
        } else {
            sigma
        }
    }
}
