//! One client must not silence the server: a visitor is answered while another client opens many
//! connections, or asks for what takes long.
//!
//! Both have the same address, so that no share of a client helps the visitor. The limit of a visit
//! is generous, as other tests run meanwhile; `benches/floods.sh` measures.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::serve::client::Served;
use crate::support::Scratch;

/// The longest time of a visit. Before, it took 9 to 20 seconds, or failed.
const VISIT: Duration = Duration::from_secs(5);

/// The rounds of visits to each page.
const ROUNDS: usize = 5;

/// A rated league of 3,000 people.
fn league() -> Scratch {
    let scratch = Scratch::new();
    let mut table = "date,place,player\n".to_owned();
    let mut state = 1_u64;
    for round in 0..24 {
        let (month, day) = (round % 12 + 1, round / 12 + 1);
        for place in 1..=500 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let first = (state >> 33) % 6;
            let player = (place - 1) * 6 + first;
            writeln!(table, "2023-{month:02}-{day:02},{place},player{player}").unwrap();
        }
    }
    scratch.write("league.csv", table);
    scratch.ok(&["import", "league.csv", "--source", "league"]);
    scratch.ok(&["rate", "league"]);
    scratch
}

/// Visits pages while `flood` runs on other threads until it is told that it is over.
fn visit_during(flood: impl Fn(&Served, usize, &AtomicBool) + Sync, threads: usize) {
    let scratch = league();
    let served = Served::start(&scratch);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for index in 0..threads {
            let (served, flood, is_over) = (&served, &flood, &is_over);
            scope.spawn(move || flood(served, index, is_over));
        }
        thread::sleep(Duration::from_millis(500));
        let visits = thread::Builder::new().spawn_scoped(scope, || {
            for round in 0..ROUNDS {
                for target in [
                    "/",
                    "/leaderboard",
                    &format!("/player/league/player{round}"),
                    &format!("/leaderboard?offset={}", 50 * round),
                ] {
                    let start = Instant::now();
                    let page = served.page(target);
                    assert!(page.ends_with("</html>"), "{target}");
                    assert!(start.elapsed() < VISIT, "{target}: {:?}", start.elapsed());
                }
            }
        });
        let result = visits.unwrap().join();
        is_over.store(true, Ordering::Relaxed);
        if let Err(panic) = result {
            std::panic::resume_unwind(panic);
        }
    });
}

fn wait(is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20));
    }
}

fn connect_all(served: &Served, count: usize) -> Vec<TcpStream> {
    (0..count).map(|_| served.connect()).collect()
}

#[test]
fn slow_headers_delay_nobody() {
    visit_during(
        |served, _, is_over| {
            let mut slow = connect_all(served, 300);
            for stream in &mut slow {
                let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
            }
            while !is_over.load(Ordering::Relaxed) {
                for stream in &mut slow {
                    let _ = stream.write_all(b"x");
                }
                thread::sleep(Duration::from_millis(200));
            }
        },
        1,
    );
}

#[test]
fn idle_connections_delay_nobody() {
    visit_during(
        |served, _, is_over| {
            let idle = connect_all(served, 700);
            wait(is_over);
            drop(idle);
        },
        1,
    );
}

#[test]
fn kept_connections_delay_nobody() {
    visit_during(
        |served, _, is_over| {
            let mut open = connect_all(served, 300);
            while !is_over.load(Ordering::Relaxed) {
                for stream in &mut open {
                    let _ = stream.write_all(b"GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n");
                }
                for stream in &mut open {
                    let _ = stream.read(&mut [0; 16_384]);
                }
                thread::sleep(Duration::from_secs(1));
            }
        },
        1,
    );
}

/// Sends one request after the other for a path that `target` makes of their number.
fn ask_all(served: &Served, is_over: &AtomicBool, target: impl Fn(usize) -> String) {
    let mut number = 0;
    while !is_over.load(Ordering::Relaxed) {
        let answer = served.get(&target(number));
        assert!([200, 503].contains(&answer.status), "{}", answer.body);
        if answer.status == 503 {
            assert_eq!(answer.header("retry-after"), "5");
        }
        number += 1;
    }
}

#[test]
fn records_of_any_length_delay_nobody() {
    visit_during(
        |served, index, is_over| {
            ask_all(served, is_over, |number| {
                format!("/api/v1/records/league?limit={}", (index * 131 + number * 17) % 1_000)
            });
        },
        20,
    );
}

#[test]
fn leaderboards_of_any_time_delay_nobody() {
    visit_during(
        |served, index, is_over| {
            ask_all(served, is_over, |number| {
                let second = (index * 7_919 + number * 104_729) % 86_400;
                let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
                format!("/leaderboard?as-of=2023-12-03T{hour:02}:{minute:02}:{second:02}Z")
            });
        },
        60,
    );
}
