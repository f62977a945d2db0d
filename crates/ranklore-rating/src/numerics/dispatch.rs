//! Run-time selection of vector instructions.

use pulp::{Arch, NullaryFnOnce};

/// Evaluates an expression with the vector instructions of an [`Arch`]. The functions that it calls
/// need `#[inline(always)]`.
macro_rules! dispatch {
    ($arch:expr, $kernel:expr) => {
        $crate::numerics::dispatch::run_kernel(
            $arch,
            #[inline(always)]
            || $kernel,
        )
    };
}
pub(crate) use dispatch;

/// Runs a kernel, a closure with `#[inline(always)]`: see [`dispatch!`].
pub(crate) fn run_kernel<R>(arch: Arch, kernel: impl FnMut() -> R) -> R {
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
