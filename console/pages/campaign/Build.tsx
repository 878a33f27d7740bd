// console/pages/campaign/Build.tsx: the steps that build a campaign, one page each.
import { useEffect } from "preact/hooks"
import type { Overall } from "#console/pages/campaign/Overall.ts"
import { isDone, type Step, steps } from "#console/pages/campaign/Steps.ts"
import { AudienceStep } from "#console/pages/campaign/build/Audience.tsx"
import { OptionsStep } from "#console/pages/campaign/build/Options.tsx"
import { Page } from "#console/parts/Page.tsx"
import { replace, to } from "#console/Route.ts"

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
  readonly of: Overall
  readonly step: string | undefined
}

export const Build = ({ of, step }: Props) => {
  const { chosen, entry, status } = of
  const { id } = entry
  const at = steps.find(({ type }) => type === step)
  const open = steps.find((step) => !isDone(of, step)) ?? steps[0]
  useEffect(() => {
    if (at === undefined && open !== undefined) replace("campaigns", id, "build", open.type)
  }, [at])
  if (at === undefined) return null
  const number = steps.indexOf(at) + 1
  const after = steps[number]?.type
  const changes = status.overall === "ready" || status.overall === "building"
  return (
    <Page
      title={at.question}
      within={[entry.name, to("campaigns", id)]}
      lead={
        <>
          Step {number} of {steps.length}. {at.lead}
        </>
      }
    >
      <Way of={of} at={at} />
      {changes && (
        <p class="note">
          This campaign is built. A change here takes it back to being set up, until value propositions are chosen anew.
        </p>
      )}
      {at.type === "audience" ? (
        <AudienceStep id={id} chosen={chosen.target_audience} />
      ) : (
        <OptionsStep key={at.type} id={id} step={{ ...at, type: at.type }} after={after} of={of} />
      )}
    </Page>
  )
}
