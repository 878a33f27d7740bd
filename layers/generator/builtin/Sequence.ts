// layers/generator/builtin/Sequence.ts: writes the emails of one lead, tries other words where the checker objects, and keeps the best.
import { type Candidate, compose, type Scene, type Used } from "#layers/generator/builtin/Compose.ts"
import { english } from "#layers/generator/builtin/english/English.ts"
import type { Language } from "#layers/generator/builtin/Language.ts"
import { material, silence } from "#layers/generator/builtin/Material.ts"
import { plan, type Step } from "#layers/generator/builtin/Plan.ts"
import { reader } from "#layers/generator/builtin/Reader.ts"
import { Picker } from "#layers/generator/builtin/Template.ts"
import { approvedAsks, evidenceOf, judge, type Judge } from "#layers/generator/Checker.ts"
import type { Brief, Judged } from "#layers/Generator.ts"
import { openingOf, subjectOf } from "#layers/generator/rules/Across.ts"
import type { Ask, View } from "#layers/generator/rules/Case.ts"
import { hash } from "#layers/text/Text.ts"

interface Chosen {
  readonly draft: Candidate
  readonly view: View
  readonly judged: Pick<Judged, "score" | "findings">
  readonly merit: number
}

const tries = 40

/** What is good enough after so many tries. */
const enough = (attempt: number): number => (attempt < 3 ? 97 : attempt < 6 ? 95 : attempt < 9 ? 90 : 85)

/** What each thing costs that another lead of the list has got: more than any good wording brings in. */
const repetition = 31

const repeats = ({ taken }: Brief): ((view: View) => number) => {
  if (taken === undefined) return () => 0
  const openings = new Set(taken.openings)
  const subjects = new Set(taken.subjects)
  return (view) => Number(openings.has(openingOf(view))) + Number(subjects.has(subjectOf(view)))
}

const merit = (view: View, { findings, score }: Pick<Judged, "score" | "findings">, step: number): number => {
  const failed = findings.some(({ severity }) => severity === "fail")
  const short = step === 1 && view.prose.count < 48 ? 4 : 0
  return failed ? score - 1000 : score - short
}

const best = (
  scene: Scene,
  judged: Judge,
  steps: ReadonlyArray<Step>,
  at: number,
  earlier: ReadonlyArray<View>,
  used: Used,
  seed: string,
  repeated: (view: View) => number
): Chosen | undefined => {
  const step = steps[at]
  if (step === undefined) return undefined
  let kept: Chosen | undefined
  const longest = earlier.at(-1)?.prose.count ?? 90
  const most = at > 0 && at === steps.length - 1 ? Math.min(50, longest) : longest
  // Each leaves room for a shorter one after it.
  const least = at === 0 ? 48 : 25 + 4 * (steps.length - 1 - at)
  for (let attempt = 0; attempt < tries; attempt++) {
    // Late tries give up what a lead brought, in case that is what the checker objects to, and then the profile's own words.
    const late: Scene =
      attempt < 16
        ? scene
        : {
            ...scene,
            company: undefined,
            reader: { doing: undefined, being: undefined },
            first: attempt < 24 ? scene.first : undefined,
            sorted: attempt < 32 ? scene.sorted : silence
          }
    const draft = compose(late, step, used, new Picker(hash(`${seed}\n${at}\n${attempt}`)), least, most)
    if (draft === undefined) continue
    const view = judged.view(draft)
    const loss = at === 0 ? repetition * repeated(view) : 0
    const verdict = judged.one(view, at + 1, steps.length, earlier, kept === undefined ? 0 : kept.merit + loss + 1)
    const worth = merit(view, verdict, at + 1) - loss
    if (kept === undefined || worth > kept.merit) kept = { draft, view, judged: verdict, merit: worth }
    if (kept.merit >= enough(attempt)) return kept
    if (attempt > 14 && kept.merit >= 70) return kept
  }
  return kept
}

/** The emails, or, where no wording passes, what the checker last had against one of them. */
export const write = (
  brief: Brief,
  language: Language = english
): { readonly emails: ReadonlyArray<Judged> } | { readonly failing: string } => {
  const sorted = material(brief.campaign)
  const asked = approvedAsks(brief.approved_ctas)
  const approved: ReadonlySet<Ask> =
    sorted.offers.length === 0
      ? new Set([...asked].map((ask): Ask => (ask === "lead magnet" ? "question" : ask)))
      : asked
  const judged = judge(evidenceOf(brief))
  const { facts } = judged
  const steps = plan(Math.max(1, Math.min(4, Math.trunc(brief.email_count))), approved)
  const scene: Scene = {
    language,
    sorted,
    role: facts.role,
    first: facts.first,
    company: facts.company,
    reader: reader(brief, facts.company)
  }
  const repeated = repeats(brief)
  const used: Used = { texts: new Set(), topic: undefined, subjects: new Set() }
  const views: Array<View> = []
  const emails: Array<Judged> = []
  for (let at = 0; at < steps.length; at++) {
    const chosen = best(scene, judged, steps, at, views, used, brief.seed, repeated)
    const failing = chosen?.judged.findings.find(({ severity }) => severity === "fail")
    if (chosen === undefined || failing !== undefined)
      return { failing: failing === undefined ? "nothing could be written" : `${failing.rule}: ${failing.message}` }
    views.push(chosen.view)
    for (const text of chosen.draft.took()) used.texts.add(text)
    used.topic ??= chosen.draft.topic
    // Half of a result that was told is not news, nor is the whole after its half.
    const told = new Set<string>()
    for (const { contents } of chosen.view.prose.sentences) for (const token of contents) told.add(token)
    for (const { stems, text } of sorted.proofs) {
      let known = 0
      for (const token of stems) if (told.has(token)) known++
      if (known > 0.6 * stems.size) used.texts.add(text)
    }
    used.subjects.add(chosen.draft.subject.toLowerCase())
    emails.push({
      subject: chosen.draft.subject,
      body: chosen.draft.body,
      score: chosen.judged.score,
      findings: chosen.judged.findings
    })
  }
  return { emails }
}
