//! Evaluation of polynomials.

/// Evaluates the polynomial with these coefficients of the powers of `t`, their number a multiple
/// of 4. Four terms at a time, whose sums do not wait for each other.
#[inline(always)]
pub(crate) fn evaluate<const N: usize>(coefficients: &[f64; N], t: f64) -> f64 {
    const { assert!(N.is_multiple_of(4), "blocks of four") };
    let t2 = t * t;
    let t4 = t2 * t2;
    let mut sum = 0.0;
    for block in (0..N / 4).rev() {
        let c = |power: usize| coefficients[4 * block + power];
        sum = sum * t4 + ((c(0) + c(1) * t) + (c(2) + c(3) * t) * t2);
    }
    sum
}
