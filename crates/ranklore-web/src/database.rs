//! Reading on threads of its own: slots in two lanes, a time limit, and connections that are closed
//! when they are not used.

mod file;
pub(crate) mod slots;

use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ranklore_store::{Interrupter, Store};
use ranklore_views::{ViewCache, ViewReader};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use crate::database::file::{FileIdentity, WalIndex};
use crate::database::slots::{QuerySlots, TooManyRequests};
use crate::failure::Failure;
use crate::peer::Peer;

/// The queries of the quick lane that run at a time, and the most requests of a client that wait.
const QUICK: (usize, usize) = (4, 1_024);

/// The numbers of the slow lane: one client has one processor at most.
const SLOW: (usize, usize) = (2, 128);

/// The threads for jobs: one for each slot, and for looks at the state of the database.
pub(crate) const THREADS: usize = QUICK.0 + SLOW.0 + 1;

/// The time between two attempts to end the queries of a request that takes too long.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(20);

/// The time after which connections and parts of views are dropped that no request has used.
const IDLE_TIME: Duration = Duration::from_secs(20);

/// The database, for all requests.
#[derive(Debug)]
pub(crate) struct Database {
    path: PathBuf,
    time_limit: Duration,
    open: Mutex<OpenStores>,
    quick: Arc<QuerySlots>,
    slow: Arc<QuerySlots>,
    /// For looks at the state, which take microseconds: whoever asks first is first.
    state: Arc<Semaphore>,
}

/// The connections, and what is kept of the file that has the path.
#[derive(Debug)]
struct OpenStores {
    /// The connections that no request uses, the one used last at the end.
    idle: Vec<OpenStore>,
    /// The number of those that a request uses.
    used: usize,
    index: WalIndex,
    file: FileIdentity,
    cache: Arc<ViewCache>,
    cache_used: Instant,
}

/// An open connection, and the file that it reads.
#[derive(Debug)]
struct OpenStore {
    store: Store,
    file: FileIdentity,
    cache: Arc<ViewCache>,
    used: Instant,
}

/// The queue that a request stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Pages that read a few rows, or what is kept.
    Quick,
    /// Pages that may read all rows of a run.
    Slow,
}

/// A job that runs on another thread.
#[derive(Debug, Default)]
struct Running {
    /// Ends its queries.
    interrupter: Option<Interrupter>,
    is_interrupted: bool,
}

impl Database {
    /// Checks that the database can be read.
    ///
    /// # Errors
    /// The errors of [`Store::open_reader`].
    pub(crate) fn open(path: PathBuf, time_limit: Duration) -> ranklore_store::Result<Self> {
        let now = Instant::now();
        let file = FileIdentity::read(&path);
        let cache = Arc::<ViewCache>::default();
        let open = OpenStore {
            store: Store::open_reader(&path)?,
            file,
            cache: Arc::clone(&cache),
            used: now,
        };
        Ok(Self {
            open: Mutex::new(OpenStores {
                idle: vec![open],
                used: 0,
                index: WalIndex::read(&path),
                file,
                cache,
                cache_used: now,
            }),
            path,
            time_limit,
            quick: QuerySlots::new(QUICK.0, QUICK.1),
            slow: QuerySlots::new(SLOW.0, SLOW.1),
            state: Arc::new(Semaphore::new(1)),
        })
    }

    /// Returns the longest time of an answer.
    pub(crate) const fn time_limit(&self) -> Duration {
        self.time_limit
    }

    /// Returns the slots of a lane.
    pub(crate) const fn slots(&self, lane: Lane) -> &Arc<QuerySlots> {
        match lane {
            Lane::Quick => &self.quick,
            Lane::Slow => &self.slow,
        }
    }

    /// Runs a job with a connection, on another thread, once the client has a slot of the lane. A
    /// job that is not done at the deadline is interrupted, also if the caller no longer waits for
    /// it.
    ///
    /// # Errors
    /// The errors of the job; 503 if too many requests wait or the time is up.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        lane: Lane,
        peer: Peer,
        deadline: Instant,
        job: impl FnOnce(ViewReader<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let slot = timeout_at(deadline, self.slots(lane).acquire(peer)).await;
        let Ok(Ok(slot)) = slot else {
            return Err(TooManyRequests.into());
        };
        self.run_until(deadline, slot, job).await
    }

    /// Runs a job that looks at the state of the database, before all queries.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) async fn read_state<T: Send + 'static>(
        self: &Arc<Self>,
        deadline: Instant,
        job: impl FnOnce(&Store) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let turn = timeout_at(deadline, Arc::clone(&self.state).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(TooManyRequests.into());
        };
        self.run_until(deadline, turn, |reader| job(reader.store)).await
    }

    /// Runs a job on another thread, which keeps `slot` until the job has ended.
    async fn run_until<T: Send + 'static>(
        self: &Arc<Self>,
        deadline: Instant,
        slot: impl Send + 'static,
        job: impl FnOnce(ViewReader<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let running = Arc::new(Mutex::new(Running::default()));
        let database = Arc::clone(self);
        let job_state = Arc::clone(&running);
        let mut work = tokio::task::spawn_blocking(move || database.run(&job_state, job));
        // A task interrupts the job although the caller is dropped.
        let task = tokio::spawn(async move {
            let result = timeout_at(deadline, &mut work).await;
            if result.is_err() {
                interrupt_until_done(&running, &mut work).await;
            }
            drop(slot);
            result
        });
        match task.await {
            Ok(Ok(Ok(result))) => result,
            Ok(Ok(Err(error))) | Err(error) => Err(Failure::internal(&error)),
            Ok(Err(_)) => Err(Failure::unavailable(format!(
                "the answer took longer than {} s; ask for fewer rows or a shorter period",
                self.time_limit.as_secs()
            ))),
        }
    }

    /// Runs a job on this thread. Its queries can be ended through `running`.
    fn run<T>(
        &self,
        running: &Mutex<Running>,
        job: impl FnOnce(ViewReader<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let used = UsedStore::take(self)?;
        lock(running).interrupter = Some(used.open.store.interrupter());
        let result = job(ViewReader {
            store: &used.open.store,
            cache: Some(&used.open.cache),
        });
        let mut running = lock(running);
        // From here on an interruption would end queries of the next request. After one, the end of
        // the snapshot may have failed.
        running.interrupter = None;
        if !running.is_interrupted {
            used.give_back();
        }
        result
    }

    /// Drops the connections and the parts of views that no request has used for a while. One
    /// connection stays: SQLite could not make its files on a full disk.
    pub(crate) fn drop_unused(&self) {
        let now = Instant::now();
        let is_unused = |used: Instant| now.duration_since(used) >= IDLE_TIME;
        let mut open = lock(&self.open);
        let unused = open.idle.iter().take_while(|store| is_unused(store.used)).count();
        let dropped = unused.min((open.idle.len() + open.used).saturating_sub(1));
        open.idle.drain(..dropped);
        if let Some(last) = open.idle.first().filter(|store| is_unused(store.used)) {
            // A connection that cannot do this will not read either, and says so then.
            let _ = last.store.release_memory();
        }
        if is_unused(open.cache_used) && open.used == 0 {
            let cache = Arc::<ViewCache>::default();
            open.idle.iter_mut().for_each(|store| store.cache = Arc::clone(&cache));
            open.cache = cache;
        }
    }
}

/// A connection that a request uses.
struct UsedStore<'d> {
    database: &'d Database,
    open: OpenStore,
    count: UsedCount<'d>,
}

/// Counts a connection as used.
struct UsedCount<'d>(&'d Database);

impl<'d> UsedStore<'d> {
    /// Takes an idle connection to the file that has the path now, or opens one.
    fn take(database: &'d Database) -> Result<Self, Failure> {
        let file = FileIdentity::read(&database.path);
        let mut open = lock(&database.open);
        if !open.index.is_whole(&database.path) {
            // SQLite maps the index once for all connections of a process.
            open.idle.drain(..).for_each(|open| open.store.abandon());
            if open.used > 0 {
                return Err(Failure::unavailable(
                    "the index beside the database was cut; try again in a moment",
                ));
            }
            open.index = WalIndex::default();
        }
        open.idle.retain(|open| open.file == file);
        // Another file may have the same results with other ids.
        if open.file != file {
            (open.file, open.cache) = (file, Arc::default());
        }
        open.cache_used = Instant::now();
        let idle = open.idle.pop();
        open.used += 1;
        let cache = Arc::clone(&open.cache);
        drop(open);
        let count = UsedCount(database);
        let open = if let Some(idle) = idle {
            idle
        } else {
            let store = Store::open_reader(&database.path)?;
            lock(&database.open).index = WalIndex::read(&database.path);
            OpenStore {
                store,
                file,
                cache,
                used: Instant::now(),
            }
        };
        Ok(Self {
            database,
            open,
            count,
        })
    }

    /// Lets other requests use the connection.
    fn give_back(self) {
        let Self {
            database,
            mut open,
            count,
        } = self;
        // Another one keeps writers out of a file that it cannot share with them.
        if open.store.shares_file() {
            open.used = Instant::now();
            lock(&database.open).idle.push(open);
        }
        drop(count);
    }
}

impl Drop for UsedCount<'_> {
    fn drop(&mut self) {
        lock(&self.0.open).used -= 1;
    }
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

impl From<TooManyRequests> for Failure {
    fn from(_: TooManyRequests) -> Self {
        Self::unavailable("the server has too many requests; try again in a moment")
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

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

    fn peer(last: u8) -> Peer {
        Peer::new(IpAddr::from([192, 0, 2, last]))
    }

    async fn run<T: Send + 'static>(
        database: &Arc<Database>,
        last: u8,
        job: impl FnOnce(ViewReader<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let deadline = Instant::now() + database.time_limit;
        database.read(Lane::Slow, peer(last), deadline, job).await
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

    #[tokio::test]
    async fn long_queries_are_ended_and_others_go_on() {
        let (_scratch, database) = database(Duration::from_millis(300));
        let long: Vec<_> = (0..8)
            .map(|last| {
                let database = Arc::clone(&database);
                tokio::spawn(async move { run(&database, last, read_for_ever).await })
            })
            .collect();
        for task in long {
            let failure = task.await.unwrap().unwrap_err();
            assert_eq!(failure.status.as_u16(), 503, "{failure:?}");
        }
        assert_eq!(database.slow.count_running(), 0);
        for last in 0..8 {
            run(&database, last, read).await.unwrap();
        }
        assert!(lock(&database.open).idle.len() <= SLOW.0);
    }

    #[tokio::test]
    async fn interrupted_query_is_no_fault_of_the_server() {
        let (_scratch, database) = database(Duration::from_millis(50));
        let (send, receive) = std::sync::mpsc::channel();
        let job = move |reader: ViewReader<'_>| {
            let result = read_for_ever(reader);
            send.send(result.as_ref().map_err(|failure| failure.status).copied()).unwrap();
            result
        };
        run(&database, 1, job).await.unwrap_err();
        assert_eq!(receive.recv().unwrap().unwrap_err().as_u16(), 503);
    }

    #[tokio::test]
    async fn other_lane_and_other_clients_do_not_wait_for_one() {
        let (_scratch, database) = database(Duration::from_secs(2));
        let flood: Vec<_> = (0..20)
            .map(|_| {
                let database = Arc::clone(&database);
                tokio::spawn(async move { run(&database, 1, read_for_ever).await })
            })
            .collect();
        while database.slow.count_waiting() < 19 {
            tokio::task::yield_now().await;
        }
        run(&database, 2, read).await.unwrap();
        let deadline = Instant::now() + database.time_limit;
        database.read(Lane::Quick, peer(1), deadline, read).await.unwrap();
        database.read_state(deadline, |store| Ok(store.content_hash()?)).await.unwrap();
        assert_eq!((database.slow.count_running(), database.slow.count_waiting()), (1, 19));
        // The runtime waits for jobs that nobody ends.
        for task in flood {
            task.await.unwrap().unwrap_err();
        }
    }

    #[tokio::test]
    async fn dropped_request_does_not_run_on() {
        let (_scratch, database) = database(Duration::from_millis(300));
        let dropped = timeout(Duration::from_millis(50), run(&database, 1, read_for_ever)).await;
        assert!(dropped.is_err());
        let ended = timeout(Duration::from_mins(1), async {
            while database.slow.count_running() > 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        ended.await.unwrap();
    }

    #[tokio::test]
    async fn panic_of_a_job_costs_one_request() {
        let (_scratch, database) = database(Duration::from_mins(1));
        let failed = run::<()>(&database, 1, |_| panic!("a test")).await;
        assert_eq!(failed.unwrap_err().status.as_u16(), 500);
        run(&database, 1, read).await.unwrap();
        assert_eq!((database.slow.count_running(), lock(&database.open).used), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn unused_connections_are_closed_but_one() {
        let (_scratch, database) = database(Duration::from_mins(1));
        let taken: Vec<_> = (0..4).map(|_| UsedStore::take(&database).unwrap()).collect();
        taken.into_iter().for_each(UsedStore::give_back);
        let cache = Arc::clone(&lock(&database.open).cache);
        database.drop_unused();
        assert_eq!(lock(&database.open).idle.len(), 4);
        tokio::time::advance(IDLE_TIME).await;
        database.drop_unused();
        assert_eq!(lock(&database.open).idle.len(), 1);
        assert!(!Arc::ptr_eq(&cache, &lock(&database.open).cache));
        database.run(&Mutex::default(), read).unwrap();
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn index_that_is_cut_is_mapped_again() {
        let (scratch, database) = database(Duration::from_mins(1));
        let mut index = scratch.database().into_os_string();
        index.push("-shm");
        let index = PathBuf::from(index);
        run(&database, 1, read).await.unwrap();
        for _ in 0..3 {
            let file = std::fs::File::options().write(true).open(&index).unwrap();
            file.set_len(0).unwrap();
            run(&database, 1, read).await.unwrap();
            assert!(index.metadata().unwrap().len() > 0);
        }
        // A query that runs has the old index: the others wait for its end.
        let used = UsedStore::take(&database).unwrap();
        std::fs::File::options().write(true).open(&index).unwrap().set_len(0).unwrap();
        let failure = run(&database, 1, read).await.unwrap_err();
        assert_eq!(failure.status.as_u16(), 503);
        // Nor may this test look into it again.
        let UsedStore { open, count, .. } = used;
        open.store.abandon();
        drop(count);
        run(&database, 1, read).await.unwrap();
    }
}
