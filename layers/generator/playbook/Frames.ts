// layers/generator/playbook/Frames.ts: fills the slots of a frame, the outline of an email, with the user's text word
// for word.
import closing from "#layers/generator/frames/closing.json" with { type: "json" }
import first from "#layers/generator/frames/first.json" with { type: "json" }
import followups from "#layers/generator/frames/followups.json" with { type: "json" }
import { escapeLiquid } from "#layers/generator/playbook/LiquidTemplate.ts"
import { type Shape } from "#layers/text/Sentences.ts"

export type Reader = "role" | "owner" | "everyone_else"

export interface Frame {
  readonly id: string
  readonly step: number
  readonly readers: ReadonlyArray<string>
  /** Required slots, as `name` or `name:shape`. */
  readonly needs: ReadonlyArray<string>
  /** Subjects; the first that can be filled is used. */
  readonly subject: ReadonlyArray<string>
  /** Paragraphs. The first wording of each that can be filled is used; a paragraph without one is omitted. */
  readonly body: ReadonlyArray<ReadonlyArray<string>>
}

export const frames: ReadonlyArray<Frame> = [...first, ...followups, ...closing]

/** The first email for readers whose job has nothing to do with what is sold. */
export const rightPersonFrame = "first-right-person"

/** The last words of that email. */
export const rightPersonQuestion: string = frames.find(({ id }) => id === rightPersonFrame)?.body.at(-1)?.[0] ?? ""

export interface Slot {
  readonly text: string
  readonly shape: Shape
  /** The kind of text, where a frame requires one: a client's case or a fact about the sender. */
  readonly kind?: string
  /**
   * The text begins with a client's name and a colon: `named` if it says what changed, `work` if it says what was done.
   * `unnamed`: it says what changed, and not for whom.
   */
  readonly client?: "named" | "work" | "unnamed"
  /** The text is already Liquid or complete lines, and must not be escaped. */
  readonly ready?: true
}

export type Slots = ReadonlyMap<string, Slot>

const slotPattern = /\[\[([a-z_]+)(?::([a-z]+))?\]\]/g

const fitsSlot = (slot: Slot | undefined, shape: string | undefined): slot is Slot =>
  slot !== undefined &&
  (shape === undefined ||
    slot.client === shape ||
    slot.kind === shape ||
    (shape === "sentence" ? slot.shape !== "fragment" : shape === slot.shape))

const canFill = (wording: string, slots: Slots): boolean =>
  [...wording.matchAll(slotPattern)].every(([, name = "", shape]) => fitsSlot(slots.get(name), shape))

/** Equivalent wordings, separated by "||"; the reader's index selects one that can be filled. */
const chooseWording = (wording: string, slots: Slots, rotation: number): string | undefined => {
  const fillable = wording.split(" || ").filter((each) => canFill(each, slots))
  return fillable[rotation % Math.max(1, fillable.length)]
}

const sentenceEnd = /[.!?\u2026]["'\u201d\u2019)\]]*$/

/** Names such as "iPhone" and "eBay" keep their small letter. */
export const capitalizeFirst = (text: string): string =>
  /^\p{Ll}\p{Lu}/u.test(text) ? text : text.replace(/^["'\u201c\u2018(]*\p{Ll}/u, (letter) => letter.toUpperCase())

export const withFullStop = (text: string): string => (sentenceEnd.test(text) ? text : `${text}.`)
export const withoutFullStop = (text: string): string => text.replace(/(?<![.\s])\.$/, "")

/**
 * A first word that the user writes in small letters elsewhere, in `texts`, may have one after a colon: "payroll bureau", never
 * "HMRC" or "Harbour Foods". Other words may be names, or German nouns.
 */
export const lowerIfCommon = (start: string, texts: ReadonlyArray<string>): string => {
  const [word = ""] = /^\p{Lu}\p{Ll}+(?![\p{L}\p{N}]| \p{Lu})/u.exec(start) ?? []
  const small = word.toLowerCase()
  const isCommon =
    word !== "" && texts.some((text) => new RegExp(`(?<![\\p{L}-])${small}(?![\\p{L}-])`, "u").test(text))
  return isCommon ? small + start.slice(word.length) : start
}

/** The frame around every body. */
const greeting = "{% if first_name %}Hi {{ first_name }},{% else %}Hello,{% endif %}"

const fillWording = (wording: string, slots: Slots): string => {
  let filled = ""
  let position = 0
  for (const match of wording.matchAll(slotPattern)) {
    const slot = slots.get(match[1] ?? "")
    filled += wording.slice(position, match.index)
    position = match.index + match[0].length
    if (slot === undefined) continue
    if (slot.ready === true) {
      filled += slot.text
      continue
    }
    const startsSentence = /(?:^|\n)$/.test(filled) || /[.!?]["'\u201d)]* $/.test(filled)
    const rest = wording.slice(position)
    const endsSentence = rest === "" || /^(?:\n| (?:\p{Lu}|\[\[|\{%))/u.test(rest)
    const text = startsSentence
      ? capitalizeFirst(slot.text)
      : filled.endsWith(": ")
        ? lowerIfCommon(
            slot.text,
            [...slots.values()].map(({ text }) => text)
          )
        : slot.text
    const textWithoutStop = withoutFullStop(text)
    filled += escapeLiquid(endsSentence ? withFullStop(text) : textWithoutStop)
    // The user's own question mark replaces the frame's full stop.
    if (/[!?\u2026]$/.test(textWithoutStop) && rest.startsWith(".")) position += 1
  }
  return filled + wording.slice(position)
}

const fillSubject = (wording: string, slots: Slots): string =>
  wording.replace(slotPattern, (_, name: string, __: unknown, offset: number) => {
    const text = withoutFullStop(slots.get(name)?.text ?? "").replace(/\s+/g, " ")
    return escapeLiquid(offset === 0 ? capitalizeFirst(text) : text)
  })

export interface FrameEmail {
  readonly subject: string
  readonly body: string
}

/** Maximum length of a subject, including its Liquid. */
const maxSubjectLength = 120
/** Subjects for a frame whose own are all taken. */
const fallbackSubjects: ReadonlyArray<string> = ["One question", "A short question", "One more question"]

/** The first subject that can be filled and is not taken; emails of a persona have different subjects. */
const chooseSubject = (frame: Frame, slots: Slots, used: ReadonlySet<string>): string => {
  const isAvailable = (text: string) => text.length <= maxSubjectLength && !used.has(text.toLowerCase())
  const fillable = frame.subject
    .filter((wording) => canFill(wording, slots))
    .map((wording) => fillSubject(wording, slots))
  return fillable.find(isAvailable) ?? fallbackSubjects.find(isAvailable) ?? fillable[0] ?? "One question"
}

export const fillFrame = (
  frame: Frame,
  slots: Slots,
  used: ReadonlySet<string> = new Set(),
  rotation = 0
): FrameEmail | undefined => {
  const hasRequiredSlots = frame.needs.every((need) => {
    const [name = "", shape] = need.split(":")
    return fitsSlot(slots.get(name), shape)
  })
  if (!hasRequiredSlots) return undefined
  const paragraphs = frame.body.flatMap((wordings) => {
    const wording = wordings.map((each) => chooseWording(each, slots, rotation)).find((each) => each !== undefined)
    return wording === undefined ? [] : [fillWording(wording, slots)]
  })
  return { subject: chooseSubject(frame, slots, used), body: [greeting, ...paragraphs].join("\n\n") }
}
