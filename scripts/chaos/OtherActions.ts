// scripts/chaos/Errands.ts: everything else that callers do: campaigns, previews, imports, questions, signatures, and
// the same thing asked for once more under its key.
import { type Array as Arr, Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { docx, pdf } from "#test/support/documents.ts"
import { type Answer, form } from "#test/support/wire.ts"
import type { Dice } from "./Dice.ts"
import { type Asked, surname, unique, type Workspace, type World } from "./World.ts"

const day = 24 * 3600_000

/** A key is kept for a day, by a clock that may have jumped since. */
const isKept = (shift: number, { shift: before }: { readonly shift: number }) => Math.abs(shift - before) < day / 2

const create = Effect.fnUntraced(function* ({ findings, server }: World, { campaigns, send }: Workspace, asked: Asked) {
  if (!isKept(server.shift(), asked)) return
  const answer = yield* send("POST", "/campaigns", { body: asked.body, headers: { "idempotency-key": asked.key } })
  // The clock has jumped over the end of the key while it was used: then two campaigns are as right as one.
  if (!isKept(server.shift(), asked) && campaigns.includes(asked)) campaigns.splice(campaigns.indexOf(asked), 1)
  if (answer === undefined || !campaigns.includes(asked)) return
  const { body, status } = answer
  if (status === 201) {
    if (asked.id !== undefined && asked.id !== body.id) findings.broken(`The key ${asked.key} made two campaigns`)
    asked.id = body.id
    asked.outcome = "accepted"
  } else if (asked.outcome === "unknown" && status !== 409) asked.outcome = "refused"
})

/** A campaign, asked for by two callers at once or by one again and again. */
export const campaign = Effect.fnUntraced(function* (world: World, workspace: Workspace, dice: Dice) {
  const n = unique()
  const asked: Asked = {
    key: `campaign-${n}`,
    body: { name: `Campaign ${n}` },
    shift: world.server.shift(),
    outcome: "unknown",
    id: undefined
  }
  workspace.campaigns.push(asked)
  const times = dice.int(1, 3)
  yield* Effect.forEach(Array.from({ length: times }), () => create(world, workspace, asked), {
    concurrency: dice.pick([1, times]),
    discard: true
  })
})

export const repeated = Effect.fnUntraced(function* (world: World, workspace: Workspace, dice: Dice) {
  const asked = workspace.campaigns.at(-dice.int(1, 5))
  if (asked?.outcome === "accepted" && isKept(world.server.shift(), asked)) yield* create(world, workspace, asked)
  const before = workspace.previews.at(-dice.int(1, 5))
  if (before !== undefined && isKept(world.server.shift(), before)) yield* ask(world, workspace, before)
})

const ask = Effect.fnUntraced(function* (
  { findings, server }: World,
  { previews, send }: Workspace,
  asked: Workspace["previews"][number]
) {
  const answer = yield* send("POST", `/campaigns/${asked.campaign}/preview`, {
    body: {
      sample: { headers: ["Email", "First name", "Company"] },
      options: { email_count: asked.email_count, email_signature: `Tom ${surname}` }
    },
    headers: { "idempotency-key": asked.key },
    asksModel: true
  })
  // As above: what is asked for again after that is a preview of its own.
  if (!isKept(server.shift(), asked)) {
    previews.push({ ...asked, key: `${asked.key}, later` })
    return
  }
  if (answer?.status !== 200) return
  if (asked.id !== undefined && asked.id !== answer.body.preview_id) {
    findings.broken(`The key ${asked.key} made two previews`)
  }
  asked.id = answer.body.preview_id
})

export const preview = Effect.fnUntraced(function* (world: World, workspace: Workspace, dice: Dice) {
  const asked = {
    key: `preview-${unique()}`,
    campaign: workspace.campaign,
    email_count: dice.int(1, 2),
    shift: world.server.shift(),
    id: undefined
  }
  workspace.previews.push(asked)
  yield* ask(world, workspace, asked)
})

/** A campaign's whole way, as far as it comes. */
export const build = Effect.fnUntraced(function* (_: World, { send }: Workspace) {
  const ok = (answer: Answer | undefined) => (answer !== undefined && answer.status < 300 ? answer.body : undefined)
  const made = ok(yield* send("POST", "/campaigns", { body: { name: `Built ${unique()}` } }))
  const segments = ok(yield* send("GET", "/target-audiences"))
  if (made === undefined || segments === undefined || segments.data.length === 0) return
  const at = `/campaigns/${made.id}`
  const [{ id, segment_name }] = segments.data
  yield* send("POST", `${at}/target-audience`, { body: { target_audience: { id, segment_name } } })
  for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) {
    const options = ok(yield* send("GET", `${at}/assets/${type}/options`))?.options ?? []
    const selected_ids = options.slice(0, 1).map((option: { id: string }) => option.id)
    yield* send("PUT", `${at}/assets/${type}/selection`, { body: { selected_ids } })
  }
  yield* send("POST", `${at}/assets/value_proposition/generate`)
  for (let tries = 0; tries < 20; tries++) {
    const options = ok(yield* send("GET", `${at}/assets/value_proposition/options`))?.options ?? []
    if (options.length > 0) {
      yield* send("PUT", `${at}/assets/value_proposition/selection`, { body: { selected_ids: [options[0].id] } })
      break
    }
    yield* Effect.sleep(200)
  }
  yield* send("GET", `${at}/build-status`)
  if (made.id.endsWith("7")) yield* send("DELETE", at)
})

export const branch = Effect.fnUntraced(function* (_: World, { campaign, send }: Workspace) {
  const body = { name: `Branch ${unique()}`, branch_from_step: "value-propositions" }
  yield* send("POST", `/campaigns/${campaign}/branch`, { body })
})

const hosts = ["firm1", "slow", "broken", "loop", "big", "nobody.at-all"] as const

export const importUrl = Effect.fnUntraced(function* ({ site }: World, { send }: Workspace, dice: Dice) {
  const host = dice.pick(hosts)
  const url = host.includes(".") ? "http://nobody.example/" : `http://${host}.chaos.example:${site.port}/`
  yield* send("POST", "/workspace/imports/url", { body: { url } })
})

const brochure = readFileSync(join(import.meta.dirname, "../../test/fixtures/brochures/dental.md"), "utf8")
const lines = brochure.split("\n")

/** One document of each kind, and broken ones. */
const documents: Arr.NonEmptyReadonlyArray<{
  readonly name: string
  readonly content: string | Uint8Array<ArrayBuffer>
}> = [
  { name: "binary.md", content: "\u0000\u0001 no text at all" },
  { name: "dental.md", content: brochure },
  { name: "long.txt", content: brochure.repeat(50) },
  { name: "dental.docx", content: docx(lines) },
  { name: "dental.pdf", content: pdf([lines.slice(0, 40), lines.slice(40, 80)]) },
  { name: "broken.pdf", content: pdf([lines.slice(0, 10)]).slice(0, 300) },
  { name: "broken.docx", content: docx(lines).slice(0, 400) }
]

export const importDocument = Effect.fnUntraced(function* (_: World, { send }: Workspace, dice: Dice) {
  const notes = { name: "notes.md", content: `# Notes\nPhone: +44 20 7946 00${dice.int(10, 99)}\n` }
  const { content, name } = dice.chance(0.5) ? notes : dice.pick(documents)
  yield* send("POST", "/workspace/imports/document", { body: form(name, content) })
})

export const chat = Effect.fnUntraced(function* (_: World, { campaign, send }: Workspace) {
  const body = { campaign_id: campaign, message: "What does it cost?" }
  yield* send("POST", "/agent/chat", { body, asksModel: true })
})

export const sign = Effect.fnUntraced(function* (_: World, { send, signatures }: Workspace) {
  const signature_text = `Tom ${surname} ${unique()}`
  signatures.set(signature_text, "unknown")
  const answer = yield* send("POST", "/signatures", { body: { signature_text } })
  if (answer !== undefined) signatures.set(signature_text, answer.status === 201 ? "accepted" : "refused")
})

const pages = [
  "/lists?limit=20",
  "/campaigns",
  "/credits",
  "/conversations",
  "/signatures",
  "/workspace",
  "/workspace/documents",
  "/target-audiences",
  "/health"
] as const

export const look = Effect.fnUntraced(function* (_: World, { send }: Workspace, dice: Dice) {
  yield* send("GET", dice.pick(pages))
})
