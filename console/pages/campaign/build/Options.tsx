// console/pages/campaign/build/Options.tsx: a step that chooses among options, each of which can be put in other words.
import { useState } from "preact/hooks"
import { Effect, Schema } from "effect"
import type { AssetOption, AssetType } from "#schema/Assets.ts"
import type { Overall } from "#console/pages/campaign/Overall.ts"
import { useAsk, useDoing } from "#console/Asking.ts"
import { useDraft } from "#console/Draft.ts"
import { Choice, Words } from "#console/pages/campaign/build/Choice.tsx"
import { Propositions } from "#console/pages/campaign/build/Propositions.tsx"
import { SaveStep } from "#console/pages/campaign/build/SaveStep.tsx"
import { Form, issueAt, Text } from "#console/parts/Fields.tsx"
import { Answered, Waiting } from "#console/parts/Notices.tsx"
import { remarksHint, useWriterKind } from "#console/parts/Writer.tsx"
import { go, to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import type { Step } from "#console/pages/campaign/Steps.ts"

interface Props {
  readonly id: string
  readonly step: Step & { readonly type: AssetType }
  readonly after: string | undefined
  readonly of: Overall
}

/** The ids that are picked, each option's words, and remarks. */
const Chosen = Schema.Struct({
  picked: Schema.Array(Schema.String),
  words: Schema.Record(Schema.String, Words),
  details: Schema.String
})

const Choose = ({ after, id, of, options, step }: Props & { readonly options: ReadonlyArray<AssetOption> }) => {
  const { ask } = useSession()
  const before = of.chosen.selections[step.type]
  const draft = useDraft(`options.${id}.${step.type}`, Chosen, {
    picked: options.flatMap(({ id }) => (before?.items.some((item) => item.id === id) === true ? [id] : [])),
    words: Object.fromEntries(
      options.map((option) => {
        const { description, name } = before?.items.find((item) => item.id === option.id) ?? option
        return [option.id, { name, description }]
      })
    ),
    details: before?.additional_details ?? ""
  })
  const { details, picked, words } = draft.value
  const writer = useWriterKind()
  const [missing, setMissing] = useState<string>()
  const save = useDoing(async () => {
    setMissing(undefined)
    const selected = options.filter((option) => picked.includes(option.id))
    if (selected.length === 0 && !step.optional) {
      setMissing("Choose at least one of them.")
      return
    }
    const edited = <K extends keyof Words>(field: K) =>
      Object.fromEntries(
        selected.flatMap((option) => {
          const said = words[option.id]?.[field].trim()
          return said === undefined || said === option[field] ? [] : [[option.id, said]]
        })
      )
    await ask((api) =>
      api.build.selectAssets({
        params: { id, type: step.type },
        headers: {},
        payload: {
          selected_ids: selected.map((option) => option.id),
          edited_names: edited("name"),
          edited_descriptions: edited("description"),
          ...(details.trim() === "" ? {} : { additional_details: details })
        }
      })
    )
    draft.drop()
    go("campaigns", id, "build", after ?? "emails")
  })
  const issuesOf = (option: string) => ({
    name: issueAt(save.problem, `edited_names.${option}`),
    description: issueAt(save.problem, `edited_descriptions.${option}`)
  })
  return (
    <Form onSubmit={save.start}>
      {options.length === 0 ? (
        <p class="note">
          The profile has nothing of this sort. You can continue without it, or <a href={to("workspace")}>add it</a> and
          regenerate the documents.
        </p>
      ) : (
        <>
          <p class="quiet how-many">
            {step.optional
              ? "Choose one or several. None is a choice too: the emails then do without."
              : "Choose at least one."}
          </p>
          <ul class="cards" aria-label={step.name}>
            {options.map((option) => (
              <Choice
                key={option.id}
                option={option}
                words={words[option.id] ?? option}
                checked={picked.includes(option.id)}
                issues={issuesOf(option.id)}
                onPick={(checked) => {
                  setMissing(undefined)
                  draft.set((value) => ({
                    ...value,
                    // In the order of the options, so that what is picked again is no change.
                    picked: options.flatMap(({ id }) =>
                      (id === option.id ? checked : value.picked.includes(id)) ? [id] : []
                    )
                  }))
                }}
                onWords={({ description, name }) =>
                  draft.set((value) => ({ ...value, words: { ...value.words, [option.id]: { name, description } } }))
                }
              />
            ))}
          </ul>
        </>
      )}
      <div class="form">
        <Text
          label="Anything else the writer should know"
          hint={remarksHint("Optional.", writer)}
          rows={2}
          value={details}
          onInput={(details) => draft.set((value) => ({ ...value, details }))}
          issue={issueAt(save.problem, "additional_details")}
        />
      </div>
      <SaveStep
        save={save}
        missing={missing}
        fields={options.flatMap(({ id }) => [`edited_names.${id}`, `edited_descriptions.${id}`])}
      >
        {after === undefined ? "Save and build the campaign" : "Save and continue"}
      </SaveStep>
    </Form>
  )
}

export const OptionsStep = ({ after, id, of, step }: Props) => {
  const isMade = step.type === "value_proposition"
  const asked = useAsk(
    (api) =>
      Effect.gen(function* () {
        // The status is read first: if it says that the options are done, they can be read.
        const status = yield* api.campaigns.getBuildStatus({ params: { id } })
        const options = yield* api.build.listAssetOptions({ params: { id, type: step.type } })
        return { options, status }
      }),
    [id, step.type],
    {
      every: ({ options, status }) =>
        (isMade ? status.stages.value_proposition === "processing" : !options.ready) ? 1500 : undefined
    }
  )
  return (
    <Answered asked={asked} waiting="Looking for the options…">
      {({ options, status }) => {
        const stage = status.stages.value_proposition
        if (isMade && (!options.ready || stage === "processing")) {
          return <Propositions of={of} stage={stage} again={asked.again} />
        }
        if (!options.ready) return <Waiting>The options are being made from your profile.</Waiting>
        return <Choose id={id} step={step} after={after} of={of} options={options.options} />
      }}
    </Answered>
  )
}
