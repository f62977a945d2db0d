//! A headless Chromium, driven by the `DevTools` protocol over two pipes.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// The names of the program on Debian and elsewhere.
const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// The longest time of an answer.
const PATIENCE: Duration = Duration::from_mins(3);

/// Returns the path of Chromium: that of the variable `CHROME`, or one in `PATH`.
pub(crate) fn find() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CHROME") {
        return Some(path.into());
    }
    let path = std::env::var_os("PATH")?;
    let mut folders = std::env::split_paths(&path);
    folders.find_map(|folder| {
        let mut names = NAMES.iter().map(|name| folder.join(name));
        names.find(|path| path.is_file())
    })
}

/// A running browser with one tab.
pub(crate) struct Chromium {
    process: Child,
    to: File,
    from: Receiver<Value>,
    session: String,
    last_id: u64,
    /// Events that nobody has asked for yet.
    events: Vec<Value>,
    /// True if the left button of the mouse is pressed.
    is_pressed: bool,
    _profile: TempDir,
}

impl Chromium {
    pub(crate) fn start(program: &PathBuf) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let [to, from] = ["to", "from"].map(|name| profile.path().join(name));
        let made = Command::new("mkfifo").args([&to, &from]).status().unwrap();
        assert!(made.success(), "mkfifo failed");
        // Chromium reads commands from descriptor 3 and writes answers to descriptor 4.
        let script = "exec 3<\"$1\" 4>\"$2\"; shift 2; exec \"$@\"";
        let process = Command::new("sh")
            .args(["-c", script, "sh"])
            .args([&to, &from])
            .arg(program)
            .args([
                "--headless",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = OpenOptions::new().write(true).open(to).unwrap();
        let answers = BufReader::new(File::open(from).unwrap());
        let (send, from) = channel();
        thread::spawn(move || {
            for message in answers.split(0) {
                let Ok(message) = message else { return };
                let message = serde_json::from_slice(&message).unwrap();
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Self {
            process,
            to,
            from,
            session: String::new(),
            last_id: 0,
            events: Vec::new(),
            is_pressed: false,
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", &attach);
        session["sessionId"].as_str().unwrap().clone_into(&mut browser.session);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser
    }

    /// Calls a method, and returns its result.
    pub(crate) fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to.write_all(message.to_string().as_bytes()).unwrap();
        self.to.write_all(&[0]).unwrap();
        loop {
            let mut answer = self.receive();
            if answer["id"] == id {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    fn receive(&self) -> Value {
        let received = self.from.recv_timeout(PATIENCE);
        received.unwrap_or_else(|error| panic!("the browser does not answer: {error}"))
    }

    /// Opens a page. Returns once it is loaded.
    pub(crate) fn open(&mut self, url: &str) {
        self.events.clear();
        let opened = self.call("Page.navigate", &json!({"url": url}));
        assert!(opened.get("errorText").is_none(), "{url}: {opened}");
        let is_loaded = |event: &Value| event["method"] == "Page.loadEventFired";
        while !self.events.iter().any(is_loaded) {
            let event = self.receive();
            self.events.push(event);
        }
    }

    /// Returns what went wrong since the page was opened: errors of scripts, messages of the console,
    /// failed requests.
    pub(crate) fn faults(&mut self) -> Vec<String> {
        // Events of what has happened so far come before the answer.
        self.evaluate("0");
        let faults = self.events.iter().filter(|event| {
            let params = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.exceptionThrown" | "Network.loadingFailed" => true,
                "Runtime.consoleAPICalled" => {
                    ["error", "warning"].iter().any(|kind| params["type"] == *kind)
                }
                // The status of the page itself is a message of the network, too.
                "Log.entryAdded" => {
                    params["entry"]["source"] != "network" && params["entry"]["level"] != "verbose"
                }
                "Network.responseReceived" => {
                    params["response"]["status"].as_u64() >= Some(400)
                        && params["type"] != "Document"
                }
                _ => false,
            }
        });
        faults.map(|event| event["params"].to_string()).collect()
    }

    /// Returns the value of an expression, or of its promise.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let mut evaluated = self.call(
            "Runtime.evaluate",
            &json!({"expression": expression, "awaitPromise": true, "returnByValue": true}),
        );
        let exception = evaluated.get("exceptionDetails");
        assert!(exception.is_none(), "{expression:.200}: {exception:?}");
        evaluated["result"]["value"].take()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, expression: &str) {
        for _ in 0..1_200 {
            if self.evaluate(expression) == true {
                return;
            }
            thread::sleep(Duration::from_millis(25));
        }
        panic!("never true: {expression}");
    }

    pub(crate) fn set_screen(&mut self, width: u32, height: u32, scheme: &str) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        self.call("Emulation.setDeviceMetricsOverride", &size);
        let scheme = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", &scheme);
    }

    pub(crate) fn set_scripts(&mut self, are_allowed: bool) {
        let disabled = json!({"value": !are_allowed});
        self.call("Emulation.setScriptExecutionDisabled", &disabled);
    }

    /// Presses and releases a key.
    pub(crate) fn press(&mut self, key: &str, code: u32) {
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text,
            });
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// Sends an event of the mouse: `mouseMoved`, `mousePressed` or `mouseReleased`.
    pub(crate) fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        self.is_pressed = match kind {
            "mousePressed" => true,
            "mouseReleased" => false,
            _ => self.is_pressed,
        };
        let is_button = kind != "mouseMoved";
        self.call(
            "Input.dispatchMouseEvent",
            &json!({
                "type": kind, "x": x, "y": y, "clickCount": u8::from(is_button),
                "button": if is_button || self.is_pressed { "left" } else { "none" },
                "buttons": u8::from(self.is_pressed),
            }),
        );
    }

    /// Moves a finger in a straight line.
    pub(crate) fn swipe(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": true}));
        let mut touch = |kind: &str, points: Value| {
            let parameters = json!({"type": kind, "touchPoints": points});
            self.call("Input.dispatchTouchEvent", &parameters);
        };
        touch("touchStart", json!([{"x": from.0, "y": from.1}]));
        for step in 1..=8 {
            let share = f64::from(step) / 8.0;
            let at = |from: f64, to: f64| from + (to - from) * share;
            touch("touchMove", json!([{"x": at(from.0, to.0), "y": at(from.1, to.1)}]));
        }
        touch("touchEnd", json!([]));
    }

    /// Returns a picture of the whole page as PNG in base64.
    pub(crate) fn screenshot(&mut self) -> String {
        let options = json!({"format": "png", "captureBeyondViewport": true});
        let mut screenshot = self.call("Page.captureScreenshot", &options);
        match screenshot["data"].take() {
            Value::String(data) => data,
            other => panic!("no picture: {other}"),
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
