// layers/generator/builtin/Template.ts: templates read once, and filled without gaps.
import { upperFirst } from "#layers/generator/builtin/Phrases.ts"
import type { Template } from "#layers/generator/builtin/Language.ts"

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

const lists = new WeakMap<ReadonlyArray<Template>, ReadonlyArray<Read>>()

/** The lists are a language's own, so each is read once. */
const readOf = (templates: ReadonlyArray<Template>): ReadonlyArray<Read> => {
  const kept = lists.get(templates)
  if (kept !== undefined) return kept
  const fresh = templates.map(read)
  lists.set(templates, fresh)
  return fresh
}

/** Those of a list that are of a kind, found once for the list. */
export const kindOf = (isOfIt: (template: Template) => boolean) => {
  const found = new WeakMap<ReadonlyArray<Template>, ReadonlyArray<Template>>()
  return (templates: ReadonlyArray<Template>): ReadonlyArray<Template> => {
    const kept = found.get(templates)
    if (kept !== undefined) return kept
    const fresh = templates.filter(isOfIt)
    found.set(templates, fresh)
    return fresh
  }
}

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

/** Picks by turns out of one seed: each call gives another number, and the same seed the same row of numbers. */
export class Picker {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }
  /** A whole number from 0 up to `below`, which is at least 1. */
  next(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  of<A>(items: ReadonlyArray<A>): A | undefined {
    return items.length === 0 ? undefined : items[this.next(items.length)]
  }
  /** A text that can be filled and is wanted: each of them is as likely as the others. */
  filled(
    templates: ReadonlyArray<Template>,
    slots: Slots,
    wanted: (text: string) => boolean = () => true
  ): string | undefined {
    const left = [...readOf(templates)]
    while (left.length > 0) {
      const at = this.next(left.length)
      const picked = left[at]
      const text = picked === undefined ? undefined : fill(picked, slots)
      if (text !== undefined && wanted(text)) return text
      const last = left.pop()
      if (last !== undefined && at < left.length) left[at] = last
    }
    return undefined
  }
}
