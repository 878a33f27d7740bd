// console/parts/Writer.tsx: what writes the emails, and a banner while the model cannot be reached.
import { useAsk } from "#console/Asking.ts"
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
