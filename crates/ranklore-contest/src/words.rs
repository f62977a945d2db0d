//! Enums of words.

/// An enum of [`word_enum!`](crate::word_enum). The lists are in the order of its declaration.
pub trait WordEnum: Copy + Send + Sync + 'static {
    /// The variants.
    const ALL: &'static [Self];
    /// The word of each variant.
    const WORDS: &'static [&'static str];
    /// The meaning of each variant: its doc comment, with the spaces around its lines.
    const MEANINGS: &'static [&'static str];

    /// Returns the variant of this word.
    #[must_use]
    fn find(word: &str) -> Option<Self> {
        let index = Self::WORDS.iter().position(|known| *known == word)?;
        Some(Self::ALL[index])
    }
}

/// Declares an enum of words: `Final = "final"` is the variant `Final`, written `final` in files, in
/// the database and in output, also by Serde. A variant has its doc comment, then `#[default]` if it
/// is the default.
#[macro_export]
macro_rules! word_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[default $($default:tt)?])?
                $variant:ident = $word:literal
            ),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive($crate::serde::Serialize, $crate::serde::Deserialize)]
        #[serde(crate = "ranklore_contest::serde")]
        $visibility enum $name {
            $(
                $(#[doc = $doc])*
                #[serde(rename = $word)]
                $(#[default $($default)?])?
                $variant
            ),+
        }

        impl $name {
            /// The variants, in the order of their declaration.
            $visibility const VARIANTS: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// Returns the word.
            #[must_use]
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// Returns the variant of this word.
            #[must_use]
            $visibility fn from_word(word: &str) -> Option<Self> {
                $crate::WordEnum::find(word)
            }
        }

        impl $crate::WordEnum for $name {
            const ALL: &'static [Self] = &Self::VARIANTS;
            const WORDS: &'static [&'static str] = &[$(Self::$variant.as_str()),+];
            const MEANINGS: &'static [&'static str] = &[$(concat!($($doc),*)),+];
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    word_enum! {
        /// A colour.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        enum Colour {
            /// The colour
            /// of the sky.
            Blue = "blue",
            /// The colour of ink.
            #[default]
            Black = "jet black",
        }
    }

    #[test]
    fn serde_reads_and_writes_words() {
        assert_eq!(serde_json::to_string(&Colour::Black).unwrap(), "\"jet black\"");
        assert_eq!(serde_json::from_str::<Colour>("\"blue\"").unwrap(), Colour::Blue);
    }

    #[test]
    fn meanings_are_doc_comments() {
        assert_eq!(Colour::MEANINGS, [" The colour of the sky.", " The colour of ink."]);
        assert_eq!(Colour::from_word("jet black"), Some(Colour::default()));
    }
}
