//! The tags and attributes that matter.

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Table,
    Row,
    Cell,
    Link,
    Form,
    Input,
    Select,
    Option,
    Html,
    Break,
    /// Scripts and styles: nobody sees what stands in them.
    Unseen,
    Other,
}

impl Tag {
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"table" => Self::Table,
            b"tr" => Self::Row,
            b"td" => Self::Cell,
            b"a" => Self::Link,
            b"form" => Self::Form,
            b"input" => Self::Input,
            b"select" => Self::Select,
            b"option" => Self::Option,
            b"html" => Self::Html,
            b"br" | b"p" | b"hr" => Self::Break,
            b"script" | b"style" | b"title" => Self::Unseen,
            _ => Self::Other,
        }
    }
}

#[derive(Default)]
pub(super) struct Attributes {
    pub(super) class: Option<String>,
    pub(super) href: Option<String>,
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) value: Option<String>,
    pub(super) min: Option<String>,
    pub(super) max: Option<String>,
    pub(super) selected: bool,
}

impl Attributes {
    pub(super) fn slot(&mut self, name: &[u8]) -> Option<&mut Option<String>> {
        match name {
            b"class" => Some(&mut self.class),
            b"href" => Some(&mut self.href),
            b"id" => Some(&mut self.id),
            b"name" => Some(&mut self.name),
            b"value" => Some(&mut self.value),
            b"min" => Some(&mut self.min),
            b"max" => Some(&mut self.max),
            _ => None,
        }
    }
}
