// console/pages/campaign/build/Audience.tsx: the audience step: selects a saved segment or describes a new one.
import { useState } from "preact/hooks"
import { noSegment, type TargetAudience } from "#schema/Audiences.ts"
import { Schema } from "effect"
import type { Problem } from "#console/Api.ts"
import { useRequest, useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { useDraft } from "#console/Draft.ts"
import { Form, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { previousStepAddress } from "#console/pages/campaign/Steps.ts"
import { SaveStep } from "#console/pages/campaign/build/SaveStep.tsx"
import { joinCommaList, splitCommaList } from "#console/parts/Format.ts"
import { remarksHint, useWriterKind } from "#console/parts/Writer.tsx"
import { navigate, routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const ownAudience = "own"

const fields = [
  ["segment_name", "Name of the segment", "Such as “Mid-size quarries in Poland”."],
  ["industry_vertical", "Industry", undefined],
  ["company_size", "Size of the companies", "In your own words, such as “50 to 250 people”."],
  ["annual_revenue", "Turnover", undefined],
  ["geographic_location", "Where they are", undefined],
  ["decision_makers", "Who decides there", "Job titles, with commas between them."],
  ["additional_details", "Anything else the writer should know", undefined]
] as const
type Field = (typeof fields)[number][0]

const fieldPath = (field: Field) => `target_audience.${field}`

const Typed = Schema.Struct({
  picked: Schema.String,
  segment: Schema.Record(Schema.Literals(fields.map(([field]) => field)), Schema.String)
})

const blankAudience: Readonly<Record<Field, string>> = { ...noSegment, additional_details: "" }

const describeSegment = ({
  annual_revenue,
  company_size,
  decision_makers,
  geographic_location,
  industry_vertical
}: TargetAudience) =>
  [
    ["Industry", industry_vertical],
    ["Size", company_size],
    ["Turnover", annual_revenue],
    ["Where", geographic_location],
    ["Who decides", joinCommaList(decision_makers)]
  ].filter(([, text]) => text !== "")

/** Whether the only segment has nothing but decision makers, because the profile does not describe its clients. */
const hasFewDetails = (segments: ReadonlyArray<TargetAudience>) =>
  segments.length === 1 &&
  segments.every((segment) => describeSegment(segment).every(([name]) => name === "Who decides"))

type TypedSegment = (typeof Typed.Type)["segment"]

/** The request body: the selected segment, or the one the user described. */
const audiencePayload = (chosen: TargetAudience | undefined, customSegment: TypedSegment) => {
  if (chosen !== undefined) return { target_audience: { id: chosen.id, segment_name: chosen.segment_name } }
  const filledFields = Object.fromEntries(
    Object.entries(customSegment)
      .map(([field, text]) => [field, text.trim()])
      .filter(([, text]) => text !== "")
  )
  return {
    is_custom_target_audience: true,
    target_audience: { ...filledFields, decision_makers: splitCommaList(customSegment.decision_makers) }
  }
}

interface SegmentProps {
  readonly segments: ReadonlyArray<TargetAudience>
  readonly selectedId: string
  readonly onSelect: (id: string) => void
}

const SegmentCards = ({ onSelect, selectedId, segments }: SegmentProps) => (
  <fieldset class="cards">
    <legend class="unseen">Segments</legend>
    {segments.map((segment) => (
      <label key={segment.id} class="card">
        <input type="radio" name="segment" checked={selectedId === segment.id} onChange={() => onSelect(segment.id)} />
        <span class="card-text">
          <span class="strong">{segment.segment_name}</span>
          <span class="facts">
            {describeSegment(segment).map(([name, text]) => (
              <span key={name}>
                <span class="quiet">{name}:</span> {text}
              </span>
            ))}
          </span>
        </span>
      </label>
    ))}
    <label class="card">
      <input type="radio" name="segment" checked={selectedId === ownAudience} onChange={() => onSelect(ownAudience)} />
      <span class="card-text">
        <span class="strong">Add your own</span>
        <span>Describe it yourself. It is saved for the next campaign.</span>
      </span>
    </label>
  </fieldset>
)

interface OwnSegmentProps {
  readonly segment: TypedSegment
  readonly problem: Problem | undefined
  readonly onType: (field: Field, text: string) => void
}

const OwnSegment = ({ onType, problem, segment }: OwnSegmentProps) => {
  const writer = useWriterKind()
  return (
    <div class="form own">
      {fields.map(([field, label, hint]) => (
        <TextInput
          key={field}
          label={label}
          hint={field === "additional_details" ? remarksHint("Optional.", writer) : hint}
          value={segment[field]}
          required={field === "segment_name"}
          issue={issueAt(problem, fieldPath(field))}
          {...(field === "additional_details" ? { rows: 3 } : {})}
          onInput={(text) => onType(field, text)}
        />
      ))}
    </div>
  )
}

interface Props {
  readonly id: string
  readonly chosen: TargetAudience | null
}

export const AudienceStep = ({ chosen, id }: Props) => {
  const { callApi } = useSession()
  const draft = useDraft(`audience.${id}`, Typed, { picked: chosen?.id ?? "", segment: blankAudience })
  const { picked, segment: typedSegment } = draft.value
  const setPicked = (picked: string) => {
    setMissing(undefined)
    draft.set((value) => ({ ...value, picked }))
  }
  const [missing, setMissing] = useState<string>()
  const idempotencyHeaders = useIdempotencyHeaders()
  const segments = useRequest(
    (api) => api.target_audiences.listTargetAudiences({ query: { limit: 100, offset: 0 } }),
    []
  )
  const save = useAction(async () => {
    setMissing(undefined)
    if (picked === "") {
      setMissing("Choose one of the segments, or describe your own.")
      return
    }
    const segment = segments.state === "loaded" ? segments.value.data.find(({ id }) => id === picked) : undefined
    const payload = audiencePayload(segment, typedSegment)
    await callApi((api) =>
      api.build.setTargetAudience({ params: { id }, headers: idempotencyHeaders(payload), payload })
    )
    draft.discard()
    navigate("campaigns", id, "build", "social_proof")
  })
  return (
    <WhenLoaded request={segments} waiting="Looking for the segments of your market…">
      {({ data }) => (
        <Form onSubmit={save.start}>
          {hasFewDetails(data) && (
            <p class="note">
              The profile names no kind of clients, so there is one segment for everybody. Emails are more to the point
              for one kind of company: describe it under “Add your own”, or{" "}
              <a href={routeTo("workspace")}>add your clients</a> and regenerate the documents.
            </p>
          )}
          <SegmentCards segments={data} selectedId={picked} onSelect={setPicked} />
          {picked === ownAudience && (
            <OwnSegment
              segment={typedSegment}
              problem={save.problem}
              onType={(field, text) =>
                draft.set((value) => ({ ...value, segment: { ...value.segment, [field]: text } }))
              }
            />
          )}
          <SaveStep
            save={save}
            back={previousStepAddress(id, "audience")}
            validationMessage={missing}
            fields={fields.map(([field]) => fieldPath(field))}
          >
            Save and continue
          </SaveStep>
        </Form>
      )}
    </WhenLoaded>
  )
}
