// layers/generator/builtin/sequence/Compose.ts: one wording of one email, out of what it speaks of.
import type { Draft } from "#layers/Generator.ts"
import { angles, greetings } from "#layers/generator/builtin/english/English.ts"
import type { AngleWording, Openers } from "#layers/generator/builtin/english/Wording.ts"
import { capitalized } from "#layers/generator/builtin/grammar/Capitals.ts"
import { type Matter, matterOf, type Scene, type Used } from "#layers/generator/builtin/sequence/Matter.ts"
import type { Picker } from "#layers/generator/builtin/sequence/Picker.ts"
import { type Room, wellSaid, wellShaped } from "#layers/generator/builtin/sequence/Shape.ts"
import { filled, kindOf, type Slots } from "#layers/generator/builtin/sequence/Template.ts"
import type { Step } from "#layers/generator/Plan.ts"
import { wordCount } from "#layers/text/Words.ts"

export interface Candidate extends Draft {
  readonly topic: string | undefined
  /** What of the profile it says. */
  readonly took: () => ReadonlyArray<string>
}

const namesCompany = kindOf((template) => /\{company\}/i.test(template))
const vouches = kindOf((template) => template.includes("{mark}"))
/** What comes out of the profile, and not from the wording. */
const tells = kindOf((template) => /\{(?:does|change|risk|mark|answer|frustration)\}/.test(template))

const anyRoom: Room = { least: 0, most: Number.POSITIVE_INFINITY }
const inOneBreath = (text: string) => wellShaped(text, anyRoom)

const openerOf = (
  { openers, researched }: AngleWording,
  kind: keyof Openers,
  slots: Slots,
  picker: Picker
): string | undefined =>
  (picker.next(4) > 0 ? filled(researched, slots, picker, inOneBreath) : undefined) ??
  (picker.next(3) > 0 ? filled(namesCompany(openers[kind]), slots, picker, inOneBreath) : undefined) ??
  filled(openers[kind], slots, picker, inOneBreath) ??
  // A long trouble leaves room for few words around it.
  filled(openers[kind], slots, picker) ??
  // With no company to name, what starts with one falls away, and with it whole lists: then the plainest will do.
  filled(openers.topic, slots, picker) ??
  filled(openers.bare, slots, picker)

/** Where results have run out, a certificate or a count still vouches, and anything of ours says more than our words. */
const unprovenOf = ({ unproven }: AngleWording, { material }: Scene, slots: Slots, picker: Picker) => {
  const vouched = slots.mark === undefined ? [] : vouches(unproven)
  if (vouched.length > 0 && picker.next(4) > 0) return vouched
  return picker.next(material.proofs.length === 0 ? 2 : 6) > 0 ? tells(unproven) : unproven
}

const bridgeOf = (
  wording: AngleWording,
  scene: Scene,
  slots: Slots,
  picker: Picker,
  fits: (text: string) => boolean
): string | undefined => {
  const bridges = slots.proof === undefined ? unprovenOf(wording, scene, slots, picker) : wording.proven
  return (
    filled(bridges, slots, picker, fits) ?? filled(bridges, slots, picker) ?? filled(wording.unproven, slots, picker)
  )
}

const greetingOf = (slots: Slots, picker: Picker): string =>
  (slots.first === undefined ? undefined : filled(greetings.named, slots, picker)) ?? picker.of(greetings.unnamed) ?? ""

const subjectOf = ({ subjects }: AngleWording, slots: Slots, used: Used, picker: Picker): string => {
  const fits = (text: string) => {
    if (text.length > 45 || used.subjects.has(text.toLowerCase())) return false
    const count = wordCount(text)
    return count <= 5 && count >= 2
  }
  return capitalized(
    // A subject that names the company is the reader's own, so those come first.
    (picker.next(8) > 0 ? filled(namesCompany(subjects), slots, picker, fits) : undefined) ??
      filled(subjects, slots, picker, fits) ??
      "A thought for you"
  )
}

/** What an email has said of the profile, and the others need not say again. */
const tookOf = (said: string, { company }: Scene, { slots, topic, trouble }: Matter): ReadonlyArray<string> => {
  const took = Object.values(slots).filter(
    (value): value is string =>
      value !== undefined && value.length > 12 && said.includes(value) && value !== company && value !== topic
  )
  return trouble !== undefined && said.toLowerCase().includes(trouble.text.toLowerCase().slice(1))
    ? [...took, trouble.text]
    : took
}

export const compose = (scene: Scene, step: Step, used: Used, picker: Picker, room: Room): Candidate | undefined => {
  const wording = angles[step.angle]
  const matter = matterOf(scene, step, used, picker)
  const { slots, topic, trouble } = matter
  const opener = openerOf(wording, trouble?.kind ?? (topic === undefined ? "bare" : "topic"), slots, picker)
  // Who has nothing to give can only ask.
  const kind = step.ask === "lead magnet" && slots.magnet === undefined ? "question" : step.ask
  const ask = filled(wording.asks[kind], slots, picker)
  if (opener === undefined || ask === undefined) return undefined
  const bridge = bridgeOf(wording, scene, slots, picker, (text) => wellSaid(`${opener} ${text} ${ask}`, room))
  if (bridge === undefined) return undefined
  return {
    body: [greetingOf(slots, picker), opener, ...bridge.split("|"), ask].join("\n\n"),
    subject: subjectOf(wording, slots, used, picker),
    topic,
    took: () => tookOf(`${opener} ${bridge} ${ask}`, scene, matter)
  }
}
