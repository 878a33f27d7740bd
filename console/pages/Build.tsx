// console/pages/Build.tsx: the steps that build a campaign, one page each.
import { useEffect } from "preact/hooks"
import type { Overall } from "#console/Campaigns.ts"
import { type Step, steps } from "#console/Campaigns.ts"
import type { Asked } from "#console/Asking.ts"
import { AudienceStep } from "#console/pages/build/Audience.tsx"
import { OptionsStep } from "#console/pages/build/Options.tsx"
import { Page } from "#console/parts/Parts.tsx"
import { replace, to } from "#console/Route.ts"

type There = Extract<Asked<Overall>, { readonly state: "there" }>

const isDone = ({ chosen }: Overall, { type }: Step) =>
  type === "audience" ? chosen.target_audience !== null : chosen.selections[type] !== null

const Way = ({ at, of }: { readonly of: Overall; readonly at: Step }) => (
  <nav class="way" aria-label="Steps">
    <ol>
      {steps.map((step) => {
        const done = isDone(of, step)
        return (
          <li key={step.type} class={done ? "done" : ""}>
            <a href={to("campaigns", of.entry.id, "build", step.type)} aria-current={step === at ? "step" : undefined}>
              {step.name}
              {done && <span class="unseen">, chosen</span>}
            </a>
          </li>
        )
      })}
    </ol>
  </nav>
)

interface Props {
  readonly asked: There
  readonly step: string | undefined
}

export const Build = ({ asked, step }: Props) => {
  const { value } = asked
  const { id } = value.entry
  const at = steps.find(({ type }) => type === step)
  const open = steps.find((step) => !isDone(value, step)) ?? steps[0]
  useEffect(() => {
    if (at === undefined && open !== undefined) replace("campaigns", id, "build", open.type)
  }, [at])
  if (at === undefined) return null
  const number = steps.indexOf(at) + 1
  const after = steps[number]?.type
  const changes = value.status.overall === "ready" || value.status.overall === "building"
  return (
    <Page
      title={at.question}
      within={[value.entry.name, to("campaigns", id)]}
      lead={
        <>
          Step {number} of {steps.length}. {at.lead}
        </>
      }
    >
      <Way of={value} at={at} />
      {changes && (
        <p class="note">
          This campaign is built. A change here takes it back to being set up, until value propositions are chosen anew.
        </p>
      )}
      {at.type === "audience" ? (
        <AudienceStep id={id} chosen={value.chosen.target_audience} />
      ) : (
        <OptionsStep key={at.type} id={id} step={{ ...at, type: at.type }} after={after} of={value} />
      )}
    </Page>
  )
}
