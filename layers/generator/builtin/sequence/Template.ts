// layers/generator/builtin/sequence/Template.ts: templates read once, and filled without gaps.
import { memoize } from "effect/Function"
import type { Template } from "#layers/generator/builtin/english/Wording.ts"
import { upperFirst } from "#layers/generator/builtin/grammar/Capitals.ts"
import type { Picker } from "#layers/generator/builtin/sequence/Picker.ts"

export type Slots = Readonly<Record<string, string | undefined>>

interface Slot {
  readonly name: string
  readonly capital: boolean
  /** What stands behind it. */
  readonly text: string
}

interface Read {
  /** What stands before its slots. */
  readonly text: string
  readonly slots: ReadonlyArray<Slot>
}

const read = (template: Template): Read => {
  const [text = "", ...pieces] = template.split(/[{}]/)
  const slots: Array<Slot> = []
  for (let at = 0; at < pieces.length; at += 2) {
    const name = pieces[at] ?? ""
    const small = name.charAt(0).toLowerCase() + name.slice(1)
    slots.push({ name: small, capital: small !== name, text: pieces[at + 1] ?? "" })
  }
  return { text, slots }
}

type Templates = ReadonlyArray<Template>

/** The lists are the program's own, so each is read once. */
const readOf = memoize((templates: Templates) => templates.map(read))

/** Those of a list that are of a kind, found once for the list. */
export const kindOf = (isOfIt: (template: Template) => boolean) =>
  memoize((templates: Templates): Templates => templates.filter(isOfIt))

/** The text of a template, or nothing where a slot of it has no filling. */
const fill = ({ slots: own, text: before }: Read, slots: Slots): string | undefined => {
  for (const { name } of own) if (slots[name] === undefined) return undefined
  let text = before
  for (const { capital, name, text: behind } of own) {
    const filling = slots[name] ?? ""
    text += (capital ? upperFirst(filling) : filling) + behind
  }
  return text
}

/** A text that can be filled and is wanted: each of them is as likely as the others. */
export const filled = (
  templates: Templates,
  slots: Slots,
  picker: Picker,
  wanted: (text: string) => boolean = () => true
): string | undefined => {
  const left = [...readOf(templates)]
  while (left.length > 0) {
    const at = picker.next(left.length)
    const picked = left[at]
    const text = picked === undefined ? undefined : fill(picked, slots)
    if (text !== undefined && wanted(text)) return text
    const last = left.pop()
    if (last !== undefined && at < left.length) left[at] = last
  }
  return undefined
}
