// console/pages/build/Options.tsx: a step that chooses among options, each of which can be put in other words.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import type { AssetOption, AssetType } from "#schema/Assets.ts"
import type { Stages } from "#schema/BuildStatus.ts"
import { type Overall, type Step } from "#console/Campaigns.ts"
import { useAsk, useDoing } from "#console/Asking.ts"
import { issueAt, Text } from "#console/parts/Fields.tsx"
import { SaveStep } from "#console/pages/build/SaveStep.tsx"
import { Act, Answered, Empty, Trouble, Waiting } from "#console/parts/Parts.tsx"
import { go, to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

interface Words {
  readonly name: string
  readonly description: string
}

interface Props {
  readonly id: string
  readonly step: Step & { readonly type: AssetType }
  readonly after: string | undefined
  readonly of: Overall
}

const Make = ({
  again,
  id,
  of,
  stage
}: Pick<Props, "id" | "of"> & { readonly stage: Stages["value_proposition"]; readonly again: () => void }) => {
  const { ask } = useSession()
  const make = useDoing(async () => {
    // While they are being made, the same job is answered; after a failure another one is wanted.
    await ask((api) => api.build.generateValuePropositions({ params: { id }, headers: {} }))
    again()
  })
  const { chosen } = of
  const open = [
    ...(chosen.target_audience === null ? [["audience", "Audience"] as const] : []),
    ...(chosen.selections.social_proof === null ? [["social_proof", "Social proof"] as const] : []),
    ...(chosen.selections.lead_magnet === null ? [["lead_magnet", "Lead magnet"] as const] : []),
    ...(chosen.selections.risk_reversal === null ? [["risk_reversal", "Risk reversal"] as const] : [])
  ]
  if (stage === "processing") {
    return (
      <Waiting>
        Value propositions are being made from what you chose. This takes a moment, with a model a minute.
      </Waiting>
    )
  }
  if (open.length > 0) {
    return (
      <Empty title="Some steps come before this one">
        Value propositions are made from the other choices. Still open:{" "}
        {open.map(([type, name], i) => (
          <span key={type}>
            {i > 0 && ", "}
            <a href={to("campaigns", id, "build", type)}>{name}</a>
          </span>
        ))}
        .
      </Empty>
    )
  }
  return (
    <Empty
      title={stage === "failed" ? "Making them has failed" : "Everything they need is there"}
      actions={
        <Act kind="primary" doing={make} busy="Asking for them…" onClick={make.start}>
          Make value propositions to choose from
        </Act>
      }
    >
      They are made from your audience, social proof, lead magnet and risk reversal. It costs no credits.
      {make.problem && <Trouble problem={make.problem} />}
    </Empty>
  )
}

const Choice = ({
  checked,
  issues,
  onPick,
  onWords,
  option,
  words
}: {
  readonly option: AssetOption
  readonly words: Words
  readonly checked: boolean
  readonly issues: { readonly name: string | undefined; readonly description: string | undefined }
  readonly onPick: (checked: boolean) => void
  readonly onWords: (words: Words) => void
}) => {
  const [editing, setEditing] = useState(false)
  const edited = words.name !== option.name || words.description !== option.description
  return (
    <li>
      <label class="card">
        <input type="checkbox" checked={checked} onChange={(event) => onPick(event.currentTarget.checked)} />
        <span class="card-text">
          <span class="strong">{words.name}</span>
          {words.description !== words.name && <span>{words.description}</span>}
          {edited && <span class="quiet">In your own words</span>}
        </span>
      </label>
      {checked &&
        (editing || issues.name !== undefined || issues.description !== undefined ? (
          <div class="edit">
            <Text
              label="Name"
              value={words.name}
              issue={issues.name}
              onInput={(name) => onWords({ ...words, name })}
              required
            />
            <Text
              label="What it says"
              rows={3}
              value={words.description}
              issue={issues.description}
              onInput={(description) => onWords({ ...words, description })}
            />
            <div class="actions">
              <button type="button" class="button" onClick={() => setEditing(false)}>
                Done
              </button>
              {edited && (
                <button type="button" class="link" onClick={() => onWords(option)}>
                  Back to the words as they were
                </button>
              )}
            </div>
          </div>
        ) : (
          <button type="button" class="link edit-link" onClick={() => setEditing(true)}>
            Put it in your own words<span class="unseen">: {words.name}</span>
          </button>
        ))}
    </li>
  )
}

const Choose = ({ after, id, of, options, step }: Props & { readonly options: ReadonlyArray<AssetOption> }) => {
  const { ask } = useSession()
  const before = of.chosen.selections[step.type]
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set(before?.items.map((item) => item.id)))
  const [words, setWords] = useState<Readonly<Record<string, Words>>>(() =>
    Object.fromEntries(
      options.map((option) => [option.id, before?.items.find((item) => item.id === option.id) ?? option])
    )
  )
  const [details, setDetails] = useState(before?.additional_details ?? "")
  const [missing, setMissing] = useState<string>()
  const save = useDoing(async () => {
    setMissing(undefined)
    const selected = options.filter((option) => picked.has(option.id))
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
    if (after === undefined) go("campaigns", id)
    else go("campaigns", id, "build", after)
  })
  const issuesOf = (option: string) => ({
    name: issueAt(save.problem, `edited_names.${option}`),
    description: issueAt(save.problem, `edited_descriptions.${option}`)
  })
  const placed = options.some(({ id }) => Object.values(issuesOf(id)).some((issue) => issue !== undefined))
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.start()
      }}
    >
      {options.length === 0 ? (
        <p class="note">
          The profile has nothing of this sort. You can go on without it, or <a href={to("workspace")}>add it</a> and
          have the documents made anew.
        </p>
      ) : (
        <ul class="cards" aria-label={step.name}>
          {options.map((option) => (
            <Choice
              key={option.id}
              option={option}
              words={words[option.id] ?? option}
              checked={picked.has(option.id)}
              issues={issuesOf(option.id)}
              onPick={(checked) =>
                setPicked((picked) => {
                  const next = new Set(picked)
                  if (checked) next.add(option.id)
                  else next.delete(option.id)
                  return next
                })
              }
              onWords={({ description, name }) =>
                setWords((words) => ({ ...words, [option.id]: { name, description } }))
              }
            />
          ))}
        </ul>
      )}
      <div class="form">
        <Text
          label="Anything else the writer should know"
          hint="Not needed."
          rows={2}
          value={details}
          onInput={setDetails}
          issue={issueAt(save.problem, "additional_details")}
        />
      </div>
      <SaveStep save={save} missing={missing} placed={placed}>
        {after === undefined ? "Save and build the campaign" : "Save and go on"}
      </SaveStep>
    </form>
  )
}

export const OptionsStep = ({ after, id, of, step }: Props) => {
  const isMade = step.type === "value_proposition"
  const asked = useAsk(
    (api) =>
      Effect.gen(function* () {
        // In this order: options that are done by the time one is told so are there when they are asked for.
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
          return <Make id={id} of={of} stage={stage} again={asked.again} />
        }
        if (!options.ready) return <Waiting>The options are being made from your profile.</Waiting>
        return <Choose id={id} step={step} after={after} of={of} options={options.options} />
      }}
    </Answered>
  )
}
