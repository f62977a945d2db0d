//! Enums of words.

/// Declares an enum of words: `Final = "final"` is the variant `Final`, written `final` in files, in
/// the database and in output.
#[macro_export]
macro_rules! word_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $word:literal),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $name {
            $($(#[$variant_attribute])* $variant),+
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
                Self::VARIANTS.into_iter().find(|variant| variant.as_str() == word)
            }
        }
    };
}
