// console/parts/Writer.tsx: shows which writer or model writes the emails, and a banner while the model is unreachable.
import { Effect, Option } from "effect"
import { useRequest } from "#console/Requests.ts"
import { formatNumber } from "#console/parts/Format.ts"
import { Icon } from "#console/parts/Icon.tsx"
import type { Personalization } from "#schema/Playbook.ts"
import type { Writer } from "#schema/Workspace.ts"

export const ModelBanner = ({ writer }: { readonly writer: Writer }) =>
  writer.answered === false ? (
    <div class="trouble" role="alert">
      <p class="trouble-title">The model cannot be reached</p>
      <p>{writer.problem ?? "It did not answer when it was last asked."}</p>
      <p class="quiet">
        Paused lists resume by themselves when it answers again. The settings are the operator's;{" "}
        <code>overture doctor</code> checks them.
      </p>
    </div>
  ) : null

export const WriterLine = ({ writer }: { readonly writer: Writer }) => (
  <>
    {writer.kind === "model" ? (
      <>
        Emails are written by the model <strong>{writer.model}</strong>.
      </>
    ) : (
      "Emails are written by the built-in writer, without a model."
    )}
  </>
)

const serverNames = {
  openai: "a server with OpenAI's API",
  ollama: "Ollama",
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp"
}

/** The model's settings, read-only, because the operator configures them. */
export const ModelSettings = ({ writer }: { readonly writer: Writer }) => {
  const { model, server } = writer
  if (server === null) return null
  const modelRows = [
    ["Model", model],
    ["Server", server.api === null ? "not reached yet" : serverNames[server.api]],
    ["Host", server.host],
    ["Context", server.context === null ? "the server's" : `${formatNumber(server.context)} tokens`],
    ["Requests at once", server.concurrency === null ? "no limit" : formatNumber(server.concurrency)]
  ] as const
  return (
    <details class="model-settings">
      <summary>Model settings</summary>
      <dl class="chosen">
        {modelRows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">The operator changes them in the server's settings; they hold from its next start.</p>
    </details>
  )
}

interface WriterOfProps {
  readonly campaign: string
  /** The campaign's personalization, if the page has already loaded it. */
  readonly personalization?: Personalization
}

/** Shows what writes a campaign's emails: the built-in writer, a model, or templates alone. */
export const CampaignWriter = ({ campaign, personalization }: WriterOfProps) => {
  const request = useRequest(
    Effect.fnUntraced(function* (api) {
      const { writer } = yield* api.workspace.getWorkspace()
      if (writer.kind === "builtin" || personalization !== undefined) return { writer, personalization }
      // A campaign that is still being built has no playbook.
      const playbook = yield* Effect.option(api.playbook.getPlaybook({ params: { id: campaign } }))
      return { writer, personalization: Option.getOrUndefined(playbook)?.personalization }
    }),
    [campaign, personalization ?? ""]
  )
  if (request.state !== "loaded") return null
  const { personalization: campaignPersonalization, writer } = request.value
  return (
    <p class="writer">
      <Icon name="pen" />
      <span>
        {writer.kind === "builtin" ? (
          <>
            Writer: <strong>built-in</strong>. It fills in the templates of the campaign, without a model.
          </>
        ) : campaignPersonalization === "template" ? (
          <>
            Writer: <strong>templates</strong>. They are filled in without the model {writer.model}, as set under All
            emails.
          </>
        ) : (
          <>
            Writer: <strong>{writer.model}</strong>. The model adapts the templates to each lead.
          </>
        )}
      </span>
    </p>
  )
}

/** What writes the workspace's emails; undefined until the server has answered. */
export const useWriterKind = () => {
  const request = useRequest((api) => api.workspace.getWorkspace(), [])
  return request.state === "loaded" ? request.value.writer.kind : undefined
}

/** The hint of a remarks field. Warns if there is no model to follow remarks. */
export const remarksHint = (hint: string, writer: Writer["kind"] | undefined) =>
  writer === "builtin"
    ? `${hint} Needs a model: the built-in writer fills in the campaign’s templates and does not follow remarks.`
    : hint

/** Shown with a list that is paused because the model is unreachable. */
export const resumesByItself = "It resumes by itself when the model answers again."
