// layers/generator/builtin/Sequence.ts: the emails of one lead: wordings are tried, and the best is kept.
import type { Brief, Judged } from "#layers/Generator.ts"
import { type Ask, approvedAsks } from "#layers/generator/Asks.ts"
import { materialOf, silence } from "#layers/generator/builtin/Material.ts"
import { type Candidate, compose } from "#layers/generator/builtin/sequence/Compose.ts"
import type { Scene, Used } from "#layers/generator/builtin/sequence/Matter.ts"
import { Picker } from "#layers/generator/builtin/sequence/Picker.ts"
import { reader } from "#layers/generator/builtin/sequence/Reader.ts"
import type { Room } from "#layers/generator/builtin/sequence/Shape.ts"
import { evidenceOf, type Judge, judge } from "#layers/generator/Checker.ts"
import { plan, type Step } from "#layers/generator/Plan.ts"
import { openingOf, subjectOf } from "#layers/generator/rules/Across.ts"
import type { View } from "#layers/generator/rules/View.ts"

interface Chosen {
  readonly draft: Candidate
  readonly view: View
  readonly judged: Pick<Judged, "score" | "findings">
  readonly merit: number
}

/** All that the emails of one lead are written from. */
interface Work {
  readonly scene: Scene
  readonly judge: Judge
  readonly steps: ReadonlyArray<Step>
  readonly seed: string
  /** How many things of a first email another lead of the list has got. */
  readonly repeated: (view: View) => number
}

const tries = 40

/** What is good enough after so many tries. */
const enough = (attempt: number): number => (attempt < 3 ? 97 : attempt < 6 ? 95 : attempt < 9 ? 90 : 85)

/** What each thing costs that another lead of the list has got: more than any good wording brings in. */
const repetition = 31

const repeats = ({ taken }: Brief): Work["repeated"] => {
  if (taken === undefined) return () => 0
  const openings = new Set(taken.openings)
  const subjects = new Set(taken.subjects)
  return (view) => Number(openings.has(openingOf(view))) + Number(subjects.has(subjectOf(view)))
}

const failing = ({ findings }: Pick<Judged, "findings">) => findings.find(({ severity }) => severity === "fail")

const merit = (view: View, judged: Chosen["judged"], step: number): number => {
  if (failing(judged) !== undefined) return judged.score - 1000
  return step === 1 && view.prose.count < 48 ? judged.score - 4 : judged.score
}

/** Each email is no longer than the one before it, and leaves room for a shorter one after it. */
const roomOf = (at: number, steps: ReadonlyArray<Step>, before: View | undefined): Room => {
  const longest = before?.prose.count ?? 90
  return {
    least: at === 0 ? 48 : 25 + 4 * (steps.length - 1 - at),
    most: at > 0 && at === steps.length - 1 ? Math.min(50, longest) : longest
  }
}

/** Late tries give up what a lead brought, in case that is what the checker objects to, and then the profile's own words. */
const sceneOf = (scene: Scene, attempt: number): Scene =>
  attempt < 16
    ? scene
    : {
        ...scene,
        company: undefined,
        reader: { doing: undefined, being: undefined },
        first: attempt < 24 ? scene.first : undefined,
        material: attempt < 32 ? scene.material : silence
      }

/** The best wording of the next email, after those that are there; nothing where none could be made. */
const best = (
  { judge, repeated, scene, seed, steps }: Work,
  earlier: ReadonlyArray<View>,
  used: Used
): Chosen | undefined => {
  const at = earlier.length
  const step = steps[at]
  if (step === undefined) return undefined
  const room = roomOf(at, steps, earlier.at(-1))
  let kept: Chosen | undefined
  for (let attempt = 0; attempt < tries; attempt++) {
    const picker = new Picker(`${seed}\n${at}\n${attempt}`)
    const draft = compose(sceneOf(scene, attempt), step, used, picker, room)
    if (draft === undefined) continue
    const view = judge.view(draft)
    const loss = at === 0 ? repetition * repeated(view) : 0
    const judged = judge.one(view, at + 1, steps.length, earlier, kept === undefined ? 0 : kept.merit + loss + 1)
    const worth = merit(view, judged, at + 1) - loss
    if (kept === undefined || worth > kept.merit) kept = { draft, view, judged, merit: worth }
    if (kept.merit >= enough(attempt)) return kept
    if (attempt > 14 && kept.merit >= 70) return kept
  }
  return kept
}

/** What is said in an email is not said again in the next. */
const use = ({ draft, view }: Chosen, { material }: Scene, used: Used): void => {
  for (const text of draft.took()) used.texts.add(text)
  used.topic ??= draft.topic
  used.subjects.add(draft.subject.toLowerCase())
  // Half of a result that was told is not news, nor is the whole after its half.
  const told = new Set(view.prose.sentences.flatMap(({ contents }) => [...contents]))
  for (const { stems, text } of material.proofs)
    if (stems.intersection(told).size > 0.6 * stems.size) used.texts.add(text)
}

const workOf = (brief: Brief): Work => {
  const material = materialOf(brief.campaign)
  const asked = approvedAsks(brief.approved_ctas)
  const approved: ReadonlySet<Ask> =
    material.offers.length === 0
      ? new Set([...asked].map((ask): Ask => (ask === "lead magnet" ? "question" : ask)))
      : asked
  const judged = judge(evidenceOf(brief))
  const { company, first, role } = judged.lead
  return {
    scene: { material, role, first, company, reader: reader(brief, company) },
    judge: judged,
    steps: plan(Math.max(1, Math.min(4, Math.trunc(brief.email_count))), approved),
    seed: brief.seed,
    repeated: repeats(brief)
  }
}

/** The emails, or, where no wording passes, what the checker last had against one of them. */
export const write = (brief: Brief): { readonly emails: ReadonlyArray<Judged> } | { readonly failing: string } => {
  const work = workOf(brief)
  const used: Used = { texts: new Set(), topic: undefined, subjects: new Set() }
  const chosen: Array<Chosen> = []
  while (chosen.length < work.steps.length) {
    const next = best(
      work,
      chosen.map(({ view }) => view),
      used
    )
    if (next === undefined) return { failing: "nothing could be written" }
    const flaw = failing(next.judged)
    if (flaw !== undefined) return { failing: `${flaw.rule}: ${flaw.message}` }
    use(next, work.scene, used)
    chosen.push(next)
  }
  return {
    emails: chosen.map(({ draft: { body, subject }, judged: { findings, score } }) => ({
      subject,
      body,
      score,
      findings
    }))
  }
}
