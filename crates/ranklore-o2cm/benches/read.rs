//! Speed of classifying, minimising and reading large pages: `cargo bench -p ranklore-o2cm`.

#[path = "../../../benches/answers.rs"]
mod answers;

use std::fmt::Write as _;

use ranklore_o2cm::O2cmSource;
use ranklore_source::{MediaKind, Request};

/// About the size of the largest competitions.
const HEATS: usize = 400;
const COUPLES: usize = 40;

fn main() {
    let competition =
        Request::post("event3.asp", MediaKind::Html, "").with_form_field("event", "gls23");
    let month = Request::post("default.asp", MediaKind::Html, "")
        .with_form_field("inyear", 2023)
        .with_form_field("inmonth", 4);
    answers::measure(
        &O2cmSource,
        [
            ("default.asp", Some(month), list()),
            ("event3.asp", Some(competition), heats()),
        ],
    );
}

/// Returns a list longer than that of any month.
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
        let _ =
            write!(page, "\t\t<OPTION VALUE=\"{}\">Vale, Ada</OPTION>\r\n", 101_000_000 + index);
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
