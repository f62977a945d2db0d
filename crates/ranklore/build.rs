//! Sets `RANKLORE_VERSION`, for `--version`, and `RANKLORE_COMMIT`, which datasets name. Without a
//! checkout of git, as in a package of the sources, there is only the version.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A commit or another branch changes one of these files, in a worktree too.
    let reference = git(&["symbolic-ref", "--quiet", "HEAD"]);
    let names = [
        Some("HEAD".to_owned()),
        reference,
        Some("packed-refs".to_owned()),
    ];
    let paths = names.iter().flatten();
    for path in paths.filter_map(|name| git(&["rev-parse", "--git-path", name])) {
        // A missing file would run this at every build.
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let mut version = env!("CARGO_PKG_VERSION").to_owned();
    // The checkout may be another one, around a copy of these files.
    let is_ours = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let commit = git(&["log", "-1", "--no-show-signature", "--format=%H %cs"]);
    if let Some((commit, date)) =
        commit.filter(|_| is_ours).as_deref().and_then(|of| of.split_once(' '))
    {
        println!("cargo::rustc-env=RANKLORE_COMMIT={commit}");
        let short = commit.get(..9).unwrap_or(commit);
        version = format!("{version} ({short} {date})");
    }
    println!("cargo::rustc-env=RANKLORE_VERSION={version}");
}

/// Returns the output of a git command; `None` if it fails or prints nothing.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}
