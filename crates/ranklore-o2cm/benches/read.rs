//! How fast large pages are judged, reduced and read, in MB of HTML a second on one core:
//! `cargo bench -p ranklore-o2cm`.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ranklore_contest::UnixSeconds;
use ranklore_o2cm::{O2cm, Options};
use ranklore_source::{Document, Form, Request, Source};

/// About as many as in the largest competitions.
const HEATS: usize = 400;
const COUPLES: usize = 40;

fn main() {
    let source = O2cm::new(Options { scoresheets: true });
    let competition = Request::post("event3.asp", Form::Html, "").with_field("event", "gls23");
    let sheet = Request::get("scoresheet3.asp", Form::Html, "")
        .with("event", "gls23")
        .with("heatid", "40328968");
    let month = Request::post("default.asp", Form::Html, "")
        .with_field("inyear", 2023)
        .with_field("inmonth", 4);
    println!("MB of HTML a second, best of several");
    println!(
        "{:24} {:>8} {:>8} {:>8} {:>8}",
        "", "MB", "judge", "kept", "read"
    );
    for (name, request, body) in [
        ("default.asp", month, list()),
        ("event3.asp", competition, heats()),
        ("scoresheet3.asp", sheet, marks()),
    ] {
        measure(&source, name, &request, body.as_bytes());
    }
}

fn measure(source: &dyn Source, name: &str, request: &Request, body: &[u8]) {
    let key = request.key();
    let kept = source.kept(&key, body);
    let document = Document {
        request_key: &key,
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body: &kept,
    };
    if let Err(error) = source.read(&document) {
        println!("{name}: {error}");
        return;
    }
    let judge = speed(body.len(), || black_box(source.judge(request, 200, body)));
    let keep = speed(body.len(), || black_box(source.kept(&key, body)));
    let read = speed(kept.len(), || black_box(source.read(&document)));
    let size = body.len() as f64 / 1e6;
    println!("{name:24} {size:8.2} {judge:8.0} {keep:8.0} {read:8.0}");
}

/// MB a second of the fastest run within a second.
fn speed<T>(bytes: usize, run: impl Fn() -> T) -> f64 {
    let begin = Instant::now();
    let mut best = Duration::MAX;
    while begin.elapsed() < Duration::from_secs(1) {
        let start = Instant::now();
        let result = run();
        best = best.min(start.elapsed());
        drop(result);
    }
    bytes as f64 / 1e6 / best.as_secs_f64()
}

/// More than any month has.
fn list() -> String {
    let mut page = String::from("<HTML><form name=FilterList><table>\r\n");
    for index in 0..1_000 {
        let _ = write!(
            page,
            "<tr class=t1n><td>Apr 08</td><td><a href='event3.asp?event=gls{index}&bclr=#FFFFFF&tclr=#000000' target=_blank>Lantern Showdown {index}</td></tr>\r\n"
        );
    }
    page + "</table></HTML>"
}

fn heats() -> String {
    let mut page = String::from(
        "<HTML><form name='webfilter'><table><tr><td class=h4>Lantern Showdown</td></tr></table>\
         <select name=selEnt><option value=''>---OR---</option>",
    );
    for index in 0..COUPLES * 4 {
        let _ = write!(
            page,
            "\t\t<OPTION VALUE=\"{}\">Vale, Ada</OPTION>\r\n",
            101_000_000 + index
        );
    }
    page += "</select><table>\r\n";
    for heat in 0..HEATS {
        let _ = write!(
            page,
            "<tr><td></td><td colspan='2' class='h5b'><a href=scoresheet3.asp?event=gls23&heatid={:X}&bclr=#FFFFFF&tclr=#000000 target=_blank> Amateur  Bronze Waltz  (W)</a></td></tr>\r\n",
            0x4032_8000 + heat
        );
        for couple in 0..COUPLES {
            let rank = couple - couple % 3 + 1;
            let _ = write!(
                page,
                "<tr><td></td><td></td><td class=t2n>{rank}) {} Ada Vale{couple} &amp; Bea  Moor{couple} - CA</td></tr>\r\n",
                100 + couple
            );
        }
    }
    page + "</table><input type=hidden name=event value=gls23></form></HTML>"
}

fn marks() -> String {
    let mut page = String::from(
        "<HTML><form name=selectRound><table><tr><td class=h4>Waltz Final<input name=heatid \
         value=40328968><input name=event value=gls23></td></tr></table></form>\
         <table><tr><td class=h3>Waltz</td></tr><tr><td>&nbsp</td>",
    );
    for judge in 0..9 {
        let _ = write!(page, "<td width=20 class=t1b bgcolor=#CCCCCC>{judge}</td>");
    }
    page += "<td>&nbsp</td><td>P</td></tr>";
    let mut people = String::from("<table><tr><td></td><td class=t1b>Couples</td>");
    for couple in 1..=COUPLES {
        let mark = format!("<td>{couple}</td>");
        let _ = write!(
            page,
            "<tr><td class=t1b>{couple}</td>{}<td>&nbsp</td>{mark}</tr>\r\n",
            mark.repeat(9)
        );
        let _ = write!(
            people,
            "<tr><td class=t1b>{couple}</td><td>Ada Vale, Bea Moor - CA</td></tr>"
        );
    }
    people += "<tr><td></td><td class=t1b>Judges</td>";
    for judge in 0..9 {
        let _ = write!(
            people,
            "<tr><td class=t1b>{judge}</td><td>Ria Quay</td><tr>"
        );
    }
    page + "</table>" + &people + "</table></HTML>"
}
