//! Tests of environment variables. Each runs in a process of its own, since a process with threads
//! must not change its environment.

use std::process::Command;
use std::time::SystemTime;

use ranklore_fetch::{Client, ClientError, FetchOptions, HostState};
use ranklore_test_support::{Reply, Server};

use crate::test_source::{client_with, fetch, json, options};

/// Environment variable with the server's URL for the started process.
const SERVER_VARIABLE: &str = "RANKLORE_TEST_SERVER";

fn run_in_process(test: &str, server: &Server, variables: &[(&str, &str)]) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--ignored", "--nocapture"]);
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command.env(SERVER_VARIABLE, server.url());
    command.envs(variables.iter().copied());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
}

#[test]
fn proxy_variables_are_honoured() {
    let proxy = Server::with_replies([Reply::json("[1]")]);
    run_in_process("processes::through_a_proxy", &proxy, &[("http_proxy", proxy.url())]);
    // The loopback URL is requested directly, the other through the proxy.
    assert_eq!(proxy.targets(), ["GET /api/list", "GET http://site.invalid/api/list"]);
}

#[tokio::test]
#[ignore = "run by proxy_variables_are_honoured"]
async fn through_a_proxy() {
    let Ok(url) = std::env::var(SERVER_VARIABLE) else {
        return;
    };
    for base_url in [url, "http://site.invalid".into()] {
        let mut client = client_with(FetchOptions {
            base_url,
            ..options(&Server::with_replies([Reply::json("[1]")]))
        });
        fetch(&mut client, &json()).await.unwrap();
    }
}

#[test]
fn missing_root_certificates_are_reported() {
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().to_str().unwrap();
    let file = empty.path().join("none.pem");
    let variables = [
        ("SSL_CERT_FILE", file.to_str().unwrap()),
        ("SSL_CERT_DIR", folder),
    ];
    if cfg!(target_os = "linux") {
        let server = Server::with_replies([Reply::json("[1]")]);
        run_in_process("processes::without_roots", &server, &variables);
        assert_eq!(server.request_count(), 1);
    }
}

#[tokio::test]
#[ignore = "run by missing_root_certificates_are_reported"]
async fn without_roots() {
    let Ok(url) = std::env::var(SERVER_VARIABLE) else {
        return;
    };
    let with = |base_url: String| FetchOptions {
        base_url,
        ..options(&Server::with_replies([Reply::json("[1]")]))
    };
    let https = with("https://example.org".into());
    let error = Client::new(https, HostState::default(), SystemTime::now()).unwrap_err();
    assert!(matches!(error, ClientError::NoRootCertificates), "{error}");
    assert!(error.to_string().contains("ca-certificates"), "{error}");
    // Plain http needs no certificates.
    fetch(&mut client_with(with(url)), &json()).await.unwrap();
}
