//! Contests before 1970, from import to export.

use crate::support::Scratch;

const CHESS: &str = "Contest,Date,Place,Player
London Match,1850-05-01,1,Orla Finch
London Match,1850-05-01,2,Bram Okoro
London Match,1850-05-01,3,Ida Castle
Paris Match,1 October 1850,1,Bram Okoro
Paris Match,1 October 1850,2,Orla Finch
Vienna Match,1969-12-31,1,Bram Okoro
Vienna Match,1969-12-31,2,Dov Lindqvist
Berlin Match,1970-01-02,1,Dov Lindqvist
Berlin Match,1970-01-02,2,Bram Okoro
";

const TOUR: &str = "Year,Place,Rider
1903,1,Ada Lark
1903,2,Zoe Alder
1904,1,Zoe Alder
1904,2,Ada Lark
";

/// Returns a folder with chess since 1850 and a tour since 1903, rated.
fn old_contests() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("chess.csv", CHESS);
    scratch.write("tour.csv", TOUR);
    scratch.ok(&["import", "chess.csv", "--source", "chess"]);
    let tour = [
        "import",
        "tour.csv",
        "--source",
        "tour",
        "--column",
        "Year=date",
    ];
    let imported = scratch.ok(&tour);
    assert!(
        imported.err.contains("\"1903\" are years") && imported.err.contains("1903-12-31"),
        "{}",
        imported.err
    );
    scratch.ok(&["rate", "chess"]);
    scratch.ok(&["rate", "tour"]);
    scratch
}

/// Returns the words of a view.
fn words(scratch: &Scratch, view: &[&str]) -> String {
    let output = scratch.ok(view).out;
    output.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn views_show_contests_before_1970() {
    let scratch = old_contests();
    let shows = |view: &[&str], expected: &str| {
        let output = words(&scratch, view);
        assert!(output.contains(expected), "no {expected} in {view:?}: {output}");
    };
    shows(&["contests", "chess"], "1850-05-01");
    shows(&["contests", "tour", "--until", "1904-01-01"], "1903-12-31");
    shows(&["contest", "chess", "Paris Match"], "1850-10-01");
    shows(&["player", "chess", "Orla Finch"], "1850-10-01");
    shows(&["players", "chess"], "1850-10-01");
    shows(&["sources"], "1850-05-01");
    shows(&["leaderboard", "tour"], "Zoe Alder");
    // The last contest of two players was 119 years before the newest.
    let all = words(&scratch, &["leaderboard", "chess"]);
    assert!(!all.contains("Orla Finch") && all.contains("2 inactive"), "{all}");
    let then = words(&scratch, &["leaderboard", "chess", "--as-of", "1850-12-31"]);
    assert!(then.contains("Orla Finch") && then.contains("Ida Castle"), "{then}");
    assert!(!then.contains("Dov Lindqvist"), "{then}");
    let moved = [
        "movers",
        "chess",
        "--since",
        "1850-06-01",
        "--until",
        "1850-12-31",
    ];
    shows(&moved, "Bram Okoro");
    scratch.ok(&[
        "rate",
        "chess",
        "--since",
        "1900-01-01",
        "--until",
        "1970-01-01",
    ]);
    scratch.ok(&["evaluate", "chess"]);
    scratch.ok(&["check"]);
}

#[test]
fn rebuild_export_and_undo_keep_contests_before_1970() {
    let scratch = old_contests();
    let hash = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), hash);
    let again = scratch.ok(&["import", "chess.csv", "--source", "chess"]).out;
    assert!(again.contains("0 new, 0 revised, 4 unchanged"), "{again}");

    for format in ["csv", "parquet", "jsonl", "elo-mmr", "sqlite"] {
        let folder = format!("out-{format}");
        scratch.ok(&[
            "export", "chess", "tour", "--to", &folder, "--format", format,
        ]);
        scratch.ok(&["verify", &folder]);
        let other = Scratch::new();
        let path = scratch.path(&folder);
        other.ok(&["import", path.to_str().unwrap()]);
        let times = "SELECT source.name, contest.name, ends_at FROM contest JOIN source USING \
                     (source_id) ORDER BY 1, 3";
        assert_eq!(other.rows(times), scratch.rows(times), "{format}");
        assert_eq!(other.rows(times)[0], "chess|London Match|-3776457600");
    }

    scratch.ok(&["import", "--undo", "--source", "tour"]);
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 4);
    scratch.ok(&["check"]);
}

#[test]
fn contest_file_may_have_negative_time() {
    let scratch = Scratch::new();
    let file =
        r#"{"name":"Leiden","time_seconds":-3776457600,"standings":[["ann",0,0],["bea",1,1]]}"#;
    scratch.write("leiden.json", file);
    scratch.ok(&["import", "leiden.json", "--source", "chess"]);
    let contest = scratch.json(&["contest", "chess", "Leiden"]);
    assert!(contest.to_string().contains("\"Leiden@-3776457600\""), "{contest}");
}
