//! Hash of rows. If it changes, ratings have changed, and the engine version must increase.

/// FNV-1a, 64 bits: the same on every machine.
pub(crate) fn fingerprint(bits: impl IntoIterator<Item = u64>) -> u64 {
    let bytes = bits.into_iter().flat_map(u64::to_le_bytes);
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
