//! Layout changes are noticed: fixtures are changed by program, and are then refused or read as
//! before, except for the changes in `UNDETECTED`.

use ranklore_conformance::layout::{self, JsonAnswer, JsonLists, JsonObjects, ValueChange};
use serde_json::{Value, json};

use crate::fixtures::{
    bytes, comment_tree_request, more_comments_request, newest_request, source, thread_request,
    top_request,
};

const LISTED_THREAD: JsonObjects<'_> = JsonObjects {
    name: "t3",
    path: &["**", "kind=t3", "data"],
    fields: &["id", "subreddit", "created_utc"],
    ignored: &[
        "name",
        "author",
        "author_fullname",
        "title",
        "selftext",
        "permalink",
        "url",
        "domain",
        "subreddit_id",
        "subreddit_name_prefixed",
        "created",
        "score",
        "ups",
        "upvote_ratio",
        "num_comments",
        "gilded",
        "edited",
        "saved",
    ],
    changes: &[
        ("created_utc", "in milliseconds", |at| json!(number(at) * 1000.0)),
        ("created_utc", "in words", |_| json!("2024-06-01T12:00:00Z")),
        ("created_utc", "with a fraction", |at| json!(number(at) + 0.25)),
        ("id", "with its kind", |id| json!(format!("t3_{}", text(id)))),
        ("id", "as a number", |_| json!(78_912_345)),
        ("subreddit", "with r/", |name| json!(format!("r/{}", text(name)))),
    ],
};

/// The head of a thread, above its comments.
const THREAD_HEAD: JsonObjects<'_> = JsonObjects {
    fields: &["id", "subreddit", "num_comments"],
    ignored: &["name", "title", "score", "ups", "gilded", "edited"],
    ..LISTED_THREAD
};

const COMMENT: JsonObjects<'_> = JsonObjects {
    name: "t1",
    path: &["**", "kind=t1", "data"],
    fields: &[
        "id",
        "author",
        "score",
        "score_hidden",
        "link_id",
        "parent_id",
        "replies",
        "subreddit",
    ],
    ignored: &[
        "name",
        "author_fullname",
        "author_flair_text",
        "body",
        "body_html",
        "permalink",
        "subreddit_id",
        "created",
        "created_utc",
        "controversiality",
        "downs",
        "ups",
        "gilded",
        "depth",
        "edited",
        "stickied",
    ],
    changes: &[
        ("id", "with its kind", |id| json!(format!("t1_{}", text(id)))),
        ("id", "in large letters", |id| json!(text(id).to_uppercase())),
        ("author", "with u/", |name| json!(format!("u/{}", text(name)))),
        ("author", "with its id", |name| json!({"name": name, "id": "t2_1"})),
        ("score", "in words", |_| json!("many")),
        ("score", "as a fraction", |score| json!(number(score) + 0.5)),
        ("parent_id", "without its kind", |id| json!(text(id)[3..])),
        ("link_id", "without its kind", |id| json!(text(id)[3..])),
        ("replies", "as a bare list", |replies| {
            let children = replies.pointer("/data/children");
            children.unwrap_or(replies).clone()
        }),
    ],
};

const MORE: JsonObjects<'_> = JsonObjects {
    name: "more",
    path: &["**", "kind=more", "data"],
    fields: &["id", "parent_id", "children"],
    ignored: &["name", "count", "depth"],
    changes: &[],
};

const LISTING: JsonObjects<'_> = JsonObjects {
    name: "Listing",
    path: &["**", "kind=Listing", "data"],
    fields: &["children"],
    ignored: &["before", "dist", "modhash", "geo_filter"],
    changes: &[],
};

/// A page that is followed by another one.
const PAGE: JsonObjects<'_> = JsonObjects {
    fields: &["children", "after"],
    ..LISTING
};

/// Returns the form of the object around the data of a kind of thing.
const fn wrapper_form(path: &'static [&'static str]) -> JsonObjects<'static> {
    JsonObjects {
        name: path[1],
        path,
        fields: &["kind", "data"],
        ignored: &[],
        changes: &[("kind", "of another thing", |_| json!("t5"))],
    }
}

const PAGES: &[JsonObjects<'_>] = &[
    PAGE,
    LISTED_THREAD,
    wrapper_form(&["**", "kind=Listing"]),
    wrapper_form(&["**", "kind=t3"]),
];

const THREADS: &[JsonObjects<'_>] = &[
    LISTING,
    THREAD_HEAD,
    COMMENT,
    MORE,
    wrapper_form(&["**", "kind=Listing"]),
    wrapper_form(&["**", "kind=t3"]),
    wrapper_form(&["**", "kind=t1"]),
    wrapper_form(&["**", "kind=more"]),
];

const MORE_COMMENTS: &[JsonObjects<'_>] = &[
    COMMENT,
    MORE,
    wrapper_form(&["**", "kind=t1"]),
    wrapper_form(&["**", "kind=more"]),
];

const CHILDREN: &[JsonLists<'_>] = &[JsonLists {
    name: "Listing.children",
    path: &["**", "kind=Listing", "data", "children"],
    within: Some("data"),
    fields: &["id", "author", "score", "parent_id", "link_id", "replies"],
}];

const LISTINGS: &[(&str, ValueChange)] = &[
    ("the second listing alone", |both| both[1].clone()),
    ("the listings reversed", |both| json!([both[1], both[0]])),
    ("no head", |both| json!([both[1]])),
];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The changes that the reader cannot notice.
const UNDETECTED: &[&str] = &[
    // A page without a next one is the last one; a warning follows if more threads were requested.
    "Listing.after and before swapped",
    "Listing.after null",
    // Swapped values of two rows: another valid id, author or score.
    "Listing.children: id of the first two rows swapped",
    "Listing.children: author of the first two rows swapped",
    "Listing.children: score of the first two rows swapped",
    // Swapped fields of one type: a name, a number, a boolean or a time.
    "t1.author and author_fullname swapped",
    "t1.author and subreddit_id swapped",
    "t1.score and controversiality swapped",
    "t1.score and depth swapped",
    "t1.score and downs swapped",
    "t1.score and gilded swapped",
    "t1.score_hidden and edited swapped",
    "t1.score_hidden and stickied swapped",
    "t3.created_utc and created swapped",
    // Older answers do not have it, and any number is valid. Without it nothing is compared.
    "t3.num_comments",
];

#[test]
fn changed_layout_is_noticed() {
    let pages = [
        (top_request(), bytes("r-LanternTales-top.json")),
        (newest_request(), bytes("r-LanternTales-new.json")),
    ];
    let threads = [
        (thread_request(), bytes("comments-1a2b3c.json")),
        (comment_tree_request(), bytes("comments-1a2b3c-below-k9f03.json")),
    ];
    let left_out = [(more_comments_request(), bytes("morechildren-1a2b3c.json"))];
    let mut answers = Vec::new();
    for (documents, forms, other_forms) in [
        (&pages[..], PAGES, &[][..]),
        (&threads, THREADS, LISTINGS),
        (&left_out, MORE_COMMENTS, &[]),
    ] {
        answers.extend(documents.iter().map(|(request, body)| JsonAnswer {
            request,
            body,
            objects: forms,
            lists: CHILDREN,
            changes: other_forms,
        }));
    }
    let changes = layout::change_json(&source(), &answers);
    assert!(changes.check(UNDETECTED) > 2000);
}
