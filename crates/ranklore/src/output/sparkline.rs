//! Sparklines: a history in one line of text.

/// The blocks from the lowest to the highest value.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The block for equal values.
const MIDDLE: char = BLOCKS[3];

/// Formats values as blocks in at most `width` columns.
///
/// If there are more values than columns, each column shows the last value of an equal share (plus
/// or minus one), so the line ends with the newest value. Values that are not finite are left out.
pub(crate) fn sparkline(values: &[f64], width: usize) -> String {
    let values = values.iter().copied();
    let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let columns = values.len().min(width);
    let samples: Vec<f64> = (1..=columns)
        .map(|column| values[column * values.len() / columns - 1])
        .collect();
    let lowest = samples.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = samples.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    samples
        .iter()
        .map(|value| {
            if lowest < highest {
                // Halves, as the whole range may overflow.
                let share = (value / 2.0 - lowest / 2.0) / (highest / 2.0 - lowest / 2.0);
                BLOCKS[((share * 8.0) as usize).min(7)]
            } else {
                MIDDLE
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_eighth_of_the_range_has_its_block() {
        let rising: Vec<f64> = (0..8).map(|step| 1500.0 + f64::from(step)).collect();
        assert_eq!(sparkline(&rising, 8), "▁▂▃▄▅▆▇█");
        assert_eq!(sparkline(&rising, 80), "▁▂▃▄▅▆▇█");
        assert_eq!(sparkline(&[1.0, -1.0, 0.0], 8), "█▁▅");
        assert_eq!(sparkline(&[f64::MAX, f64::MIN, 0.0], 8), "█▁▅");
    }

    #[test]
    fn equal_values_use_middle_block() {
        assert_eq!(sparkline(&[1500.0], 8), "▄");
        assert_eq!(sparkline(&[-3.0; 5], 8), "▄▄▄▄▄");
    }

    #[test]
    fn no_values_give_empty_line() {
        assert_eq!(sparkline(&[], 8), "");
        assert_eq!(sparkline(&[1.0, 2.0], 0), "");
        assert_eq!(sparkline(&[f64::NAN, f64::INFINITY], 8), "");
        assert_eq!(sparkline(&[f64::NAN, 1.0, f64::NEG_INFINITY, 2.0], 8), "▁█");
    }

    #[test]
    fn many_values_are_sampled_to_width() {
        // Shares of two values, and of two and three.
        assert_eq!(sparkline(&[9.0, 0.0, 9.0, 1.0, 9.0, 2.0], 3), "▁▅█");
        assert_eq!(sparkline(&[9.0, 0.0, 9.0, 9.0, 1.0], 2), "▁█");
        for count in 0..100 {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            for width in 0..20 {
                let line = sparkline(&values, width);
                assert_eq!(line.chars().count(), width.min(values.len()));
                if line.chars().count() > 1 {
                    assert!(line.starts_with('▁') && line.ends_with('█'), "{line}");
                }
            }
        }
    }
}
