//! The pages in a real browser: Chromium, as Debian has it. Without one the tests say so and pass;
//! in CI they fail.

mod chromium;
mod static_server;

use crate::serve::client;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Scratch, contest};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chromium::Chromium;
use client::Served;
use static_server::StaticServer;

/// A name that must be shown as text.
const HOSTILE: &str = "<script>alert(1)</script> \"q\" 'a' & \u{202e}tfel ot thgir";

/// The pages that are tested, with the names of their screenshots.
const PAGES: [(&str, &str); 14] = [
    ("home", "/"),
    ("leaderboard", "/leaderboard?source=league"),
    ("competitors", "/players/league"),
    ("player", "/player/league/Ada%20Lark"),
    ("players-compared", "/player/league/Ada%20Lark?with=Bea%20Sand&with=Cy%20Reed"),
    ("games", "/player/chess/Ada%20Lark"),
    ("contests", "/contests/league"),
    ("contest", "/contest/league/7"),
    ("distribution", "/distribution/league?rating=1500"),
    ("records", "/records/league"),
    ("movers", "/movers/league?since=2020-01-01"),
    ("comparison", "/compare/league"),
    ("prediction", "/predict/league?name=Ada%20Lark&name=Bea%20Sand&name=Cy%20Reed"),
    ("not-found", "/player/league/Nobody"),
];

const SCREENS: [(&str, u32, u32); 2] = [("desktop", 1280, 800), ("phone", 390, 844)];

/// The script of axe-core, which tests accessibility.
const AXE: &str = include_str!("browser/vendor/axe.min.js");

/// Starts the browser; without one, says so.
fn browser() -> Option<Chromium> {
    let path = chromium::find();
    if path.is_none() {
        let message = "NO BROWSER: the pages are not tested. Install Chromium (Debian: apt-get \
                       install chromium), or name one in CHROME";
        assert!(std::env::var_os("CI").is_none(), "{message}");
        eprintln!("\n{message}\n");
    }
    path.map(|path| Chromium::start(&path))
}

/// Returns a rated league of 24 contests and rated games, with names that are long or hostile.
fn league() -> Scratch {
    let scratch = Scratch::new();
    let long = "A very long name that does not fit ".repeat(4);
    let names = [
        "Ada Lark", "Bea Sand", "Cy Reed", "Dov Ash", "Eve Moor", "Fin Oak", "Gil Fern", HOSTILE,
        &long,
    ];
    for round in 0..24_u32 {
        // Each round has another order.
        let order = (0..names.len()).map(|index| {
            let other = (index * 5 + round as usize * (1 + index % 2)) % names.len();
            names[other]
        });
        let mut order: Vec<&str> = order.collect();
        let mut unique = std::collections::BTreeSet::new();
        order.retain(|name| unique.insert(*name));
        let groups: Vec<Vec<&str>> = order.iter().map(|name| vec![*name]).collect();
        let groups: Vec<&[&str]> = groups.iter().map(Vec::as_slice).collect();
        let json = contest(round + 1, round * 21 + 1, &groups);
        scratch.write(&format!("rounds/{}.json", round + 1), json);
    }
    scratch.ok(&["import", "rounds", "--source", "league"]);
    let mut games = "date,white,black,result\n".to_owned();
    for day in 1..=20 {
        let [white, black] = if day % 2 == 0 {
            [0, 1 + day % 3]
        } else {
            [1 + day % 3, 0]
        };
        let result = ["1-0", "1/2-1/2", "0-1"][day % 3];
        let (white, black) = (names[white], names[black]);
        writeln!(games, "2024-03-{day:02},{white},{black},{result}").unwrap();
    }
    scratch.write("games.csv", games);
    scratch.ok(&["import", "games.csv", "--source", "chess"]);
    scratch.ok(&["rate", "league"]);
    scratch.ok(&["rate", "chess", "--system", "glicko"]);
    scratch.ok(&["rate", "league", "--system", "glicko"]);
    scratch.ok(&["evaluate", "league", "--systems", "elo-mmr,glicko"]);
    scratch
}

/// Writes a picture to `target/screenshots`, which CI keeps.
fn save_screenshot(browser: &mut Chromium, name: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("screenshots");
    fs::create_dir_all(&folder).unwrap();
    let picture = BASE64_STANDARD.decode(browser.screenshot()).unwrap();
    fs::write(folder.join(name).with_extension("png"), picture).unwrap();
}

/// Returns the violations that axe-core finds, a line each.
fn accessibility_faults(browser: &mut Chromium) -> Vec<String> {
    browser.evaluate(AXE);
    let faults = browser.evaluate(
        "axe.run(document, {resultTypes: ['violations'], \
         runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})
         .then((of) => of.violations.map((one) => \
         one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 200)).join(' | ')))",
    );
    let faults = faults.as_array().unwrap().iter();
    faults.map(|fault| fault.as_str().unwrap().to_owned()).collect()
}

/// Checks the page that is open.
#[track_caller]
fn check_page(browser: &mut Chromium, name: &str) {
    assert_eq!(browser.faults(), [""; 0], "{name}");
    assert_eq!(accessibility_faults(browser), [""; 0], "{name}");
    let overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.evaluate(overflow), 0, "{name} is wider than the screen");
    assert_eq!(browser.evaluate("document.querySelectorAll('main').length"), 1, "{name}");
}

#[test]
fn pages_are_accessible_on_every_screen() {
    let Some(mut browser) = browser() else { return };
    let scratch = league();
    let served = Served::start(&scratch);
    for (screen, width, height) in SCREENS {
        for scheme in ["light", "dark"] {
            browser.set_screen(width, height, scheme);
            for (name, path) in PAGES {
                let name = format!("{name}-{screen}-{scheme}");
                browser.open(&format!("http://{}{path}", served.address));
                check_page(&mut browser, &name);
                if scheme == "light" {
                    save_screenshot(&mut browser, &name);
                }
            }
        }
    }
}

#[test]
fn keyboard_reaches_the_content_first() {
    let Some(mut browser) = browser() else { return };
    let scratch = league();
    let served = Served::start(&scratch);
    browser.set_screen(1280, 800, "light");
    browser.open(&format!("http://{}/leaderboard?source=league", served.address));
    browser.press("Tab", 9);
    assert_eq!(browser.evaluate("document.activeElement.className"), "skip");
    browser.press("Enter", 13);
    browser.wait_until("document.activeElement.id === 'content'");
    // Every table that can be scrolled can be focused.
    let unreachable =
        "[...document.querySelectorAll('.scroll')].filter((of) => of.tabIndex < 0).length";
    assert_eq!(browser.evaluate(unreachable), 0);
}

#[test]
fn names_are_text() {
    let Some(mut browser) = browser() else { return };
    let scratch = league();
    let served = Served::start(&scratch);
    browser.set_screen(1280, 800, "light");
    browser.open(&format!("http://{}/leaderboard?source=league", served.address));
    let texts = "[...document.querySelectorAll('bdi')].map((of) => of.textContent)";
    let texts = browser.evaluate(texts);
    let is_shown = texts.as_array().unwrap().iter().any(|text| text == HOSTILE);
    assert!(is_shown, "{texts}");
    let link = "[...document.querySelectorAll('a')].find((of) => of.textContent.includes('alert(1)')).href";
    let link = browser.evaluate(link);
    browser.open(link.as_str().unwrap());
    assert_eq!(browser.faults(), [""; 0]);
    assert_eq!(browser.evaluate("document.querySelector('h1').textContent"), HOSTILE);
}

#[test]
fn rating_curves_can_be_zoomed_and_read() {
    let Some(mut browser) = browser() else { return };
    let scratch = league();
    let served = Served::start(&scratch);
    let page = format!("http://{}/player/league/Ada%20Lark?with=Bea%20Sand", served.address);
    let fitted = "document.querySelector('svg.chart.fitted')";
    let last_label = "document.querySelector('.axes text:last-child').textContent";
    let readout = "document.querySelector('.readout').textContent";
    let reset = "document.querySelector('figure button')";
    browser.set_screen(1280, 800, "light");
    browser.open(&page);
    browser.wait_until(&format!("{fitted} !== null"));
    // The drawing covers the width of the page.
    let area = browser.evaluate(
        "(() => { const of = document.querySelector('.area').getBoundingClientRect();
         return [of.left, of.top, of.width, of.height]; })()",
    );
    let [left, top, width, height] = [0, 1, 2, 3].map(|index| area[index].as_f64().unwrap());
    assert!(width > 900.0 && height > 200.0, "{area}");
    // The last contest is at the right border; some pixel of the border shows it.
    let mut has_contest = false;
    for step in 0..60 {
        browser.mouse("mouseMoved", left + width - 1.0, top + height * f64::from(step) / 60.0);
        let text = browser.evaluate(readout);
        has_contest |=
            text.as_str().unwrap().contains(" · ") && text.as_str().unwrap().contains('→');
    }
    assert!(has_contest, "no contest is shown");
    assert_eq!(browser.evaluate(&format!("{reset}.hidden")), true);
    let last_date = browser.evaluate(last_label);
    let middle = top + height / 2.0;
    browser.mouse("mouseMoved", left + width * 0.25, middle);
    browser.mouse("mousePressed", left + width * 0.25, middle);
    browser.mouse("mouseMoved", left + width * 0.5, middle);
    browser.mouse("mouseMoved", left + width * 0.75, middle);
    browser.mouse("mouseReleased", left + width * 0.75, middle);
    browser.wait_until(&format!("{reset}.hidden === false"));
    assert_ne!(browser.evaluate(last_label), last_date);
    check_page(&mut browser, "zoomed player");
    save_screenshot(&mut browser, "player-zoomed");
    browser.evaluate(&format!("{reset}.focus()"));
    browser.press("Enter", 13);
    browser.wait_until(&format!("{reset}.hidden === true"));
    assert_eq!(browser.evaluate(last_label), last_date);
    // A finger does the same on a phone.
    browser.set_screen(390, 844, "dark");
    browser.wait_until("document.querySelector('.area').getBoundingClientRect().width < 390");
    let area = browser.evaluate(
        "(() => { const of = document.querySelector('.area').getBoundingClientRect();
         return [of.left, of.top + of.height / 2, of.width]; })()",
    );
    let [left, middle, width] = [0, 1, 2].map(|index| area[index].as_f64().unwrap());
    browser.swipe((left + width * 0.3, middle), (left + width * 0.7, middle));
    browser.wait_until(&format!("{reset}.hidden === false"));
    check_page(&mut browser, "player on a narrowed screen");
    browser.set_scripts(false);
    browser.open(&page);
    assert_eq!(browser.evaluate("document.querySelector('svg.chart') !== null"), true);
    assert_eq!(browser.evaluate(&format!("{fitted} === null")), true);
}

/// The site is below a folder of the host, as on GitHub Pages.
#[test]
fn static_site_works_in_a_folder_of_a_host() {
    let Some(mut browser) = browser() else { return };
    let scratch = league();
    scratch.ok(&["site", "league", "--to", "host/ratings"]);
    let host = StaticServer::start(scratch.path("host"));
    let site = format!("http://{}/ratings", host.address);
    let pages: [(&str, &str); 7] = [
        ("home", "index.html"),
        ("leaderboard", "leaderboard/index.html"),
        ("competitors", "players/index.html"),
        ("contests", "contests/index.html"),
        ("movers", "movers/index.html"),
        ("records", "records/index.html"),
        ("contest", "contest/7.html"),
    ];
    for (screen, width, height) in SCREENS {
        browser.set_screen(width, height, "light");
        for (name, path) in pages {
            browser.open(&format!("{site}/{path}"));
            check_page(&mut browser, &format!("site {name} {screen}"));
            save_screenshot(&mut browser, &format!("site-{name}-{screen}"));
        }
    }
    browser.set_screen(1280, 800, "light");
    // The search finds a name by a part of it, without accents and case.
    browser.open(&format!("{site}/leaderboard/index.html"));
    let type_text = |text: &str| {
        format!(
            "{{ const field = document.querySelector('form.search input'); field.value = '{text}';
             field.dispatchEvent(new Event('input')); }}"
        )
    };
    browser.evaluate(&type_text("SAND"));
    browser.wait_until("document.querySelectorAll('.found a').length === 1");
    assert_eq!(browser.evaluate("document.querySelector('.found a').textContent"), "Bea Sand");
    check_page(&mut browser, "site search");
    browser.evaluate(&type_text("nobody"));
    browser.wait_until("document.querySelector('.found').textContent.startsWith('No competitor')");
    browser.evaluate(&type_text("bea"));
    browser.wait_until("document.querySelectorAll('.found a').length === 1");
    let link = browser.evaluate("document.querySelector('.found a').href");
    browser.open(link.as_str().unwrap());
    check_page(&mut browser, "site player");
    assert_eq!(browser.evaluate("document.querySelector('h1').textContent"), "Bea Sand");
    // Without scripts the form is hidden, and the rest works.
    browser.set_scripts(false);
    browser.open(&format!("{site}/index.html"));
    assert_eq!(browser.evaluate("document.querySelector('form.search').hidden"), true);
    assert_eq!(browser.faults(), [""; 0]);
}

/// The folder of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn vendored_scripts_have_their_licences() {
    let read =
        |name| fs::read_to_string(repository().join("tests/browser/vendor").join(name)).unwrap();
    assert!(read("axe.min.js").len() > 10_000 && read("axe.LICENSE").len() > 500);
}
