//! Instruction sets, chosen at run time.

use pulp::{Arch, NullaryFnOnce};

/// Runs a kernel with the vector instructions of `arch`. The closure needs `#[inline(always)]`, and
/// so does what it calls.
pub(crate) fn dispatch<R>(arch: Arch, kernel: impl FnMut() -> R) -> R {
    arch.dispatch(Kernel(kernel))
}

struct Kernel<F>(F);

impl<R, F: FnMut() -> R> NullaryFnOnce for Kernel<F> {
    type Output = R;

    /// Not by `FnOnce`, as pulp itself would: a closure that can be called again is called once by
    /// a function of the compiler's, which is not inlined.
    #[inline(always)]
    fn call(mut self) -> R {
        (self.0)()
    }
}
