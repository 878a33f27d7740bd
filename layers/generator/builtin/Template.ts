// layers/generator/builtin/Template.ts: templates read once, and filled without gaps.
import { upperFirst } from "#layers/generator/builtin/Phrases.ts"
import type { Template } from "#layers/generator/builtin/Language.ts"

export type Slots = Readonly<Record<string, string | undefined>>

interface Read {
  /** Text and slot names in turn, text first. */
  readonly pieces: ReadonlyArray<string>
}

const read = new Map<Template, Read>()

const readOf = (template: Template): Read => {
  const kept = read.get(template)
  if (kept !== undefined) return kept
  const fresh = { pieces: template.split(/[{}]/) }
  read.set(template, fresh)
  return fresh
}

/** The text of a template, or nothing where a slot of it has no filling. */
export const fill = (template: Template, slots: Slots): string | undefined => {
  const { pieces } = readOf(template)
  let text = pieces[0] ?? ""
  for (let at = 1; at < pieces.length; at += 2) {
    const name = pieces[at] ?? ""
    const small = name.charAt(0).toLowerCase() + name.slice(1)
    const filling = slots[small]
    if (filling === undefined) return undefined
    text += (small === name ? filling : upperFirst(filling)) + (pieces[at + 1] ?? "")
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
    const left = [...templates]
    while (left.length > 0) {
      const at = this.next(left.length)
      const text = fill(left[at] ?? "", slots)
      if (text !== undefined && wanted(text)) return text
      left[at] = left.at(-1) ?? ""
      left.pop()
    }
    return undefined
  }
}
