//! Run-time selection of vector instructions.

use pulp::{Arch, NullaryFnOnce};

/// Runs a kernel with the vector instructions of `arch`. The closure needs `#[inline(always)]`, and
/// so do the functions that it calls.
pub(crate) fn dispatch<R>(arch: Arch, kernel: impl FnMut() -> R) -> R {
    arch.dispatch(Kernel(kernel))
}

struct Kernel<F>(F);

impl<R, F: FnMut() -> R> NullaryFnOnce for Kernel<F> {
    type Output = R;

    /// Not through `FnOnce`, as in pulp: the compiler's shim from `FnMut` to `FnOnce` is not
    /// inlined.
    #[inline(always)]
    fn call(mut self) -> R {
        (self.0)()
    }
}
