// console/pages/campaign/WritingOptions.tsx: the writing options of previews and lists.
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Effect, Schema } from "effect"
import type { Details } from "#schema/Details.ts"
import type { Writer } from "#schema/Workspace.ts"
import type { Problem } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { useDraft } from "#console/Draft.ts"
import { issueAt, RadioGroup, SelectInput, TextInput, Checkbox } from "#console/parts/Fields.tsx"
import { remarksHint } from "#console/parts/Writer.tsx"
import { routeTo } from "#console/Route.ts"

const ctaOptions = ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"] as const
const meanings: Readonly<Record<(typeof ctaOptions)[number], string>> = {
  "Question CTA": "A question that is easily answered",
  "Lead Magnet CTA": "An offer of the lead magnet",
  "Direct Meeting CTA": "A short meeting"
}

const ownSignature = "own"

const WritingDraft = Schema.Struct({
  email_count: Schema.Int,
  /** The id of a saved signature, or `own` for a typed one. */
  signature: Schema.String,
  text: Schema.String,
  details: Schema.String,
  ctas: Schema.Array(Schema.String),
  enriched: Schema.Boolean
})
type WritingDraft = typeof WritingDraft.Type

/** The defaults until signatures and profile are loaded. */
const plain: WritingDraft = {
  email_count: 3,
  signature: ownSignature,
  text: "",
  details: "",
  ctas: ctaOptions,
  enriched: false
}

/** The signature built from the profile; empty if the profile has no name, company or address. */
export const signatureOf = ({ business_address, company_name, contact_name, contact_title }: Details) =>
  [contact_name, contact_title, company_name, business_address]
    .filter((line) => line !== null && line !== "")
    .join("\n")

/** The draft of the writing options, and the saved signatures to select from. */
export const useWriting = (name: string) => {
  const request = useRequest(
    (api) =>
      Effect.all({
        signatures: api.signatures.listSignatures({ query: { limit: 100, offset: 0 } }),
        workspace: api.workspace.getWorkspace()
      }),
    []
  )
  const defaults: WritingDraft =
    request.state !== "loaded"
      ? plain
      : {
          ...plain,
          signature: request.value.signatures.data[0]?.id ?? ownSignature,
          text: signatureOf(request.value.workspace.details)
        }
  const draft = useDraft(name, WritingDraft, defaults)
  const signatureExists =
    request.state !== "loaded" ||
    draft.value.signature === ownSignature ||
    request.value.signatures.data.some(({ id }) => id === draft.value.signature)
  // The signature of the draft may have been deleted since.
  return {
    known: request,
    draft: signatureExists ? draft : { ...draft, value: { ...draft.value, signature: defaults.signature } }
  }
}

/** The options as the API expects them. */
export const toApiOptions = ({
  ctas: approved_ctas,
  details,
  email_count,
  enriched,
  signature,
  text
}: WritingDraft) => ({
  email_count,
  ...(signature === ownSignature
    ? { email_signature: text.trim().split(/\r?\n/).join("\\n") }
    : { signature_id: signature }),
  ...(details.trim() === "" ? {} : { additional_details: details }),
  ...(approved_ctas.length === ctaOptions.length ? {} : { approved_ctas }),
  ...(enriched ? { enrichment_enabled: true } : {})
})

interface OptionToggle {
  readonly writing: WritingDraft
  readonly onChange: (writing: WritingDraft) => void
}

interface SignatureProps extends OptionToggle {
  readonly signatures: ReadonlyArray<{ readonly id: string; readonly signature_name: string | null }>
  readonly problem: Problem | undefined
}

interface EmailsProps extends OptionToggle {
  readonly problem: Problem | undefined
  /** What writes the emails. */
  readonly writer: Writer["kind"]
  readonly research: ComponentChildren
  /** More fields at the end of “More to say”. */
  readonly children?: ComponentChildren
}

const EmailCount = ({ onChange, writing }: OptionToggle) => (
  <RadioGroup
    label="Emails to each lead"
    value={writing.email_count}
    options={[
      [1, "One"],
      [2, "Two"],
      [3, "Three"],
      [4, "Four"]
    ]}
    onChange={(email_count) => onChange({ ...writing, email_count })}
  />
)

export const SignatureFields = ({ onChange, problem, signatures, writing }: SignatureProps) => (
  <>
    <SelectInput
      label="Signature"
      value={writing.signature}
      options={[
        ...signatures.map(({ id, signature_name }) => [id, signature_name ?? "Without a name"] as const),
        [ownSignature, "Write it here"]
      ]}
      issue={issueAt(problem, "options.signature_id")}
      onChange={(signature) => onChange({ ...writing, signature })}
    />
    {writing.signature === ownSignature && (
      <TextInput
        label="Text of the signature"
        hint={
          <>
            It stands under every email, line by line. <a href={routeTo("workspace")}>Save one</a> to use it again.
          </>
        }
        rows={4}
        value={writing.text}
        issue={issueAt(problem, "options.email_signature")}
        onInput={(text) => onChange({ ...writing, text })}
        required
      />
    )}
  </>
)

/** The paths of the fields in “More to say”. */
const morePaths = ["options.additional_details", "sample.headers"] as const

const More = ({ children, onChange, problem, research, writer, writing }: EmailsProps) => {
  const [isOpen, setIsOpen] = useState(false)
  // A refused field must be in sight.
  const isRefused = morePaths.some((path) => issueAt(problem, path) !== undefined)
  return (
    <details class="more" open={isOpen || isRefused} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>More to say</summary>
      <fieldset class="group">
        <legend>What an email may ask for</legend>
        {ctaOptions.map((cta) => (
          <Checkbox
            key={cta}
            label={meanings[cta]}
            checked={writing.ctas.includes(cta)}
            onChange={(checked) =>
              onChange({
                ...writing,
                ctas: ctaOptions.filter((each) => (each === cta ? checked : writing.ctas.includes(each)))
              })
            }
          />
        ))}
      </fieldset>
      <TextInput
        label="Anything else the writer should know"
        hint={remarksHint("Such as where you met, or what is new.", writer)}
        rows={3}
        value={writing.details}
        issue={issueAt(problem, "options.additional_details")}
        onInput={(details) => onChange({ ...writing, details })}
      />
      <Checkbox
        label="Read the company’s site first"
        hint={research}
        checked={writing.enriched}
        onChange={(enriched) => onChange({ ...writing, enriched })}
      />
      {children}
    </details>
  )
}

/** All writing options except the signature. */
export const EmailFields = (props: EmailsProps) => (
  <>
    <EmailCount {...props} />
    <More {...props} />
  </>
)

export const WritingFields = (props: EmailsProps & SignatureProps) => (
  <>
    <EmailCount {...props} />
    <SignatureFields {...props} />
    <More {...props} />
  </>
)
