// console/parts/Writer.tsx: what writes the emails, and a banner while the model cannot be reached.
import { Effect, Option } from "effect"
import { useAsk } from "#console/Asking.ts"
import { Icon } from "#console/parts/Icon.tsx"
import type { Personalization } from "#schema/Playbook.ts"
import type { Writer } from "#schema/Workspace.ts"

/** A person who can change settings has to act; everybody else has to wait. */
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

interface WriterOfProps {
  readonly campaign: string
  /** How the campaign writes to leads, where the page knows it already. */
  readonly personalization?: Personalization
}

/** What writes the emails of one campaign: the built-in writer, a model, or neither where templates are filled in. */
export const WriterOf = ({ campaign, personalization }: WriterOfProps) => {
  const asked = useAsk(
    Effect.fnUntraced(function* (api) {
      const { writer } = yield* api.workspace.getWorkspace()
      if (writer.kind === "builtin" || personalization !== undefined) return { writer, personalization }
      // A campaign that is still being built has no playbook.
      const playbook = yield* Effect.option(api.playbook.getPlaybook({ params: { id: campaign } }))
      return { writer, personalization: Option.getOrUndefined(playbook)?.personalization }
    }),
    [campaign, personalization ?? ""]
  )
  if (asked.state !== "there") return null
  const { personalization: how, writer } = asked.value
  return (
    <p class="writer">
      <Icon name="pen" />
      <span>
        {writer.kind === "builtin" ? (
          <>
            Writer: <strong>built-in</strong>. It fills in the templates of the campaign, without a model.
          </>
        ) : how === "template" ? (
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
  const asked = useAsk((api) => api.workspace.getWorkspace(), [])
  return asked.state === "there" ? asked.value.writer.kind : undefined
}

/** The hint for a remarks field; says beforehand if only a model follows remarks. */
export const remarksHint = (hint: string, writer: Writer["kind"] | undefined) =>
  writer === "builtin"
    ? `${hint} Needs a model: the built-in writer fills in the templates of the Emails step and does not follow remarks.`
    : hint

/** What becomes of a list that is paused because the model cannot be reached. */
export const resumesByItself = "It resumes by itself when the model answers again."
