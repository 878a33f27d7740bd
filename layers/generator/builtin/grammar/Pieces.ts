// layers/generator/builtin/grammar/Pieces.ts: what people typed into a field, as sentences and as the pieces of a list.
import { verbAt } from "#layers/generator/builtin/grammar/Verbs.ts"
import { looksEnglish, sentences, words } from "#layers/text/Words.ts"

/** Plain typed characters: no curly quotes, dashes, bullets, links, addresses or emoji. */
export const plain = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[\u2018\u2019\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u00ab\u00bb]/g, '"')
    .replace(/(?<=\d) ?[\u2012-\u2015] ?(?=\d)/g, "-")
    .replace(/ ?[\u2012-\u2015] ?| -{1,2} /g, ", ")
    .replace(/\u2026|\.{3,}/g, ".")
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, " ")
    .replace(/\b(?:https?:\/\/|www\.)\S+|(?<![^\s@])[^\s@]+@[^\s@.]+\.\S+/g, "")
    .replace(/(?![\d#*])[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Cf}]/gu, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/[ \t]+/g, " ")
    .replace(/ ([,.;:])/g, "$1")
    .trim()

const bullet = /^\s*(?:[-*+\u2022\u25cf\u2013>]|\d{1,2}[.)]|[a-z]\)|#{1,6})\s+/i

/** Markup, and what people put into a field that they have nothing for. */
export const unfilled = /[{}<>[\]|\\]|\b(?:undefined|null|NaN|N\/A|TODO|FIXME|TBD|XXX|lorem ipsum)\b/i

/** The sentences of a field, lines and bullets apart. */
export const statements = (text: string | null | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split(/\r?\n/)
    .map((line) => plain(line.replace(bullet, "")))
    .flatMap(sentences)
    .map((each) => each.replace(/!+/g, ".").trim())
    .filter((each) => words(each).length > 0 && looksEnglish(each) && !unfilled.test(each))

export const trim = (text: string): string => text.replace(/^[\s,;:.-]+|[\s,;:.-]+$/g, "")

/** What a list of troubles, gains or triggers holds, whether it was written with semicolons, commas or full stops. */
export const pieces = (text: string | null | undefined): ReadonlyArray<string> =>
  statements(text)
    .flatMap((each) => each.split(/;/))
    .flatMap((each) => {
      const part = trim(each)
      const all = part.split(/, (?:and |or )?/)
      // A comma list of fragments ("late bills, wrong rates and lost files") is a list of pieces; a clause with commas is one.
      const finite = (item: string | undefined) => verbAt(words((item ?? "").toLowerCase())) >= 0
      // Clauses that commas run together are told apart where each has its own verb.
      if (all.length > 1 && words(part).length > 12 && all.every(finite)) return all
      const last = all.at(-1) ?? ""
      const tail = last.split(/ (?:and|or) /)
      const items =
        all.length > 1 && tail.length === 2 && tail.every((item) => words(item).length < 7)
          ? [...all.slice(0, -1), ...tail]
          : all
      if (items.length < 3 || finite(all[0]) || finite(last) || items.some((item) => words(item).length > 9))
        return [part]
      return items
    })
    .map((piece) => trim(piece.replace(/^(?:and|or|also|plus|but) /i, "")))
    .filter((piece) => words(piece).length > 0)
