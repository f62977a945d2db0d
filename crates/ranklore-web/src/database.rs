//! Reading on threads of its own: a few connections, a bounded queue, a time limit.

use std::future::Future;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ranklore_store::{Interrupter, Store};
use ranklore_views::{ViewCache, ViewReader};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use crate::failure::Failure;

/// The number of connections, each with a cache of up to 16 MiB.
pub(crate) const CONNECTIONS: usize = 4;

/// The most requests that wait for a connection.
const MAX_WAITING: usize = 128;

/// The time between two attempts to end the queries of a request that takes too long.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(20);

/// The database, for all requests.
#[derive(Debug)]
pub(crate) struct Database {
    path: PathBuf,
    time_limit: Duration,
    /// The connections that no request uses.
    idle: Mutex<Vec<OpenStore>>,
    /// The cache of the views of the file that has the path.
    cache: Mutex<(FileIdentity, Arc<ViewCache>)>,
    permits: Semaphore,
    waiting: AtomicUsize,
}

/// An open connection, and the file that it reads.
#[derive(Debug)]
struct OpenStore {
    store: Store,
    file: FileIdentity,
    cache: Arc<ViewCache>,
}

/// A job that runs on another thread.
#[derive(Debug, Default)]
struct Running {
    /// Ends its queries.
    interrupter: Option<Interrupter>,
    is_interrupted: bool,
}

/// The device and the number of a file, which change if another file takes its name.
type FileIdentity = Option<(u64, u64)>;

impl Database {
    /// Checks that the database can be read.
    ///
    /// # Errors
    /// The errors of [`Store::open_reader`].
    pub(crate) fn open(path: PathBuf, time_limit: Duration) -> ranklore_store::Result<Self> {
        let database = Self {
            path,
            time_limit,
            idle: Mutex::default(),
            cache: Mutex::default(),
            permits: Semaphore::new(CONNECTIONS),
            waiting: AtomicUsize::new(0),
        };
        let open = database.open_store()?;
        lock(&database.idle).push(open);
        Ok(database)
    }

    /// Returns the longest time of an answer.
    pub(crate) const fn time_limit(&self) -> Duration {
        self.time_limit
    }

    /// Runs a job with a connection, on another thread. A job that is not done at the deadline is
    /// interrupted, also if the caller no longer waits for it.
    ///
    /// # Errors
    /// The errors of the job; 503 if too many requests wait or the time is up.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        deadline: Instant,
        job: impl FnOnce(ViewReader<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        // A task ends its work although the caller is dropped.
        let task = tokio::spawn(Arc::clone(self).read_in_time(deadline, job));
        task.await.unwrap_or_else(|error| Err(Failure::internal(&error)))
    }

    async fn read_in_time<T: Send + 'static>(
        self: Arc<Self>,
        deadline: Instant,
        job: impl FnOnce(ViewReader<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let waiting = Waiting::begin(&self.waiting)?;
        let Ok(permit) = timeout_at(deadline, self.permits.acquire()).await else {
            return Err(too_many_requests());
        };
        drop(waiting);
        let running = Arc::new(Mutex::new(Running::default()));
        let database = Arc::clone(&self);
        let job_state = Arc::clone(&running);
        let mut work = tokio::task::spawn_blocking(move || database.run(&job_state, job));
        let Ok(result) = timeout_at(deadline, &mut work).await else {
            interrupt_until_done(&running, &mut work).await;
            drop(permit);
            return Err(Failure::unavailable(format!(
                "the answer took longer than {} s; ask for fewer rows or a shorter period",
                self.time_limit.as_secs()
            )));
        };
        result.unwrap_or_else(|error| Err(Failure::internal(&error)))
    }

    /// Runs a job on this thread. Its queries can be ended through `running`.
    fn run<T>(
        &self,
        running: &Mutex<Running>,
        job: impl FnOnce(ViewReader<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let open = self.take()?;
        lock(running).interrupter = Some(open.store.interrupter());
        let result = job(ViewReader {
            store: &open.store,
            cache: Some(&open.cache),
        });
        let mut running = lock(running);
        // From here on an interruption would end queries of the next request. After one, the end of
        // the snapshot may have failed.
        running.interrupter = None;
        if !running.is_interrupted {
            lock(&self.idle).push(open);
        }
        result
    }

    /// Returns an idle connection to the file that has the path now, or a new one.
    fn take(&self) -> Result<OpenStore, Failure> {
        let file = identify(&self.path);
        loop {
            let idle = lock(&self.idle).pop();
            match idle {
                Some(open) if open.file == file => return Ok(open),
                Some(_) => {}
                None => return Ok(self.open_store()?),
            }
        }
    }

    fn open_store(&self) -> ranklore_store::Result<OpenStore> {
        // First: a file that takes the name meanwhile is noticed at the next request.
        let file = identify(&self.path);
        let store = Store::open_reader(&self.path)?;
        let mut cache = lock(&self.cache);
        // Another file may have the same results with other ids.
        if cache.0 != file {
            *cache = (file, Arc::default());
        }
        let cache = Arc::clone(&cache.1);
        Ok(OpenStore { store, file, cache })
    }
}

#[cfg(unix)]
fn identify(path: &std::path::Path) -> FileIdentity {
    use std::os::unix::fs::MetadataExt as _;
    let file = path.metadata().ok()?;
    Some((file.dev(), file.ino()))
}

/// An open file cannot be replaced.
#[cfg(not(unix))]
fn identify(_: &std::path::Path) -> FileIdentity {
    None
}

/// Ends the queries of a job until the job has ended: a single interruption only ends the query that
/// runs at that moment.
async fn interrupt_until_done(running: &Mutex<Running>, work: &mut (impl Future + Unpin)) {
    loop {
        {
            let mut running = lock(running);
            running.is_interrupted = true;
            if let Some(interrupter) = &running.interrupter {
                interrupter.interrupt();
            }
        }
        if timeout(INTERRUPT_INTERVAL, &mut *work).await.is_ok() {
            return;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts a request that waits for a connection.
struct Waiting<'w>(&'w AtomicUsize);

impl<'w> Waiting<'w> {
    fn begin(counter: &'w AtomicUsize) -> Result<Self, Failure> {
        let before = counter.fetch_add(1, Ordering::Relaxed);
        let waiting = Self(counter);
        if before < MAX_WAITING {
            Ok(waiting)
        } else {
            Err(too_many_requests())
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Reports that too many requests wait.
fn too_many_requests() -> Failure {
    Failure::unavailable("the server has too many requests; try again in a moment")
}

#[cfg(test)]
mod tests {
    use ranklore_test_support::{TempDatabase, contest, import_contest};

    use super::*;

    /// Returns a database with contests, which answers within this time.
    fn database(time_limit: Duration) -> (TempDatabase, Arc<Database>) {
        let scratch = TempDatabase::new();
        let mut writer = scratch.open_writer();
        let mut batch = writer.batch().unwrap();
        for id in 0..50 {
            let id = id.to_string();
            import_contest(&mut batch, "club", 5, &contest(&id, 10, &["a", "b"]));
        }
        batch.commit().unwrap();
        drop(writer);
        let database = Database::open(scratch.database(), time_limit).unwrap();
        (scratch, Arc::new(database))
    }

    fn read_for_ever(reader: ViewReader<'_>) -> Result<(), Failure> {
        loop {
            reader.store.content_hash()?;
        }
    }

    fn read(reader: ViewReader<'_>) -> Result<(), Failure> {
        reader.store.content_hash()?;
        Ok(())
    }

    fn soon(database: &Database) -> Instant {
        Instant::now() + database.time_limit
    }

    #[tokio::test]
    async fn long_queries_are_ended_and_others_go_on() {
        let (_scratch, database) = database(Duration::from_millis(300));
        let long: Vec<_> = (0..2 * CONNECTIONS)
            .map(|_| {
                let database = Arc::clone(&database);
                tokio::spawn(async move { database.read(soon(&database), read_for_ever).await })
            })
            .collect();
        for task in long {
            let failure = task.await.unwrap().unwrap_err();
            assert_eq!(failure.status.as_u16(), 503, "{failure:?}");
        }
        assert_eq!(database.permits.available_permits(), CONNECTIONS);
        for _ in 0..2 * CONNECTIONS {
            database.read(soon(&database), read).await.unwrap();
        }
        assert!(lock(&database.idle).len() <= CONNECTIONS);
    }

    #[tokio::test]
    async fn dropped_request_does_not_run_on() {
        let (_scratch, database) = database(Duration::from_millis(300));
        let dropped =
            timeout(Duration::from_millis(50), database.read(soon(&database), read_for_ever)).await;
        assert!(dropped.is_err());
        let ended = timeout(Duration::from_mins(1), async {
            while database.permits.available_permits() < CONNECTIONS {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        ended.await.unwrap();
    }

    #[tokio::test]
    async fn too_many_requests_are_refused_at_once() {
        let (_scratch, database) = database(Duration::from_mins(1));
        let all = u32::try_from(CONNECTIONS).unwrap();
        let permits = database.permits.acquire_many(all).await.unwrap();
        let waiting: Vec<_> = (0..MAX_WAITING)
            .map(|_| {
                let database = Arc::clone(&database);
                tokio::spawn(async move { database.read(soon(&database), read).await })
            })
            .collect();
        while database.waiting.load(Ordering::Relaxed) < MAX_WAITING {
            tokio::task::yield_now().await;
        }
        let refused = database.read(soon(&database), read).await.unwrap_err();
        assert_eq!(refused.status.as_u16(), 503);
        drop(permits);
        for task in waiting {
            task.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn panic_of_a_job_costs_one_request() {
        let (_scratch, database) = database(Duration::from_mins(1));
        let failed = database.read::<()>(soon(&database), |_| panic!("a test")).await;
        assert_eq!(failed.unwrap_err().status.as_u16(), 500);
        database.read(soon(&database), read).await.unwrap();
        assert_eq!(database.permits.available_permits(), CONNECTIONS);
    }
}
