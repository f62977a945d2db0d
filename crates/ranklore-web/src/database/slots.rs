//! Slots for queries. Clients take them in turn, and none takes more than its share.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::peer::Peer;

/// A number of slots, and the clients that use them or wait for one.
#[derive(Debug)]
pub(crate) struct QuerySlots {
    /// The most slots of one client.
    share: usize,
    /// The most requests of one client that wait.
    max_waiting: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    free: usize,
    lines: HashMap<Peer, Line>,
    /// The clients that wait, the next one first.
    turns: VecDeque<Peer>,
}

/// The requests of one client.
#[derive(Debug, Default)]
struct Line {
    running: usize,
    waiting: VecDeque<oneshot::Sender<QuerySlot>>,
}

/// A slot, which is free again once this is dropped.
#[derive(Debug)]
pub(crate) struct QuerySlot {
    slots: Arc<QuerySlots>,
    peer: Peer,
}

/// The line of a client is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyRequests;

impl QuerySlots {
    /// Creates free slots. One client has half of them at most.
    pub(crate) fn new(count: usize, max_waiting: usize) -> Arc<Self> {
        Arc::new(Self {
            share: count.div_ceil(2),
            max_waiting,
            state: Mutex::new(State {
                free: count,
                lines: HashMap::new(),
                turns: VecDeque::new(),
            }),
        })
    }

    /// Waits for a slot.
    ///
    /// # Errors
    /// [`TooManyRequests`] if the client has too many requests that wait.
    pub(crate) async fn acquire(
        self: &Arc<Self>,
        peer: Peer,
    ) -> Result<QuerySlot, TooManyRequests> {
        let receiver = {
            let mut state = self.lock();
            let line = state.lines.entry(peer).or_default();
            // Requests whose clients have gone wait no longer.
            line.waiting.retain(|sender| !sender.is_closed());
            if line.waiting.len() >= self.max_waiting {
                return Err(TooManyRequests);
            }
            let (sender, receiver) = oneshot::channel();
            line.waiting.push_back(sender);
            if !state.turns.contains(&peer) {
                state.turns.push_back(peer);
            }
            receiver
        };
        self.hand_out();
        // The sender is kept until it has sent a slot.
        receiver.await.map_err(|_| TooManyRequests)
    }

    /// Returns the number of requests that wait.
    pub(crate) fn count_waiting(&self) -> usize {
        let state = self.lock();
        let lines = state.lines.values().flat_map(|line| &line.waiting);
        lines.filter(|sender| !sender.is_closed()).count()
    }

    /// Returns the number of slots in use.
    pub(crate) fn count_running(&self) -> usize {
        self.lock().lines.values().map(|line| line.running).sum()
    }

    /// Hands out the free slots. A request that has gone meanwhile gives its slot back.
    fn hand_out(self: &Arc<Self>) {
        loop {
            // The lock ends here: a slot that is given back needs it.
            let next = self.lock().next(self.share);
            let Some((peer, sender)) = next else { return };
            let slots = Arc::clone(self);
            let _ = sender.send(QuerySlot { slots, peer });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes a free slot for the next request in turn.
    fn next(&mut self, share: usize) -> Option<(Peer, oneshot::Sender<QuerySlot>)> {
        if self.free == 0 {
            return None;
        }
        let is_served = |peer: &Peer| self.lines.get(peer).is_some_and(|line| line.running < share);
        let turn = self.turns.iter().position(is_served)?;
        let peer = self.turns.remove(turn)?;
        let line = self.lines.get_mut(&peer)?;
        let sender = line.waiting.pop_front()?;
        line.running += 1;
        self.free -= 1;
        if !line.waiting.is_empty() {
            self.turns.push_back(peer);
        }
        Some((peer, sender))
    }
}

impl Drop for QuerySlot {
    fn drop(&mut self) {
        let mut state = self.slots.lock();
        state.free += 1;
        if let Some(line) = state.lines.get_mut(&self.peer) {
            line.running -= 1;
            if line.running == 0 && line.waiting.is_empty() {
                state.lines.remove(&self.peer);
            }
        }
        drop(state);
        self.slots.hand_out();
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use tokio::task::{JoinHandle, yield_now};

    use super::*;

    fn peer(last: u8) -> Peer {
        Peer::new(IpAddr::from([192, 0, 2, last]))
    }

    async fn ask(slots: &Arc<QuerySlots>, last: u8) -> JoinHandle<QuerySlot> {
        let slots = Arc::clone(slots);
        let task = tokio::spawn(async move { slots.acquire(peer(last)).await.unwrap() });
        yield_now().await;
        task
    }

    #[tokio::test]
    async fn one_client_has_half_of_the_slots() {
        let slots = QuerySlots::new(4, 10);
        let first = slots.acquire(peer(1)).await.unwrap();
        let _second = slots.acquire(peer(1)).await.unwrap();
        let third = ask(&slots, 1).await;
        assert_eq!((slots.count_running(), slots.count_waiting()), (2, 1));
        let _other = slots.acquire(peer(2)).await.unwrap();
        assert!(!third.is_finished());
        drop(first);
        let _third = third.await.unwrap();
        assert_eq!((slots.count_running(), slots.count_waiting()), (3, 0));
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let slots = QuerySlots::new(1, 10);
        let running = slots.acquire(peer(1)).await.unwrap();
        let mut tasks = Vec::new();
        for last in [1, 1, 1, 2, 3, 2] {
            tasks.push((last, ask(&slots, last).await));
        }
        drop(running);
        let mut order = Vec::new();
        while !tasks.is_empty() {
            yield_now().await;
            let Some(index) = tasks.iter().position(|(_, task)| task.is_finished()) else {
                continue;
            };
            let (last, task) = tasks.remove(index);
            order.push(last);
            drop(task.await.unwrap());
        }
        assert_eq!(order, [1, 2, 3, 1, 2, 1]);
        assert!(slots.lock().lines.is_empty() && slots.lock().turns.is_empty());
    }

    #[tokio::test]
    async fn requests_that_go_give_their_turn_to_the_next() {
        let slots = QuerySlots::new(1, 2);
        let running = slots.acquire(peer(1)).await.unwrap();
        let left_requests = [ask(&slots, 1).await, ask(&slots, 1).await];
        assert_eq!(slots.acquire(peer(1)).await.unwrap_err(), TooManyRequests);
        for task in left_requests {
            task.abort();
            let _ = task.await;
        }
        let next = ask(&slots, 1).await;
        let other = ask(&slots, 2).await;
        drop(running);
        drop(next.await.unwrap());
        drop(other.await.unwrap());
        assert_eq!(slots.lock().free, 1);
    }
}
