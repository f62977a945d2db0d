//! An imitation of O2CM with three competitions: years ago, months ago and this month.

use std::fmt::Write as _;

use jiff::ToSpan;
use jiff::civil::Date;
use ranklore_test_support::{Reply, Server};

use super::moment::started_at;

/// The site, and the day it was created.
pub(crate) struct O2cmSite {
    pub(crate) site: Server,
    today: Date,
}

const LIST: &str = include_str!("../../fixtures/o2cm/default-2020-04.html");
const HEATS: &str = include_str!("../../fixtures/o2cm/event3-Brn23A.html");

pub(crate) fn page(text: &str) -> Reply {
    Reply::new(200, "text/html", text)
}

/// Returns a heat with these couples in order of place.
pub(crate) fn heat(id: &str, name: &str, couples: &[&str]) -> (String, String) {
    let mut rows = format!(
        "<tr><td></td><td colspan='2' class='h5b'><a href=scoresheet3.asp?event=EVENT&heatid={id}\
         &bclr=#FFFFFF target=_blank> {name}</a></td></tr>\r\n"
    );
    for (couple, place) in couples.iter().zip(1..) {
        let couple = couple.replace(" & ", " &amp; ");
        let _ = write!(
            rows,
            "<tr><td></td><td></td><td class=t2n>{place}) {place}7 {couple} -  CA</td></tr>\r\n"
        );
    }
    (id.to_owned(), rows)
}

pub(crate) fn mine<'a>(ball: &'a O2cmSite, options: &[&'a str]) -> Vec<&'a str> {
    mine_with_interval(ball, "0", options)
}

/// Returns the command with this interval between requests, in seconds.
pub(crate) fn mine_with_interval<'a>(
    ball: &'a O2cmSite,
    interval: &'a str,
    options: &[&'a str],
) -> Vec<&'a str> {
    let (address, pace) = ("--base-url", "--interval");
    let begin = ["mine", "o2cm", address, ball.site.url(), pace, interval];
    [&begin[..], options].concat()
}

pub(crate) fn site() -> O2cmSite {
    let ball = O2cmSite {
        site: Server::new(),
        today: jiff::Timestamp::from_second(started_at())
            .unwrap()
            .to_zoned(jiff::tz::TimeZone::UTC)
            .date(),
    };
    ball.set_first_year(ball.today.year() - 1);
    for ago in 0..ball.month_count() {
        ball.publish_month(ago as i64, &[]);
    }
    let three = [
        "Ada Vale & Bea Moor",
        "Cyd Oar & Dot Fen",
        "Eve Lock & Fay Weir",
    ];
    ball.publish_month(ball.month_count() as i64 - 1, &[("old1", "Ball old1")]);
    ball.publish_heats(
        "old1",
        &[
            heat("1A", "Amateur Bronze Waltz (W)", &three),
            heat("1B", "Amateur Gold Tango (T)", &three[1..]),
        ],
    );
    ball.publish_month(4, &[("mid1", "Ball mid1")]);
    ball.publish_heats(
        "mid1",
        &[
            heat("2A", "Amateur Bronze Waltz (W)", &[three[1], three[0], three[2]]),
            heat("2B", "Team Match (W)", &three[..2]),
        ],
    );
    ball.publish_month(0, &[("new1", "Ball new1")]);
    ball.publish_heats("new1", &[heat("3A", "Amateur Silver Waltz (W)", &three)]);
    ball
}

impl O2cmSite {
    /// Makes the site begin with January of this year.
    pub(crate) fn set_first_year(&self, first: i16) {
        let (year, month) = (self.today.year(), self.today.month());
        let home = LIST
            .replace("value=\"2020\"", &format!("value=\"{year}\""))
            .replace("value=\"4\"", &format!("value=\"{month}\""))
            .replace("min=\"2005\"", &format!("min=\"{first}\""))
            .replace("max=\"2023\"", &format!("max=\"{year}\""));
        self.site.set_replies("GET /default.asp", [page(&home)]);
    }

    /// Returns the number of months since then.
    pub(crate) fn months_ago(&self, year: i16, month: i8) -> i64 {
        let years = i64::from(self.today.year() - year);
        12 * years + i64::from(self.today.month() - month)
    }

    /// Returns the number of months to request.
    pub(crate) fn month_count(&self) -> usize {
        12 + self.today.month() as usize
    }

    /// Returns the request for the month so many months ago.
    pub(crate) fn month_request(&self, ago: i64) -> String {
        let month = self.today.first_of_month() - ago.months();
        format!("POST /default.asp inyear={}&inmonth={}&Go=Go", month.year(), month.month())
    }

    pub(crate) fn competition_request(id: &str) -> String {
        format!("POST /event3.asp event={id}&selDiv=&selAge=&selSkl=&selSty=&selEnt=&submit=OK")
    }

    /// Returns the first day of its month.
    pub(crate) fn competition_day(&self, id: &str) -> String {
        let ago = match id {
            "new1" => 0,
            "mid1" => 4,
            _ => self.month_count() as i64 - 1,
        };
        (self.today.first_of_month() - ago.months()).to_string()
    }

    pub(crate) fn take_targets(&self) -> Vec<String> {
        let mut requests = self.site.take_targets();
        requests.retain(|target| target != "GET /robots.txt");
        requests
    }

    /// Publishes the competitions of a month, all on its first day.
    pub(crate) fn publish_month(&self, ago: i64, competitions: &[(&str, &str)]) {
        let links: Vec<(String, &str)> = competitions
            .iter()
            .map(|(id, name)| (format!("event3.asp?event={id}&bclr=#FFFFFF"), *name))
            .collect();
        self.site
            .set_replies(&self.month_request(ago), [page(&self.month_page(ago, &links))]);
    }

    pub(crate) fn publish_old_competition(&self, ago: i64, id: &str) {
        let links = [(format!("event2.asp?event={id}"), "Oarlock Open")];
        self.site
            .set_replies(&self.month_request(ago), [page(&self.month_page(ago, &links))]);
    }

    fn month_page(&self, ago: i64, links: &[(String, &str)]) -> String {
        let month = self.today.first_of_month() - ago.months();
        let heading = "<tr> <td colspan=2 class=h3 align=center>2020</td> </tr>";
        let mut rows = String::new();
        for (link, name) in links {
            let day = month.strftime("%b %d");
            let _ = write!(
                rows,
                "<tr class=t1n><td>{day}</td><td><a href='{link}' target=_blank>{name}</td></tr>\r\n"
            );
        }
        assert!(LIST.contains(heading));
        LIST.replace(heading, &rows)
    }

    /// Publishes a competition with these heats.
    pub(crate) fn publish_heats(&self, id: &str, heats: &[(String, String)]) {
        let text = Self::heats_page(id, heats);
        self.site.set_replies(&Self::competition_request(id), [page(&text)]);
    }

    pub(crate) fn heats_page(id: &str, heats: &[(String, String)]) -> String {
        let rows: String = heats.iter().map(|(_, rows)| rows.as_str()).collect();
        let rows = rows.replace("EVENT", id);
        let text = HEATS.replace("value=Brn23A", &format!("value={id}"));
        let (before, _) = text.rsplit_once("</table>").unwrap();
        [before, &rows, &text[before.len()..]].concat()
    }
}
