// scripts/bench/mock.ts: a model server that others wrote, in a process of its own. Asked to adapt emails, it returns them
// unchanged; to a lead that it knows it returns what the built-in writer wrote. Both after a set latency.
import { LLMock } from "@copilotkit/aimock"
import { leadIn } from "../Leads.ts"

export type Email = { readonly subject: string; readonly body: string; readonly facts?: ReadonlyArray<never> }

export type Told =
  | { readonly kind: "emails"; readonly emails: ReadonlyArray<ReadonlyArray<Email>> }
  | { readonly kind: "latency"; readonly millis: number }
  /** Answer what the journal holds, and forget it. */
  | { readonly kind: "journal" }

export type Heard =
  | { readonly kind: "ready"; readonly url: string }
  | {
      readonly kind: "journal"
      readonly calls: number
      readonly failed: number
      /** Characters asked, on average. */
      readonly length: number
    }

let emails: ReadonlyArray<ReadonlyArray<Email>> = []
let latency = 0
/** The server's own journal forgets what is older than a thousand calls. */
let journal = { calls: 0, failed: 0, length: 0 }

const tell = (heard: Heard) => process.send?.(heard)

/** The approved emails of a prompt, in the form of an answer. */
const approvedIn = (text: string): ReadonlyArray<Email> | undefined => {
  const [, block] = text.split("approved_emails:\n")
  return block
    ?.split(/\n<\/data-/)[0]
    ?.split(/^--- Email \d+\n/m)
    .slice(1)
    .map((email) => {
      const [head = "", ...rest] = email.split("\n\n")
      return { subject: head.replace(/^Subject: /, ""), body: rest.join("\n\n").trim(), facts: [] }
    })
}

const usage = { prompt_tokens: 2400, completion_tokens: 400 }
const server = new LLMock({ port: 0, host: "127.0.0.1" })
server.on({}, async (request) => {
  if (latency > 0) await new Promise((resume) => setTimeout(resume, latency))
  const texts = request.messages.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
  const lead = leadIn(texts[1] ?? "")
  const said = approvedIn(texts[1] ?? "") ?? (lead === undefined ? undefined : emails[lead])
  journal.calls++
  journal.length += JSON.stringify(request).length
  if (said === undefined) journal.failed++
  return said === undefined
    ? { error: { message: "no answer for this lead" }, status: 400 }
    : { content: JSON.stringify({ emails: said }), usage }
})
await server.start()

process.on("message", (told: Told) => {
  if (told.kind === "emails") emails = told.emails
  else if (told.kind === "latency") latency = told.millis
  else {
    const { calls, failed, length } = journal
    tell({ kind: "journal", calls, failed, length: Math.round(length / Math.max(1, calls)) })
    journal = { calls: 0, failed: 0, length: 0 }
    server.clearRequests()
  }
})
process.once("disconnect", () => process.exit(0))
tell({ kind: "ready", url: `${server.url}/v1` })
