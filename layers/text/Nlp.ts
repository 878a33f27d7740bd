// layers/text/Nlp.ts: the language library, loaded when the first text is parsed. Loading it takes a third of a start and 35 MB,
// and most commands and an idle server parse no text.
import { createRequire } from "node:module"
import type compromise from "compromise"

// A bundle drops this line, so that `require` is the bundler's and the library is inside the bundle.
const require = createRequire(import.meta.url)

let cachedLibrary: typeof compromise | undefined

const library = (): typeof compromise => (cachedLibrary ??= require("compromise") as typeof compromise)

/** Loads the library, which blocks for a tenth of a second. */
export const loadNlp = (): void => void library()

/** Parses a text and tags its words. */
export const nlp = (text: string) => library()(text)

/** Splits a text into sentences and words without tagging them, which is faster. */
export const tokenize = (text: string) => library().tokenize(text)
