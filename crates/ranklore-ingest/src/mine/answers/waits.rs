//! Notes about long waits of the client, for progress output.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ranklore_fetch::{Client, FetchError};
use ranklore_replay::Progress;

/// Shorter waits are not noted.
const MIN_REPORTED_WAIT: Duration = Duration::from_secs(10);

/// The waits of a client that were not noted yet.
pub(crate) struct WaitLog(Receiver<(Duration, FetchError)>);

impl WaitLog {
    /// Subscribes to the waits of a client from now on.
    pub(crate) fn subscribe(client: &mut Client) -> Self {
        let (sender, receiver) = channel();
        client.on_wait(move |wait, cause| {
            // Fails only if the receiver is gone.
            let _ = sender.send((wait, cause.clone()));
        });
        Self(receiver)
    }

    /// Notes the waits since the last call.
    pub(crate) fn report(&self, watch: &dyn Progress) {
        for (wait, cause) in self.0.try_iter() {
            if wait >= MIN_REPORTED_WAIT {
                watch.note(&format_wait(wait, &cause));
            }
        }
    }
}

fn format_wait(wait: Duration, cause: &FetchError) -> String {
    let seconds = wait.as_secs_f64().ceil();
    match cause {
        FetchError::RateLimited { .. } | FetchError::CoolingDown { .. } => {
            format!("the site asks to wait {seconds} seconds")
        }
        cause => format!("retrying in {seconds} seconds: {cause}"),
    }
}

#[cfg(test)]
mod tests {
    use ranklore_fetch::Rejection;

    use super::*;

    #[test]
    fn wait_lines_name_seconds_and_cause() {
        let url = || "https://example.org/list".to_owned();
        let rate_limited = FetchError::RateLimited(Rejection {
            url: url(),
            status: 200,
            words: "no more requests are allowed until then".to_owned(),
        });
        let wait = Duration::from_millis(370_100);
        assert_eq!(format_wait(wait, &rate_limited), "the site asks to wait 371 seconds");
        let failing = FetchError::ServerError(Rejection {
            url: url(),
            status: 503,
            words: "Too busy".to_owned(),
        });
        let line = format_wait(Duration::from_secs(12), &failing);
        assert!(line.starts_with("retrying in 12 seconds: https://example.org/list failed"));
    }
}
