// console/pages/campaign/Build.tsx: the steps that build a campaign, one page each.
import { useEffect, useRef } from "preact/hooks"
import type { Overall } from "#console/pages/campaign/Overall.ts"
import { isDone, type Step, steps } from "#console/pages/campaign/Steps.ts"
import { AudienceStep } from "#console/pages/campaign/build/Audience.tsx"
import { OptionsStep } from "#console/pages/campaign/build/Options.tsx"
import { Emails } from "#console/pages/campaign/emails/Emails.tsx"
import { Empty, Waiting } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { replace, to } from "#console/Route.ts"

/** The part of the address that leads to the emails. */
const emailsStep = "emails"

const Way = ({ at, of }: { readonly of: Overall; readonly at: Step | typeof emailsStep }) => {
  const way = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a telephone the steps are one line that scrolls.
    way.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [at])
  return (
    <nav ref={way} class="way" aria-label="Steps">
      <ol>
        {steps.map((step) => {
          const done = isDone(of, step)
          return (
            <li key={step.type} class={done ? "done" : ""}>
              <a
                href={to("campaigns", of.entry.id, "build", step.type)}
                aria-current={step === at ? "step" : undefined}
              >
                {step.name}
                {done && <span class="unseen">, chosen</span>}
              </a>
            </li>
          )
        })}
        <li>
          <a
            href={to("campaigns", of.entry.id, "build", emailsStep)}
            aria-current={at === emailsStep ? "step" : undefined}
          >
            Emails
          </a>
        </li>
        <li>
          <a href={to("campaigns", of.entry.id, "write")}>Write</a>
        </li>
      </ol>
    </nav>
  )
}

const EmailsStep = ({ of }: { readonly of: Overall }) => {
  const { entry, status } = of
  const { id } = entry
  return (
    <Page
      class="broad"
      title="Emails"
      within={[entry.name, to("campaigns", id)]}
      lead="What each kind of reader gets. Correct the sentences and the templates; leads are written to from them."
    >
      <Way of={of} at={emailsStep} />
      {status.overall === "ready" ? (
        <Emails key={id} campaign={id} />
      ) : status.overall === "building" ? (
        <Waiting>The emails are being drafted. This takes a moment, with a model a minute.</Waiting>
      ) : (
        <Empty
          title={status.overall === "failed" ? "The build has failed" : "There are no emails yet"}
          actions={
            <a class="button primary" href={to("campaigns", id, "build", "value_proposition")}>
              Choose value propositions
            </a>
          }
        >
          Emails are drafted once value propositions are chosen.
        </Empty>
      )}
      <div class="form-end">
        <a class="button" href={to("campaigns", id, "build", "value_proposition")}>
          Back
        </a>
      </div>
    </Page>
  )
}

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
    if (step !== emailsStep && at === undefined && open !== undefined) replace("campaigns", id, "build", open.type)
  }, [at])
  if (step === emailsStep) return <EmailsStep of={of} />
  if (at === undefined) return null
  const number = steps.indexOf(at) + 1
  const after = steps[number]?.type
  const changes = status.overall === "ready" || status.overall === "building"
  return (
    <Page
      title={at.name}
      within={[entry.name, to("campaigns", id)]}
      lead={
        <>
          Step {number} of {steps.length}. {at.lead}
        </>
      }
    >
      <Way of={of} at={at} />
      {changes && (
        <p class="quiet">
          This campaign is built. A change here sets it back, until you choose value propositions again.
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
