// scripts/bench/mock.ts: the process of the model server. It returns approved emails unchanged, and the emails of the
// built-in writer for leads it knows, both after a set latency.
import { LLMock } from "@copilotkit/aimock"
import { leadIndexIn } from "./Leads.ts"

export type Email = { readonly subject: string; readonly body: string; readonly facts?: ReadonlyArray<never> }

export type Command =
  | { readonly kind: "emails"; readonly emails: ReadonlyArray<ReadonlyArray<Email>> }
  | { readonly kind: "latency"; readonly millis: number }
  /** Sends the journal, and clears it. */
  | { readonly kind: "journal" }

export type Message =
  | { readonly kind: "ready"; readonly url: string }
  | {
      readonly kind: "journal"
      readonly calls: number
      readonly failed: number
      /** The mean length of a request, in characters. */
      readonly length: number
    }

let emails: ReadonlyArray<ReadonlyArray<Email>> = []
let latency = 0
/** The server's own journal keeps only the last thousand calls. */
let journal = { calls: 0, failed: 0, length: 0 }

const send = (message: Message) => process.send?.(message)

/** The approved emails of a prompt, in the form of a reply. */
const approvedEmailsIn = (prompt: string): ReadonlyArray<Email> | undefined => {
  const [, approvedBlock] = prompt.split("approved_emails:\n")
  return approvedBlock
    ?.split(/\n<\/data-/)[0]
    ?.split(/^--- Email \d+\n/m)
    .slice(1)
    .map((email) => {
      const [subjectLine = "", ...bodyParts] = email.split("\n\n")
      return { subject: subjectLine.replace(/^Subject: /, ""), body: bodyParts.join("\n\n").trim(), facts: [] }
    })
}

const usage = { prompt_tokens: 2400, completion_tokens: 400 }
const server = new LLMock({ port: 0, host: "127.0.0.1" })
server.on({}, async (request) => {
  if (latency > 0) await new Promise((resume) => setTimeout(resume, latency))
  const messages = request.messages.map(({ content }) =>
    typeof content === "string" ? content : JSON.stringify(content)
  )
  const leadIndex = leadIndexIn(messages[1] ?? "")
  const replyEmails = approvedEmailsIn(messages[1] ?? "") ?? (leadIndex === undefined ? undefined : emails[leadIndex])
  journal.calls++
  journal.length += JSON.stringify(request).length
  if (replyEmails === undefined) journal.failed++
  return replyEmails === undefined
    ? { error: { message: "There is no reply for this lead" }, status: 400 }
    : { content: JSON.stringify({ emails: replyEmails }), usage }
})
await server.start()

process.on("message", (command: Command) => {
  if (command.kind === "emails") emails = command.emails
  else if (command.kind === "latency") latency = command.millis
  else {
    const { calls, failed, length } = journal
    send({ kind: "journal", calls, failed, length: Math.round(length / Math.max(1, calls)) })
    journal = { calls: 0, failed: 0, length: 0 }
    server.clearRequests()
  }
})
process.once("disconnect", () => process.exit(0))
send({ kind: "ready", url: `${server.url}/v1` })
