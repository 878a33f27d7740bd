// console/pages/campaign/build/Options.tsx: a step that selects and edits options.
import { useState } from "preact/hooks"
import { Effect, Schema } from "effect"
import type { AssetOption, AssetType } from "#schema/Assets.ts"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import type { Problem } from "#console/Api.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { type Draft, useDraft } from "#console/Draft.ts"
import { AddEntry } from "#console/pages/campaign/build/AddEntry.tsx"
import { OptionCard, OptionTexts } from "#console/pages/campaign/build/OptionCard.tsx"
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
  readonly nextStep: string | undefined
  readonly overview: CampaignOverview
}

/** The ids of the selected options, the edited texts of each option, and remarks. */
const ChosenOptions = Schema.Struct({
  picked: Schema.Array(Schema.String),
  words: Schema.Record(Schema.String, OptionTexts),
  details: Schema.String
})

type ChosenOptions = typeof ChosenOptions.Type

/** The request body. Edits are sent only for selected options that differ from the original. */
const selectionPayload = ({ details, picked, words }: ChosenOptions, options: ReadonlyArray<AssetOption>) => {
  const selected = options.filter((option) => picked.includes(option.id))
  const edited = <K extends keyof OptionTexts>(field: K) =>
    Object.fromEntries(
      selected.flatMap((option) => {
        const editedText = words[option.id]?.[field].trim()
        return editedText === undefined || editedText === option[field] ? [] : [[option.id, editedText]]
      })
    )
  return {
    selected_ids: selected.map((option) => option.id),
    edited_names: edited("name"),
    edited_descriptions: edited("description"),
    ...(details.trim() === "" ? {} : { additional_details: details })
  }
}

/** Carries a selection over to regenerated options, whose ids may be new. Also selects new options that contain `addedText`. */
const carryOverChoice = (
  { details, picked, words }: ChosenOptions,
  previousOptions: ReadonlyArray<AssetOption>,
  newOptions: ReadonlyArray<AssetOption>,
  addedText: string
): ChosenOptions => {
  const pairs = newOptions.map((option) => ({
    option,
    old: previousOptions.find(({ description }) => description === option.description)
  }))
  const isOwn = ({ description, sentence }: AssetOption) =>
    description.includes(addedText) || sentence?.includes(addedText)
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

/** The draft of a step's selection. */
const useChosenOptions = ({ id, overview, options, step }: ChooseProps) => {
  const savedSelection = overview.chosen.selections[step.type]
  return useDraft(`options.${id}.${step.type}`, ChosenOptions, {
    picked: options.flatMap(({ id }) => (savedSelection?.items.some((item) => item.id === id) === true ? [id] : [])),
    words: Object.fromEntries(
      options.map((option) => {
        const { description, name } = savedSelection?.items.find((item) => item.id === option.id) ?? option
        return [option.id, { name, description }]
      })
    ),
    details: savedSelection?.additional_details ?? ""
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
          texts={words[option.id] ?? option}
          checked={picked.includes(option.id)}
          issues={{
            name: issueAt(problem, `edited_names.${option.id}`),
            description: issueAt(problem, `edited_descriptions.${option.id}`)
          }}
          onSelect={(checked) =>
            draft.set((value) => ({
              ...value,
              // Keeps the order of the options, so that selecting an option again is no change.
              picked: options.flatMap(({ id }) =>
                (id === option.id ? checked : value.picked.includes(id)) ? [id] : []
              )
            }))
          }
          onTextsChange={({ description, name }) =>
            draft.set((value) => ({ ...value, words: { ...value.words, [option.id]: { name, description } } }))
          }
        />
      ))}
    </ul>
  )
}

const missingOf = ({ optional }: Step) =>
  optional ? "Choose at least one of them, or choose “Skip this step”." : "Choose at least one of them."

/** Saves the step with or without a selection, and opens the next step. */
const useSaveSelection = ({ nextStep, id, options, step }: ChooseProps, draft: Draft<ChosenOptions>) => {
  const { callApi } = useSession()
  const [isRequiredShown, setRequiredShown] = useState(false)
  const isNone = !options.some((option) => draft.value.picked.includes(option.id))
  const store = async (chosen: ChosenOptions) => {
    const payload = selectionPayload(chosen, options)
    await callApi((api) => api.build.selectAssets({ params: { id, type: step.type }, headers: {}, payload }))
    draft.discard()
    navigate("campaigns", id, "build", nextStep ?? "emails")
  }
  const save = useAction(async () => {
    setRequiredShown(isNone)
    if (!isNone) await store(draft.value)
  })
  const skip = useAction(() => store({ ...draft.value, picked: [] }))
  return { save, skip, missing: isRequiredShown && isNone ? missingOf(step) : undefined }
}

const stepHint = ({ optional }: Step, options: number) => {
  if (!optional) return "Choose at least one."
  return options === 0
    ? "The profile has nothing for this step yet. Add your own, or skip this step."
    : "Choose one or several, or skip this step: the emails then do without."
}

const ChooseOptions = (props: ChooseProps) => {
  const { reload, nextStep, id, options, step } = props
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
            replaceableOptions={options.filter(({ id }) => !draft.value.picked.includes(id))}
            onAdd={(replacedId, texts) =>
              draft.set((chosen) => ({
                ...chosen,
                picked: options.flatMap(({ id }) => (id === replacedId || chosen.picked.includes(id) ? [id] : [])),
                words: { ...chosen.words, [replacedId]: texts }
              }))
            }
          />
        ) : (
          <AddEntry
            id={id}
            type={type}
            onAdded={(newOptions, text) => {
              draft.set((chosen) => carryOverChoice(chosen, options, newOptions, text))
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
          validationMessage={missing}
          fields={options.flatMap(({ id }) => [`edited_names.${id}`, `edited_descriptions.${id}`])}
        >
          {nextStep === undefined ? "Save and build the campaign" : "Save and continue"}
        </SaveStep>
      </Form>
    </>
  )
}

export const OptionsStep = ({ nextStep, id, overview, step }: Props) => {
  const isMade = step.type === "value_proposition"
  const request = useRequest(
    (api) =>
      Effect.gen(function* () {
        // The status is requested first: once it is done, the options are complete.
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
            nextStep={nextStep}
            overview={overview}
            options={options.options}
            reload={request.reload}
          />
        )
      }}
    </WhenLoaded>
  )
}
