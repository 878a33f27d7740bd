// layers/generator/playbook/Frames.ts: fills the slots of a frame, the outline of an email, with the user's text word for
// word.
import closing from "#layers/generator/frames/closing.json" with { type: "json" }
import first from "#layers/generator/frames/first.json" with { type: "json" }
import followups from "#layers/generator/frames/followups.json" with { type: "json" }
import { literal } from "#layers/generator/playbook/Template.ts"
import type { Shape } from "#layers/text/Sentences.ts"

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

export interface Slot {
  readonly text: string
  readonly shape: Shape
  /** The kind of text, where a frame requires one: a client's case or a fact about the sender. */
  readonly kind?: string
  /** Our own Liquid, or complete lines. */
  readonly ready?: true
}

export type Slots = ReadonlyMap<string, Slot>

const slotPattern = /\[\[([a-z_]+)(?::([a-z]+))?\]\]/g

const fits = (slot: Slot | undefined, shape: string | undefined): slot is Slot =>
  slot !== undefined &&
  (shape === undefined ||
    slot.kind === shape ||
    (shape === "sentence" ? slot.shape !== "fragment" : shape === slot.shape))

const canFill = (wording: string, slots: Slots): boolean =>
  [...wording.matchAll(slotPattern)].every(([, name = "", shape]) => fits(slots.get(name), shape))

/** Equivalent wordings, separated by "||"; the reader's index selects one that can be filled. */
const choose = (wording: string, slots: Slots, turn: number): string | undefined => {
  const able = wording.split(" || ").filter((each) => canFill(each, slots))
  return able[turn % Math.max(1, able.length)]
}

const ends = /[.!?\u2026]["'\u201d\u2019)\]]*$/

/** Names such as "iPhone" and "eBay" keep their small letter. */
export const capitalized = (text: string): string =>
  /^\p{Ll}\p{Lu}/u.test(text) ? text : text.replace(/^["'\u201c\u2018(]*\p{Ll}/u, (letter) => letter.toUpperCase())

export const stopped = (text: string): string => (ends.test(text) ? text : `${text}.`)
export const unstopped = (text: string): string => text.replace(/(?<![.\s])\.$/, "")

/** The frame around every body. */
const greeting = "{% if first_name %}Hi {{ first_name }},{% else %}Hello,{% endif %}"

const line = (wording: string, slots: Slots): string => {
  let filled = ""
  let from = 0
  for (const match of wording.matchAll(slotPattern)) {
    const slot = slots.get(match[1] ?? "")
    filled += wording.slice(from, match.index)
    from = match.index + match[0].length
    if (slot === undefined) continue
    if (slot.ready === true) {
      filled += slot.text
      continue
    }
    const starts = /(?:^|\n)$/.test(filled) || /[.!?]["'\u201d)]* $/.test(filled)
    const rest = wording.slice(from)
    const closes = rest === "" || /^ (?:\p{Lu}|\[\[|\{%)/u.test(rest)
    const text = starts ? capitalized(slot.text) : slot.text
    const bare = unstopped(text)
    filled += literal(closes ? stopped(text) : bare)
    // The user's own question mark replaces the frame's full stop.
    if (/[!?\u2026]$/.test(bare) && rest.startsWith(".")) from += 1
  }
  return filled + wording.slice(from)
}

const subjectLine = (wording: string, slots: Slots): string =>
  wording.replace(slotPattern, (_, name: string, __: unknown, at: number) => {
    const text = unstopped(slots.get(name)?.text ?? "").replace(/\s+/g, " ")
    return literal(at === 0 ? capitalized(text) : text)
  })

export interface Email {
  readonly subject: string
  readonly body: string
}

/** The text, Liquid included. */
const mostOfSubject = 120
/** Subjects for a frame whose own are all taken. */
const lastSubjects: ReadonlyArray<string> = ["One question", "A short question", "One more question"]

/** The first subject that can be filled and is not taken; emails of a persona have different subjects. */
const chooseSubject = (frame: Frame, slots: Slots, taken: ReadonlySet<string>): string => {
  const free = (text: string) => text.length <= mostOfSubject && !taken.has(text.toLowerCase())
  const able = frame.subject.filter((wording) => canFill(wording, slots)).map((wording) => subjectLine(wording, slots))
  return able.find(free) ?? lastSubjects.find(free) ?? able[0] ?? "One question"
}

export const fill = (
  frame: Frame,
  slots: Slots,
  taken: ReadonlySet<string> = new Set(),
  turn = 0
): Email | undefined => {
  const needed = frame.needs.every((need) => {
    const [name = "", shape] = need.split(":")
    return fits(slots.get(name), shape)
  })
  if (!needed) return undefined
  const paragraphs = frame.body.flatMap((wordings) => {
    const wording = wordings.map((each) => choose(each, slots, turn)).find((each) => each !== undefined)
    return wording === undefined ? [] : [line(wording, slots)]
  })
  return { subject: chooseSubject(frame, slots, taken), body: [greeting, ...paragraphs].join("\n\n") }
}
