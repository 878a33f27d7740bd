// console/pages/campaign/build/Options.tsx: a step that chooses among options, each of which can be put in other words.
import { useState } from "preact/hooks"
import { Effect, Schema } from "effect"
import type { AssetOption, AssetType } from "#schema/Assets.ts"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import type { Problem } from "#console/Api.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { type Draft, useDraft } from "#console/Draft.ts"
import { AddEntry } from "#console/pages/campaign/build/AddEntry.tsx"
import { OptionCard, OptionWords } from "#console/pages/campaign/build/OptionCard.tsx"
import { OwnProposition } from "#console/pages/campaign/build/OwnProposition.tsx"
import { MakePropositions } from "#console/pages/campaign/build/Propositions.tsx"
import { SaveStep } from "#console/pages/campaign/build/SaveStep.tsx"
import { Form, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { WhenLoaded, WaitingNotice } from "#console/parts/Notices.tsx"
import { remarksHint, useWriterKind } from "#console/parts/Writer.tsx"
import { navigate } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import { previousStepAddress, type Step } from "#console/pages/campaign/Steps.ts"

interface Props {
  readonly id: string
  readonly step: Step & { readonly type: AssetType }
  readonly after: string | undefined
  readonly overview: CampaignOverview
}

/** The ids that are picked, each option's words, and remarks. */
const ChosenOptions = Schema.Struct({
  picked: Schema.Array(Schema.String),
  words: Schema.Record(Schema.String, OptionWords),
  details: Schema.String
})

type ChosenOptions = typeof ChosenOptions.Type

/** As the API takes it: edits only of what is picked and differs. */
const selectionPayload = ({ details, picked, words }: ChosenOptions, options: ReadonlyArray<AssetOption>) => {
  const selected = options.filter((option) => picked.includes(option.id))
  const edited = <K extends keyof OptionWords>(field: K) =>
    Object.fromEntries(
      selected.flatMap((option) => {
        const said = words[option.id]?.[field].trim()
        return said === undefined || said === option[field] ? [] : [[option.id, said]]
      })
    )
  return {
    selected_ids: selected.map((option) => option.id),
    edited_names: edited("name"),
    edited_descriptions: edited("description"),
    ...(details.trim() === "" ? {} : { additional_details: details })
  }
}

/**
 * What is chosen, moved to options that were made again: their ids may be new. Of options that are
 * new, picks those that hold `text`.
 */
const carryOverChoice = (
  { details, picked, words }: ChosenOptions,
  from: ReadonlyArray<AssetOption>,
  to: ReadonlyArray<AssetOption>,
  text: string
): ChosenOptions => {
  const pairs = to.map((option) => ({
    option,
    old: from.find(({ description }) => description === option.description)
  }))
  const isOwn = ({ description, sentence }: AssetOption) => description.includes(text) || sentence?.includes(text)
  return {
    details,
    picked: pairs.flatMap(({ old, option }) =>
      (old === undefined ? isOwn(option) : picked.includes(old.id)) ? [option.id] : []
    ),
    words: Object.fromEntries(
      pairs.map(({ old, option }) => {
        const { description, name } = (old && words[old.id]) ?? option
        return [option.id, { name, description }]
      })
    )
  }
}

type ChooseProps = Props & { readonly options: ReadonlyArray<AssetOption>; readonly reload: () => void }

/** What is chosen of a step, as a draft until it is saved. */
const useChosenOptions = ({ id, overview, options, step }: ChooseProps) => {
  const before = overview.chosen.selections[step.type]
  return useDraft(`options.${id}.${step.type}`, ChosenOptions, {
    picked: options.flatMap(({ id }) => (before?.items.some((item) => item.id === id) === true ? [id] : [])),
    words: Object.fromEntries(
      options.map((option) => {
        const { description, name } = before?.items.find((item) => item.id === option.id) ?? option
        return [option.id, { name, description }]
      })
    ),
    details: before?.additional_details ?? ""
  })
}

interface CardsProps {
  readonly step: Step
  readonly options: ReadonlyArray<AssetOption>
  readonly draft: Draft<ChosenOptions>
  readonly problem: Problem | undefined
}

const OptionCards = ({ draft, options, problem, step }: CardsProps) => {
  const { picked, words } = draft.value
  return (
    <ul class="cards" aria-label={step.name}>
      {options.map((option) => (
        <OptionCard
          key={option.id}
          option={option}
          words={words[option.id] ?? option}
          checked={picked.includes(option.id)}
          issues={{
            name: issueAt(problem, `edited_names.${option.id}`),
            description: issueAt(problem, `edited_descriptions.${option.id}`)
          }}
          onPick={(checked) =>
            draft.set((value) => ({
              ...value,
              // In the order of the options, so that what is picked again is no change.
              picked: options.flatMap(({ id }) =>
                (id === option.id ? checked : value.picked.includes(id)) ? [id] : []
              )
            }))
          }
          onWords={({ description, name }) =>
            draft.set((value) => ({ ...value, words: { ...value.words, [option.id]: { name, description } } }))
          }
        />
      ))}
    </ul>
  )
}

const missingOf = ({ optional }: Step) =>
  optional ? "Choose at least one of them, or choose “Skip this step”." : "Choose at least one of them."

/** Saves a step with what is chosen, or without a choice, and opens the next. */
const useSaveSelection = ({ after, id, options, step }: ChooseProps, draft: Draft<ChosenOptions>) => {
  const { ask } = useSession()
  const [refused, setRefused] = useState(false)
  const isNone = !options.some((option) => draft.value.picked.includes(option.id))
  const store = async (chosen: ChosenOptions) => {
    const payload = selectionPayload(chosen, options)
    await ask((api) => api.build.selectAssets({ params: { id, type: step.type }, headers: {}, payload }))
    draft.drop()
    navigate("campaigns", id, "build", after ?? "emails")
  }
  const save = useAction(async () => {
    setRefused(isNone)
    if (!isNone) await store(draft.value)
  })
  const skip = useAction(() => store({ ...draft.value, picked: [] }))
  return { save, skip, missing: refused && isNone ? missingOf(step) : undefined }
}

const stepHint = ({ optional }: Step, options: number) => {
  if (!optional) return "Choose at least one."
  return options === 0
    ? "The profile has nothing for this step yet. Add your own, or skip this step."
    : "Choose one or several, or skip this step: the emails then do without."
}

const ChooseOptions = (props: ChooseProps) => {
  const { reload, after, id, options, step } = props
  const draft = useChosenOptions(props)
  const writer = useWriterKind()
  const { missing, save, skip } = useSaveSelection(props, draft)
  const { type } = step
  return (
    <>
      <div class="choose-head">
        <p class="quiet">{stepHint(step, options.length)}</p>
        {type === "value_proposition" ? (
          <OwnProposition
            free={options.filter(({ id }) => !draft.value.picked.includes(id))}
            onOwn={(own, words) =>
              draft.set((chosen) => ({
                ...chosen,
                picked: options.flatMap(({ id }) => (id === own || chosen.picked.includes(id) ? [id] : [])),
                words: { ...chosen.words, [own]: words }
              }))
            }
          />
        ) : (
          <AddEntry
            id={id}
            type={type}
            onAdded={(made, text) => {
              draft.set((chosen) => carryOverChoice(chosen, options, made, text))
              reload()
            }}
          />
        )}
      </div>
      <Form onSubmit={save.start}>
        {options.length > 0 && <OptionCards draft={draft} options={options} problem={save.problem} step={step} />}
        <div class="form">
          <TextInput
            label="Anything else the writer should know"
            hint={remarksHint("Optional.", writer)}
            rows={2}
            value={draft.value.details}
            onInput={(details) => draft.set((value) => ({ ...value, details }))}
            issue={issueAt(save.problem, "additional_details")}
          />
        </div>
        <SaveStep
          save={save}
          back={previousStepAddress(id, type)}
          skip={step.optional ? skip : undefined}
          missing={missing}
          fields={options.flatMap(({ id }) => [`edited_names.${id}`, `edited_descriptions.${id}`])}
        >
          {after === undefined ? "Save and build the campaign" : "Save and continue"}
        </SaveStep>
      </Form>
    </>
  )
}

export const OptionsStep = ({ after, id, overview, step }: Props) => {
  const isMade = step.type === "value_proposition"
  const request = useRequest(
    (api) =>
      Effect.gen(function* () {
        // The status is read first: if it says that the options are done, they can be read.
        const status = yield* api.campaigns.getBuildStatus({ params: { id } })
        const options = yield* api.build.listAssetOptions({ params: { id, type: step.type } })
        return { options, status }
      }),
    [id, step.type],
    {
      pollAfter: ({ options, status }) =>
        (isMade ? status.stages.value_proposition === "processing" : !options.ready) ? 1500 : undefined
    }
  )
  return (
    <WhenLoaded request={request} waiting="Looking for the options…">
      {({ options, status }) => {
        const stage = status.stages.value_proposition
        if (isMade && (!options.ready || stage === "processing")) {
          return <MakePropositions overview={overview} stage={stage} reload={request.reload} />
        }
        if (!options.ready) return <WaitingNotice>The options are being made from your profile.</WaitingNotice>
        return (
          <ChooseOptions
            id={id}
            step={step}
            after={after}
            overview={overview}
            options={options.options}
            reload={request.reload}
          />
        )
      }}
    </WhenLoaded>
  )
}
