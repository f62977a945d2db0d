//! The open connections, and the memory that they may take. When it is short, the one that has waited
//! longest for its client makes room.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::peer::Peer;

/// The memory of a connection besides its answer: the largest head of a request, in bytes.
pub(crate) const CONNECTION_BYTES: usize = 24 << 10;

/// The most that connections may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) connections: usize,
    pub(crate) bytes: usize,
}

impl Limits {
    /// Returns the share of one client.
    const fn share(self) -> Self {
        Self {
            connections: self.connections.div_ceil(2),
            bytes: self.bytes / 2,
        }
    }

    const fn are_kept_by(self, held: &Held) -> bool {
        held.connections <= self.connections && held.bytes <= self.bytes
    }
}

/// All open connections.
#[derive(Debug)]
pub(crate) struct Connections {
    limits: Limits,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    /// The number of the next connection, or of the next wait for a client.
    next: u64,
    open: HashMap<u64, Open>,
    all: Held,
    by_peer: HashMap<Peer, Held>,
    /// The connections that wait for their client, by client, the longest wait first.
    waiting: HashMap<Peer, BTreeMap<u64, u64>>,
    dropped: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Held {
    connections: usize,
    bytes: usize,
}

#[derive(Debug)]
struct Open {
    peer: Peer,
    bytes: usize,
    /// The number of the wait for the client: for a request, or until it takes the answer.
    wait: Option<u64>,
    dropped: Arc<Notify>,
}

/// An open connection. It is closed when this is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    connections: Arc<Connections>,
    number: u64,
    dropped: Arc<Notify>,
}

impl Connections {
    pub(crate) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            table: Mutex::default(),
        })
    }

    /// Adds a connection of a client with a share of all connections, if there is room for it, or
    /// one that waits for its client can make room.
    pub(crate) fn open(self: &Arc<Self>, peer: Peer) -> Option<Connection> {
        self.open_within(peer, self.limits.share())
    }

    /// Adds a connection of a proxy, whose clients share it.
    pub(crate) fn open_of_proxy(self: &Arc<Self>, proxy: Peer) -> Option<Connection> {
        self.open_within(proxy, self.limits)
    }

    fn open_within(self: &Arc<Self>, peer: Peer, share: Limits) -> Option<Connection> {
        let dropped = Arc::new(Notify::new());
        let mut table = self.lock();
        let number = table.open(peer, Arc::clone(&dropped));
        let has_share = loop {
            if share.are_kept_by(&table.held_by(peer)) {
                break true;
            }
            if !table.drop_oldest(peer) {
                break false;
            }
        };
        if !has_share || !self.make_room(&mut table) {
            table.close(number);
            return None;
        }
        // From here on it can make room for others.
        table.set(number, CONNECTION_BYTES, true);
        Some(Connection {
            connections: Arc::clone(self),
            number,
            dropped,
        })
    }

    /// Drops connections that wait for clients until the others keep the limits. False if none is
    /// left that waits.
    fn make_room(&self, table: &mut Table) -> bool {
        while !self.limits.are_kept_by(&table.all) {
            let waiting = table.waiting.keys().copied();
            let Some(peer) = waiting.max_by_key(|peer| table.held_by(*peer).bytes) else {
                return false;
            };
            table.drop_oldest(peer);
        }
        true
    }

    /// Returns the number of open connections, and of those that were dropped to make room.
    pub(crate) fn counts(&self) -> (usize, u64) {
        let table = self.lock();
        (table.all.connections, table.dropped)
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn open(&mut self, peer: Peer, dropped: Arc<Notify>) -> u64 {
        let number = self.next_number();
        let open = Open {
            peer,
            bytes: 0,
            wait: None,
            dropped,
        };
        self.open.insert(number, open);
        self.all.connections += 1;
        self.by_peer.entry(peer).or_default().connections += 1;
        self.set(number, CONNECTION_BYTES, false);
        number
    }

    fn next_number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn held_by(&self, peer: Peer) -> Held {
        self.by_peer.get(&peer).copied().unwrap_or_default()
    }

    /// Sets the memory of a connection, and whether it waits for its client from now on. Without
    /// effect on one that was dropped.
    fn set(&mut self, number: u64, bytes: usize, waits: bool) {
        let wait = waits.then(|| self.next_number());
        let Some(open) = self.open.get_mut(&number) else {
            return;
        };
        let (peer, old_bytes) = (open.peer, open.bytes);
        let old_wait = std::mem::replace(&mut open.wait, wait);
        open.bytes = bytes;
        self.all.bytes = self.all.bytes - old_bytes + bytes;
        let held = self.by_peer.entry(peer).or_default();
        held.bytes = held.bytes - old_bytes + bytes;
        let waiting = self.waiting.entry(peer).or_default();
        if let Some(old_wait) = old_wait {
            waiting.remove(&old_wait);
        }
        if let Some(wait) = wait {
            waiting.insert(wait, number);
        }
        if waiting.is_empty() {
            self.waiting.remove(&peer);
        }
    }

    fn close(&mut self, number: u64) -> Option<Open> {
        self.set(number, 0, false);
        let open = self.open.remove(&number)?;
        self.all.connections -= 1;
        let held = self.by_peer.entry(open.peer).or_default();
        held.connections -= 1;
        if held.connections == 0 {
            self.by_peer.remove(&open.peer);
        }
        Some(open)
    }

    /// Drops the connection of a client that has waited longest for it. False if none waits.
    fn drop_oldest(&mut self, peer: Peer) -> bool {
        let oldest = self.waiting.get(&peer).and_then(BTreeMap::first_key_value);
        let Some(open) = oldest.map(|(_, number)| *number).and_then(|number| self.close(number))
        else {
            return false;
        };
        self.dropped += 1;
        open.dropped.notify_one();
        true
    }
}

impl Connection {
    /// Waits until the connection is dropped to make room for others.
    pub(crate) async fn dropped(&self) {
        self.dropped.notified().await;
    }

    /// A request has arrived: the client waits for the server.
    pub(crate) fn begin_answer(&self) {
        self.connections.lock().set(self.number, CONNECTION_BYTES, false);
    }

    /// Waits from now on until the client has taken an answer of this size. Other connections may
    /// have to make room for it.
    pub(crate) fn send_answer(&self, bytes: usize) {
        let mut table = self.connections.lock();
        table.set(self.number, CONNECTION_BYTES + bytes, true);
        self.connections.make_room(&mut table);
    }

    /// Waits for the next request.
    pub(crate) fn end_answer(&self) {
        self.connections.lock().set(self.number, CONNECTION_BYTES, true);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.lock().close(self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn peer(last: u8) -> Peer {
        Peer::new(IpAddr::from([192, 0, 2, last]))
    }

    fn of_number(connections: usize) -> Arc<Connections> {
        Connections::new(Limits {
            connections,
            bytes: usize::MAX,
        })
    }

    fn is_open(connection: &Connection) -> bool {
        connection.connections.lock().open.contains_key(&connection.number)
    }

    fn are_open<const N: usize>(connections: [&Connection; N]) -> [bool; N] {
        connections.map(is_open)
    }

    #[tokio::test]
    async fn oldest_wait_of_a_client_makes_room_for_its_next_connection() {
        let connections = of_number(6);
        let [first, second, third] = [(); 3].map(|()| connections.open(peer(1)).unwrap());
        first.begin_answer();
        first.end_answer();
        let fourth = connections.open(peer(1)).unwrap();
        assert_eq!(are_open([&first, &second, &third, &fourth]), [true, false, true, true]);
        second.dropped().await;
        // Without effect on a connection that was dropped.
        second.begin_answer();
        second.send_answer(1_000);
        drop(second);
        assert_eq!(connections.counts(), (3, 1));
        for connection in [&first, &third, &fourth] {
            connection.begin_answer();
        }
        assert!(connections.open(peer(1)).is_none(), "all are being answered");
        assert!(connections.open(peer(2)).is_some());
        assert_eq!(connections.counts(), (3, 1));
    }

    #[test]
    fn client_with_the_most_makes_room_for_others() {
        let connections = of_number(4);
        let flood = [(); 2].map(|()| connections.open(peer(1)).unwrap());
        let others = [2, 3].map(|last| connections.open(peer(last)).unwrap());
        let visitor = connections.open(peer(4)).unwrap();
        assert_eq!(are_open([&flood[0], &flood[1]]), [false, true]);
        assert_eq!(are_open([&others[0], &others[1], &visitor]), [true; 3]);
        for connection in flood.iter().chain(&others).chain([&visitor]) {
            connection.begin_answer();
        }
        assert!(connections.open(peer(5)).is_none());
    }

    #[test]
    fn proxy_may_hold_all_connections() {
        let connections = of_number(4);
        let held = [(); 4].map(|()| connections.open_of_proxy(peer(1)).unwrap());
        assert!(held.iter().all(is_open));
        let visitor = connections.open(peer(2)).unwrap();
        assert!(is_open(&visitor) && !is_open(&held[0]));
    }

    #[test]
    fn answers_that_are_not_taken_count_by_their_size() {
        let connections = Connections::new(Limits {
            connections: 100,
            bytes: 10 * CONNECTION_BYTES,
        });
        let slow = connections.open(peer(1)).unwrap();
        let others: Vec<_> = (2..5).map(|last| connections.open(peer(last)).unwrap()).collect();
        slow.begin_answer();
        slow.send_answer(6 * CONNECTION_BYTES);
        assert!(is_open(&slow));
        others[0].begin_answer();
        others[0].send_answer(CONNECTION_BYTES);
        assert!(!is_open(&slow) && others.iter().all(is_open));
        // An answer that is taken no longer counts.
        others[0].end_answer();
        assert_eq!(connections.lock().all.bytes, 3 * CONNECTION_BYTES);
    }

    #[test]
    fn counts_stay_true_over_random_steps() {
        let connections = Connections::new(Limits {
            connections: 20,
            bytes: 30 * CONNECTION_BYTES,
        });
        let mut open: Vec<Connection> = Vec::new();
        let mut state = 1_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (step, index) = (state >> 33 & 7, (state >> 40) as usize);
            match (step, open.len()) {
                (0..=2, _) | (_, 0) => open.extend(connections.open(peer(index as u8 % 5))),
                (3, count) => drop(open.swap_remove(index % count)),
                (4, count) => open[index % count].begin_answer(),
                (5, count) => open[index % count].send_answer(index % (4 * CONNECTION_BYTES)),
                (_, count) => open[index % count].end_answer(),
            }
            let table = connections.lock();
            let bytes: usize = table.open.values().map(|open| open.bytes).sum();
            let waits: usize = table.waiting.values().map(BTreeMap::len).sum();
            let waiting = table.open.values().filter(|open| open.wait.is_some()).count();
            assert_eq!((table.all.connections, table.all.bytes), (table.open.len(), bytes));
            assert_eq!(waits, waiting);
            assert!(table.all.connections <= 20);
            let held = table.by_peer.values();
            assert_eq!(held.map(|held| held.bytes).sum::<usize>(), bytes);
            assert!(table.all.bytes <= 30 * CONNECTION_BYTES || waiting == 0);
        }
        drop(open);
        let table = connections.lock();
        assert_eq!((table.all, table.by_peer.len()), (Held::default(), 0));
        assert!(table.waiting.is_empty() && table.open.is_empty());
    }
}
