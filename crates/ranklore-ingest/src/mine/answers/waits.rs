//! Notes about long waits of the client, for progress output.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ranklore_fetch::{Client, Wait};
use ranklore_replay::Progress;

/// Shorter waits are not noted.
const MIN_REPORTED_WAIT: Duration = Duration::from_secs(10);

/// The waits of a client that were not noted yet.
pub(crate) struct WaitLog(Receiver<Wait>);

impl WaitLog {
    /// Subscribes to the waits of a client from now on.
    pub(crate) fn subscribe(client: &mut Client) -> Self {
        let (sender, receiver) = channel();
        client.on_wait(move |wait| {
            // Fails only if the receiver is gone.
            let _ = sender.send(wait.clone());
        });
        Self(receiver)
    }

    /// Notes the waits since the last call.
    pub(crate) fn report(&self, watch: &dyn Progress) {
        for wait in self.0.try_iter() {
            if wait.duration >= MIN_REPORTED_WAIT {
                watch.note(&format_wait(&wait));
            }
        }
    }
}

fn format_wait(wait: &Wait) -> String {
    let seconds = wait.duration.as_secs_f64().ceil();
    if wait.is_demanded {
        format!("the site asks to wait {seconds} seconds")
    } else {
        format!("retrying in {seconds} seconds: {}", wait.reason)
    }
}

#[cfg(test)]
mod tests {
    use ranklore_fetch::{FetchError, Rejection};

    use super::*;

    #[test]
    fn wait_lines_name_seconds_and_cause() {
        let url = || "https://example.org/list".to_owned();
        let rate_limited = FetchError::RateLimited(Rejection {
            url: url(),
            status: 200,
            words: "no more requests are allowed until then".to_owned(),
        });
        let mut wait = Wait {
            duration: Duration::from_millis(370_100),
            reason: rate_limited,
            is_demanded: true,
        };
        assert_eq!(format_wait(&wait), "the site asks to wait 371 seconds");
        wait.is_demanded = false;
        let own_wait = "retrying in 371 seconds: https://example.org/list limits the rate";
        assert!(format_wait(&wait).starts_with(own_wait));
        wait.reason = FetchError::ServerError(Rejection {
            url: url(),
            status: 503,
            words: "Too busy".to_owned(),
        });
        let failure = "retrying in 371 seconds: https://example.org/list failed with HTTP 503";
        assert!(format_wait(&wait).starts_with(failure));
    }
}
