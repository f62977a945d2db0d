//! A value that is looked up again for each request, but once for all requests that wait.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

/// Looks up a value for many requests.
#[derive(Debug, Default)]
pub(crate) struct SharedLook<T> {
    /// The number of looks that have started.
    started: AtomicU64,
    last: Mutex<LastLook<T>>,
}

#[derive(Debug)]
struct LastLook<T> {
    /// Counted from 1.
    number: u64,
    /// None if the look failed, or its request has gone.
    value: Option<T>,
}

impl<T> Default for LastLook<T> {
    fn default() -> Self {
        Self {
            number: 0,
            value: None,
        }
    }
}

impl<T: Clone> SharedLook<T> {
    /// Returns the value of a look that started after this call: that of another request, or else of
    /// this one.
    ///
    /// # Errors
    /// The errors of `look`, which are not shared.
    pub(crate) async fn share<E>(&self, look: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let started_before = self.started.load(Ordering::SeqCst);
        let mut last = self.last.lock().await;
        if last.number > started_before
            && let Some(value) = &last.value
        {
            return Ok(value.clone());
        }
        let number = self.started.fetch_add(1, Ordering::SeqCst) + 1;
        *last = LastLook {
            number,
            value: None,
        };
        let value = look.await?;
        last.value = Some(value.clone());
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicU32;
    use std::time::Duration;

    use tokio::task::{JoinSet, yield_now};
    use tokio::time::timeout;

    use super::*;

    /// A value that changes, and the number of looks at it.
    #[derive(Default)]
    struct Looked {
        value: AtomicU32,
        looks: AtomicU32,
    }

    impl Looked {
        async fn look(&self) -> Result<u32, ()> {
            self.looks.fetch_add(1, Ordering::SeqCst);
            let value = self.value.load(Ordering::SeqCst);
            yield_now().await;
            Ok(value)
        }
    }

    #[tokio::test]
    async fn waiting_requests_share_a_look_that_started_after_them() {
        let shared = Arc::new((SharedLook::default(), Looked::default()));
        let look = || {
            let shared = Arc::clone(&shared);
            async move { shared.0.share(shared.1.look()).await }
        };
        let mut others = JoinSet::new();
        let first = tokio::spawn(look());
        yield_now().await;
        // The first look has started, and must not serve requests after this change.
        shared.1.value.store(1, Ordering::SeqCst);
        for _ in 0..100 {
            others.spawn(look());
        }
        assert_eq!(first.await.unwrap(), Ok(0));
        assert_eq!(others.join_all().await, vec![Ok(1); 100]);
        // A request that comes during the second look needs a third.
        let looks = shared.1.looks.load(Ordering::SeqCst);
        assert!((2..5).contains(&looks), "{looks}");
        assert_eq!(look().await, Ok(1));
        assert_eq!(shared.1.looks.load(Ordering::SeqCst), looks + 1);
    }

    #[tokio::test]
    async fn failed_and_abandoned_looks_are_not_shared() {
        let shared = SharedLook::<u32>::default();
        let results = tokio::join!(
            shared.share(async {
                yield_now().await;
                Err("broken")
            }),
            shared.share(async { Err("broken too") }),
            shared.share(async { Ok::<_, &str>(3) }),
        );
        assert_eq!(results, (Err("broken"), Err("broken too"), Ok(3)));
        let endless = shared.share(std::future::pending::<Result<u32, ()>>());
        timeout(Duration::from_millis(5), endless).await.unwrap_err();
        assert_eq!(shared.share(async { Ok::<_, ()>(4) }).await, Ok(4));
    }
}
