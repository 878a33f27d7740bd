// layers/generator/builtin/Compose.ts: one wording of one email, out of a campaign's material and a language's templates.
import type { AngleWording, Language, Template } from "#layers/generator/builtin/Language.ts"
import type { Material, Statement } from "#layers/generator/builtin/Material.ts"
import type { Trouble } from "#layers/generator/builtin/Troubles.ts"
import type { Reader } from "#layers/generator/builtin/Reader.ts"
import type { Step } from "#layers/generator/builtin/Plan.ts"
import { kindOf, type Picker, type Slots } from "#layers/generator/builtin/Template.ts"
import type { Draft } from "#layers/Generator.ts"
import type { Role } from "#layers/generator/Roles.ts"
import { numbersIn } from "#layers/generator/rules/Ground.ts"
import { stem, words } from "#layers/text/Text.ts"

/** What the emails before have used up. */
export interface Used {
  readonly texts: Set<string>
  /** What the first email was about. */
  topic: string | undefined
  readonly subjects: Set<string>
}

export interface Candidate extends Draft {
  readonly topic: string | undefined
  /** What of the profile it says. */
  readonly took: () => ReadonlyArray<string>
}

const ranks = new WeakMap<Material, Map<Role, ReadonlyArray<Trouble>>>()

/** The troubles nearest to a role first; where none is near, all as they come. */
const ranked = (sorted: Material, role: Role): ReadonlyArray<Trouble> => {
  const kept = ranks.get(sorted) ?? new Map<Role, ReadonlyArray<Trouble>>()
  ranks.set(sorted, kept)
  const known = kept.get(role)
  if (known !== undefined) return known
  const order = [...sorted.troubles].sort((a, b) => b.affinity[role] - a.affinity[role])
  kept.set(role, order)
  return order
}

const pickTrouble = (sorted: Material, role: Role, used: Used, picker: Picker): Trouble | undefined => {
  const fresh = ranked(sorted, role).filter(({ text }) => !used.texts.has(text))
  const near = fresh.filter(({ affinity }) => affinity[role] > 0)
  // Mostly what this role cares about, and now and then another matter, so that a list of one role is not all alike.
  return near.length > 0 && picker.next(2) === 0 ? picker.of(near) : picker.of(fresh)
}

/** A statement nobody has read yet, one that speaks of the trouble if there is one. */
const pickStatement = (
  items: ReadonlyArray<Statement>,
  used: Used,
  about: ReadonlySet<string>,
  picker: Picker
): string | undefined => {
  const fresh = items.filter(({ text }) => !used.texts.has(text))
  const near = fresh.filter(({ stems }) => [...about].some((each) => stems.has(each)))
  const fit = near.length > 0 ? near : fresh
  // Each case is as likely as the next, in however many ways it can be told.
  const source = picker.of([...new Set(fit.map((each) => each.source))])
  return picker.of(fit.filter((each) => each.source === source))?.text
}

const nothing: ReadonlySet<string> = new Set()

export interface Scene {
  readonly language: Language
  readonly sorted: Material
  readonly role: Role
  readonly first: string | undefined
  readonly company: string | undefined
  readonly reader: Reader
}

const gift = (offer: Material["offers"][number] | undefined, picker: Picker): Slots =>
  offer === undefined
    ? {}
    : {
        magnet: offer.thing,
        gift: offer.thing + offer.tail,
        short: offer.short,
        ...(offer.service
          ? { give: picker.next(2) === 0 ? "set you up with" : "arrange", gave: "set you up with" }
          : { give: picker.next(2) === 0 ? "send you" : "send over", gave: "sent you" })
      }

const ofCompany = kindOf((template) => template.includes("company"))

const subjectOf = (wording: AngleWording, slots: Slots, used: Used, picker: Picker): string => {
  const fits = (text: string) => {
    if (text.length > 45 || used.subjects.has(text.toLowerCase())) return false
    const count = words(text).length
    return count <= 5 && count >= 2
  }
  // A subject that names the company is the reader's own, so those come first.
  const text =
    (picker.next(8) > 0 ? picker.filled(ofCompany(wording.subjects), slots, fits) : undefined) ??
    picker.filled(wording.subjects, slots, fits) ??
    "A thought for you"
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A quick look at length and rhythm, so that fewer drafts reach the checker only to come back. */
const wellShaped = (text: string, least: number, most: number): boolean => {
  let total = 0
  let size = 0
  let before = 0
  let beforeThat = 0
  let inWord = false
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 32
    if (code !== 32 && code !== 124) {
      inWord = true
      continue
    }
    if (inWord) size++
    inWord = false
    const stop = text.charCodeAt(at - 1)
    // A sentence ends with a full stop or a question mark before a gap, and with the text.
    if (size === 0 || (stop !== 46 && stop !== 63 && at < text.length)) continue
    if (size > 25) return false
    if (beforeThat > 0 && Math.max(size, before, beforeThat) - Math.min(size, before, beforeThat) <= 2) return false
    total += size
    beforeThat = before
    before = size
    size = 0
  }
  return total >= least && total <= most
}

const contraction = /n't|'re |'ve |'ll |'d |\b(?:it|that|there|here)'s /i

// The shape is what most wordings lack, and the cheapest to see.
const wellSaid = (text: string, least: number, most: number): boolean =>
  wellShaped(text, least, most) &&
  contraction.test(text) &&
  (text.match(/\byou/gi)?.length ?? 0) > (text.match(/\b(?:we|us|our|I|me|my)\b/gi)?.length ?? 0)

const namesCompany = kindOf((template) => /\{company\}/i.test(template))
const vouches = kindOf((template) => template.includes("{mark}"))
/** What comes out of the profile, and not from the wording. */
const tells = kindOf((template) => /\{(?:does|change|risk|mark|answer|frustration)\}/.test(template))
const none: ReadonlyArray<Template> = []

export const compose = (
  scene: Scene,
  step: Step,
  used: Used,
  picker: Picker,
  least: number,
  most: number
): Candidate | undefined => {
  const { company, first, language, reader, role, sorted } = scene
  const wording = language.angles[step.angle]
  const own = language.roles[role]
  // A goodbye names the matter and opens no new one.
  const trouble = step.angle === "goodbye" ? undefined : pickTrouble(sorted, role, used, picker)
  const topic =
    trouble === undefined
      ? ((step.angle === "goodbye" && sorted.topics.length > 0 ? used.topic : undefined) ?? picker.of(sorted.topics))
      : (trouble.topic ?? picker.of(sorted.trade))
  const about = trouble?.stems ?? new Set(words(topic?.toLowerCase() ?? "").map(stem))
  const doubt = picker.of(sorted.doubts.filter(({ worry }) => !used.texts.has(worry)))
  const offers = sorted.offers.filter(({ thing }) => !used.texts.has(thing))
  const offer = step.ask === "lead magnet" ? (picker.of(offers) ?? picker.of(sorted.offers)) : undefined
  const fresh = (texts: ReadonlyArray<string>) => picker.of(texts.filter((text) => !used.texts.has(text)))
  // Either the proof or what we do is tied to the opening; both would make every email of a list the same.
  const tied = picker.next(2) === 0
  const proof = pickStatement(sorted.proofs, used, tied ? about : nothing, picker)
  const change = pickStatement(sorted.gains, used, tied ? nothing : about, picker)
  const figures = numbersIn(proof ?? "")
  const slots: Slots = {
    first,
    company,
    our: sorted.our,
    ...reader,
    area: own.area,
    team: own.team,
    burden: picker.of(own.burdens),
    cost: picker.of(own.costs),
    known: own.known,
    // Only of a trouble can be said that it is one of several.
    one: trouble === undefined ? undefined : "one",
    trouble: trouble?.text,
    fact: trouble?.general === true ? undefined : trouble?.text,
    topic,
    proof,
    mark: fresh(sorted.marks),
    does: pickStatement(sorted.does, used, tied ? nothing : about, picker),
    // The same figure twice in one email reads like an echo.
    change: change !== undefined && numbersIn(change).some((figure) => figures.includes(figure)) ? undefined : change,
    risk: fresh(sorted.risks),
    frustration: fresh(sorted.frustrations),
    trigger: picker.of(sorted.triggers),
    worry: doubt?.worry,
    answer: doubt?.answer,
    ...gift(offer, picker)
  }
  const kind = trouble?.kind ?? (topic === undefined ? "bare" : "topic")
  // With no company to name, what starts with one falls away, and with it whole lists: then the plainest will do.
  const openers = wording.openers[kind]
  const named = namesCompany(openers)
  // A long trouble leaves room for few words around it.
  const inOneBreath = (text: string) => wellShaped(text, 0, Number.POSITIVE_INFINITY)
  const opener =
    (picker.next(4) > 0 ? picker.filled(wording.researched, slots, inOneBreath) : undefined) ??
    (picker.next(3) > 0 ? picker.filled(named, slots, inOneBreath) : undefined) ??
    picker.filled(openers, slots, inOneBreath) ??
    picker.filled(openers, slots) ??
    picker.filled(wording.openers.topic, slots) ??
    picker.filled(wording.openers.bare, slots)
  const ask = picker.filled(
    wording.asks[offer === undefined && step.ask === "lead magnet" ? "question" : step.ask],
    slots
  )
  if (opener === undefined || ask === undefined) return undefined
  const unproven = wording.unproven
  // Where results have run out, a certificate or a count still vouches, and anything of ours says more than our words.
  const vouched = slots.mark === undefined ? none : vouches(unproven)
  const telling = tells(unproven)
  const bridges =
    proof !== undefined
      ? wording.proven
      : vouched.length > 0 && picker.next(4) > 0
        ? vouched
        : picker.next(sorted.proofs.length === 0 ? 2 : 6) > 0
          ? telling
          : unproven
  const bridge =
    picker.filled(bridges, slots, (text) => wellSaid(`${opener} ${text} ${ask}`, least, most)) ??
    picker.filled(bridges, slots) ??
    picker.filled(unproven, slots)
  if (bridge === undefined) return undefined
  const greeting =
    (first === undefined ? undefined : picker.filled(language.greeting.named, slots)) ??
    picker.of(language.greeting.unnamed) ??
    ""
  const joined = bridge.split("|")
  const body = [greeting, opener, ...joined, ask].join("\n\n")
  const whole = `${opener} ${bridge} ${ask}`
  return {
    subject: subjectOf(wording, slots, used, picker),
    body,
    topic,
    took: () => {
      const took = Object.values(slots).filter(
        (value): value is string =>
          value !== undefined && value.length > 12 && whole.includes(value) && value !== company && value !== topic
      )
      return trouble === undefined || !whole.toLowerCase().includes(trouble.text.toLowerCase().slice(1))
        ? took
        : [...took, trouble.text]
    }
  }
}
