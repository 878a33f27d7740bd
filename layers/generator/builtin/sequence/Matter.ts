// layers/generator/builtin/sequence/Matter.ts: what one email speaks of: what is near to its reader, and was not said before.
import { memoize } from "effect/Function"
import { roleWording } from "#layers/generator/builtin/english/Roles.ts"
import type { Material, Statement } from "#layers/generator/builtin/Material.ts"
import type { Offer } from "#layers/generator/builtin/material/Offers.ts"
import type { Trouble } from "#layers/generator/builtin/material/Troubles.ts"
import type { Picker } from "#layers/generator/builtin/sequence/Picker.ts"
import type { Reader } from "#layers/generator/builtin/sequence/Reader.ts"
import type { Slots } from "#layers/generator/builtin/sequence/Template.ts"
import type { Step } from "#layers/generator/Plan.ts"
import { type Role, roles } from "#layers/generator/Roles.ts"
import { numbersIn } from "#layers/text/Specifics.ts"
import { stem, words } from "#layers/text/Words.ts"

/** Who is written to, and out of what. */
export interface Scene {
  readonly material: Material
  readonly role: Role
  readonly first: string | undefined
  readonly company: string | undefined
  readonly reader: Reader
}

/** What the emails before have used up. */
export interface Used {
  readonly texts: Set<string>
  /** What the first email was about. */
  topic: string | undefined
  readonly subjects: Set<string>
}

export interface Matter {
  readonly trouble: Trouble | undefined
  readonly topic: string | undefined
  /** With what a template needs to speak of it. */
  readonly slots: Slots
}

const nearness = ({ affinity }: Trouble, role: Role): number => affinity.get(role) ?? 0

/** For each role the troubles nearest to it first; where none is near, all as they come. */
const ranked = memoize(
  ({ troubles }: Material) =>
    new Map(roles.map((role) => [role, troubles.toSorted((a, b) => nearness(b, role) - nearness(a, role))]))
)

const pickTrouble = ({ material, role }: Scene, used: Used, picker: Picker): Trouble | undefined => {
  const fresh = (ranked(material).get(role) ?? []).filter(({ text }) => !used.texts.has(text))
  const near = fresh.filter((trouble) => nearness(trouble, role) > 0)
  // Mostly what this role cares about, and now and then another matter, so that a list of one role is not all alike.
  return near.length > 0 && picker.next(2) === 0 ? picker.of(near) : picker.of(fresh)
}

/** A goodbye names the matter of the first email; the others that of their own trouble, or what the business is about. */
const pickTopic = (
  { material }: Scene,
  { angle }: Step,
  trouble: Trouble | undefined,
  used: Used,
  picker: Picker
): string | undefined => {
  if (trouble !== undefined) return trouble.topic ?? picker.of(material.trade)
  const known = angle === "goodbye" && material.topics.length > 0 ? used.topic : undefined
  return known ?? picker.of(material.topics)
}

/** A statement nobody has read yet, one that speaks of the trouble if there is one. */
const pickStatement = (
  items: ReadonlyArray<Statement>,
  used: Used,
  about: ReadonlySet<string>,
  picker: Picker
): string | undefined => {
  const fresh = items.filter(({ text }) => !used.texts.has(text))
  const near = fresh.filter(({ stems }) => !about.isDisjointFrom(stems))
  const fit = near.length > 0 ? near : fresh
  // Each case is as likely as the next, in however many ways it can be told.
  const source = picker.of([...new Set(fit.map((each) => each.source))])
  return picker.of(fit.filter((each) => each.source === source))?.text
}

const nothing: ReadonlySet<string> = new Set()

const giftOf = (offer: Offer | undefined, picker: Picker): Slots => {
  if (offer === undefined) return {}
  const { service, short, tail, thing } = offer
  return {
    magnet: thing,
    gift: thing + tail,
    short,
    give: picker.of(service ? ["set you up with", "arrange"] : ["send you", "send over"]),
    gave: service ? "set you up with" : "sent you"
  }
}

export const matterOf = (scene: Scene, step: Step, used: Used, picker: Picker): Matter => {
  const { company, first, material, reader, role } = scene
  const own = roleWording[role]
  const fresh = (texts: ReadonlyArray<string>) => texts.filter((text) => !used.texts.has(text))
  // A goodbye names the matter and opens no new one.
  const trouble = step.angle === "goodbye" ? undefined : pickTrouble(scene, used, picker)
  const topic = pickTopic(scene, step, trouble, used, picker)
  const about = trouble?.stems ?? new Set(words(topic?.toLowerCase() ?? "").map(stem))
  const doubt = picker.of(material.doubts.filter(({ worry }) => !used.texts.has(worry)))
  const offers = material.offers.filter(({ thing }) => !used.texts.has(thing))
  const offer = step.ask === "lead magnet" ? (picker.of(offers) ?? picker.of(material.offers)) : undefined
  // Either the proof or what we do is tied to the opening; both would make every email of a list the same.
  const tied = picker.next(2) === 0
  const proof = pickStatement(material.proofs, used, tied ? about : nothing, picker)
  const change = pickStatement(material.gains, used, tied ? nothing : about, picker)
  const figures = numbersIn(proof ?? "")
  const slots: Slots = {
    first,
    company,
    our: material.our,
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
    mark: picker.of(fresh(material.marks)),
    does: pickStatement(material.does, used, tied ? nothing : about, picker),
    // The same figure twice in one email reads like an echo.
    change: change !== undefined && numbersIn(change).some((figure) => figures.includes(figure)) ? undefined : change,
    risk: picker.of(fresh(material.risks)),
    frustration: picker.of(fresh(material.frustrations)),
    trigger: picker.of(material.triggers),
    worry: doubt?.worry,
    answer: doubt?.answer,
    ...giftOf(offer, picker)
  }
  return { trouble, topic, slots }
}
