// layers/generator/routing/TitleTokens.ts: splits a job title into words that can be compared.
import { abbreviations } from "#layers/generator/routing/TitleTables.ts"

/** The separator between two words. */
export type Gap = "none" | "and" | "break"

export interface Token {
  /** In lower case, without accents, abbreviations written out. */
  readonly word: string
  /** The separator before the word. */
  readonly gap: Gap
}

const letterReplacements: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ł", "l"],
  ["ø", "o"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["đ", "d"],
  ["ı", "i"]
])

/** Lower case, without accents. */
export const foldText = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßłøæœđı]/g, (letter) => letterReplacements.get(letter) ?? letter)

// "(m/w/d)", "H/F" and "(gn)" state the genders that a job is open to.
const genderSuffix =
  /(?<![\p{L}\p{N}])(?:[mwfdhvxkiu](?:\s?[/|*]\s?[mwfdhvxkiu]){1,3}|all genders|gn|divers)(?![\p{L}\p{N}])/gu
// "Leiter/in", "Leiter*in", "Directeur·trice", "Ingénieur(e)", "Kierownik/czka": the feminine form of the word before.
const feminineSuffix =
  /(?<=\p{L})(?:[/*:_·•]-?|\(-?)(?:in|innen|e|es|ne|se|trice|rice|ice|euse|iere|ere|ienne|a|as|essa|ora|ra|ka|czka|rka|niczka|yni|ster)\)?(?![\p{L}\p{N}])/gu

const wordPattern = /(\p{L}(?:\p{L}|\p{N}|\p{M})*|\p{N}[\p{L}\p{N}]*)/gu

const parseGap = (between: string): Gap =>
  /[,;|()[\]\u2013\u2014:•·@]|\s-|-\s/.test(between) ? "break" : /[&/+\\]/.test(between) ? "and" : "none"

const conjunctions: ReadonlySet<string> = new Set(["and", "und", "et", "y", "e", "ed", "i", "oraz", "sowie"])

export const isConjunction = (word: string): boolean => conjunctions.has(word)

const isSpaced = (text: string, at: number, word: string): boolean =>
  text[at - 1] === " " && text[at + word.length] === " "

/** The word that replaces every conjunction, so that "R&D", "R & D" and "R and D" are equal. */
export const conjunction = "and"

/** The words of a title or of a phrase of the table, in order. A conjunction is a word too, written as "and". */
export const tokenizeTitle = (title: string): ReadonlyArray<Token> => {
  const text = foldText(title)
    // "E-Commerce" is one word; its "e" is not the Italian "and".
    .replace(/(?<!\p{L})e[ -]?(?=commerce|business|learning|shop|mail)/gu, "e")
    .replace(genderSuffix, " ")
    .replace(feminineSuffix, "")
    // "Ad interim" does not describe the work.
    .replace(/(?<!\p{L})(?:a\.\s?i\.|ad interim)(?!\p{L})/gu, " ")
    // "V.P." and "C.E.O." are one word each.
    .replace(/(?<!\p{L})(?:\p{L}\.){2,}(?:\p{L}(?!\p{L}))?/gu, (found) => `${found.replaceAll(".", "")} `)
  const found: Array<Token> = []
  let end = 0
  let gap: Gap = "none"
  for (const match of text.matchAll(wordPattern)) {
    const word = match[0]
    const between = parseGap(text.slice(end, match.index))
    end = match.index + word.length
    if (between !== "none" && found.length > 0) {
      gap = between
      if (between === "and") found.push({ word: conjunction, gap: "and" })
    }
    if (conjunctions.has(word) && found.length > 0 && gap === "none" && isSpaced(text, match.index, word)) {
      found.push({ word: conjunction, gap: "and" })
      gap = "and"
      continue
    }
    found.push({ word: abbreviations.get(word) ?? word, gap })
    gap = "none"
  }
  return found
}

/** The words without their separators. */
export const titleWords = (title: string): ReadonlyArray<string> => tokenizeTitle(title).map(({ word }) => word)
