// layers/text/NamePatterns.ts: normalises typed names, and recognises texts that are not names.

/** Normalises quotes, dashes, blanks and letters of a typed name. */
export const normalizeTypedName = (text: string): string =>
  text
    .replace(/[™®©]/g, "")
    // Replaces full-width and ornamental letters by plain ones.
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/[\p{Cf}\p{Emoji_Presentation}\p{Extended_Pictographic}]/gu, (found) =>
      /^[\d#*]$/.test(found) ? found : ""
    )
    .replace(/\s+/g, " ")
    .trim()

// A text with markup, a placeholder, a formula, a link or an address is not a name.
export const notNamePattern = /[{}<>[\]|\\^~$%=;_]|https?:|www\.|\/\/|\S@\S|^\s*[-+=]|\bjavascript\b/i

/** Matches words of an instruction, which no name contains. */
export const instructionPattern =
  /\b(ignore|disregard|forget|reply|respond|system|prompt|instructions?|previous|assistant|output|password|click|please|send|delete|drop table|select|subscribe|write|tell|say|print|reveal|act as|you are|your)\b/i

/** Matches values that stand for a missing name or title. */
export const placeholderPattern =
  /^(?:n\/?a|none|null|undefined|nan|unknown|test|company(?: ?name)?|your company|tbd|todo|self|self[- ]employed|freelance[r]?|unemployed|retired|student|private|independent|consultant|various|confidential|stealth(?: startup)?|-+|\.+|x+|asdf\w*)$/i
