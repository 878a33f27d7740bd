// console/pages/campaign/Build.tsx: the steps that build a campaign, one page each.
import { useEffect, useRef } from "preact/hooks"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import { isDone, type Step, steps } from "#console/pages/campaign/Steps.ts"
import { AudienceStep } from "#console/pages/campaign/build/Audience.tsx"
import { OptionsStep } from "#console/pages/campaign/build/Options.tsx"
import { Emails } from "#console/pages/campaign/emails/Emails.tsx"
import { LockWithoutScope } from "#console/parts/RequireScope.tsx"
import { EmptyNotice, WaitingNotice } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { replaceRoute, routeTo } from "#console/Route.ts"

/** The segment of the address that opens the templates. */
const emailsStep = "emails"

/** The segment of the address that opens the page to write to leads. */
const writeStep = "write"

/** The number of steps after the choices: Templates and Write. */
const lastSteps = 2

/** What a step has chosen, which the page cuts off at the end of the line. */
const chosenText = ({ chosen }: CampaignOverview, { type }: Step) => {
  if (type === "audience") return chosen.target_audience?.segment_name ?? ""
  const names = (chosen.selections[type]?.items ?? []).map(({ name }) => name)
  if (names.length === 0) return "Skipped"
  return names.length === 1 ? names[0] : `${names.length}: ${names.join("; ")}`
}

/** The step to do after the current one: the first that is open, then Templates, then Write. */
const nextStepAfter = (overview: CampaignOverview, current: Step | typeof emailsStep) =>
  steps.find((step) => step !== current && !isDone(overview, step))?.type ??
  (current === emailsStep ? writeStep : emailsStep)

const StepNavigation = ({
  current,
  overview
}: {
  readonly overview: CampaignOverview
  readonly current: Step | typeof emailsStep
}) => {
  const next = nextStepAfter(overview, current)
  const nextNote = <p class="way-note next">Next</p>
  const navRef = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a narrow window the steps are one line that scrolls, so the current one is scrolled into view.
    navRef.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [current])
  return (
    <nav ref={navRef} class="way" aria-label="Steps">
      <ol>
        {steps.map((step) => {
          const done = isDone(overview, step)
          const text = chosenText(overview, step)
          return (
            <li key={step.type} class={done ? "done" : ""}>
              <a
                href={routeTo("campaigns", overview.entry.id, "build", step.type)}
                aria-current={step === current ? "step" : undefined}
              >
                {step.name}
                {done && <span class="unseen">, chosen</span>}
              </a>
              {done ? (
                <p class="way-note" title={text}>
                  {text}
                </p>
              ) : (
                step.type === next && nextNote
              )}
            </li>
          )
        })}
        <li>
          <a
            href={routeTo("campaigns", overview.entry.id, "build", emailsStep)}
            aria-current={current === emailsStep ? "step" : undefined}
          >
            Templates
          </a>
          {next === emailsStep && nextNote}
        </li>
        <li>
          <a href={routeTo("campaigns", overview.entry.id, writeStep)}>Write</a>
          {next === writeStep && nextNote}
        </li>
      </ol>
    </nav>
  )
}

const EmailsStep = ({ overview }: { readonly overview: CampaignOverview }) => {
  const { entry, status } = overview
  const { id } = entry
  return (
    <Page
      class="broad"
      title="Templates"
      within={[entry.name, routeTo("campaigns", id)]}
      lead="The emails of each kind of reader, before a lead’s name and company are filled in. Correct them here; every new list is written from them."
    >
      <StepNavigation overview={overview} current={emailsStep} />
      {status.overall === "ready" ? (
        <Emails key={id} campaign={id} />
      ) : status.overall === "building" ? (
        <WaitingNotice>The templates are being drafted. This takes a moment, with a model a minute.</WaitingNotice>
      ) : (
        <EmptyNotice
          title={status.overall === "failed" ? "The build has failed" : "There are no templates yet"}
          actions={
            <a class="button primary" href={routeTo("campaigns", id, "build", "value_proposition")}>
              Choose value propositions
            </a>
          }
        >
          Templates are drafted once value propositions are chosen.
        </EmptyNotice>
      )}
      <div class="form-end">
        <a class="button" href={routeTo("campaigns", id, "build", "value_proposition")}>
          Back
        </a>
      </div>
    </Page>
  )
}

interface Props {
  readonly overview: CampaignOverview
  readonly step: string | undefined
}

export const Build = ({ overview, step }: Props) => {
  const { chosen, entry, status } = overview
  const { id } = entry
  const currentStep = steps.find(({ type }) => type === step)
  const firstIncompleteStep = steps.find((step) => !isDone(overview, step)) ?? steps[0]
  useEffect(() => {
    if (step !== emailsStep && currentStep === undefined && firstIncompleteStep !== undefined)
      replaceRoute("campaigns", id, "build", firstIncompleteStep.type)
  }, [currentStep])
  if (step === emailsStep) return <EmailsStep overview={overview} />
  if (currentStep === undefined) return null
  const number = steps.indexOf(currentStep) + 1
  const nextStep = steps[number]?.type
  const isBuilt = status.overall === "ready" || status.overall === "building"
  return (
    <Page
      title={currentStep.name}
      within={[entry.name, routeTo("campaigns", id)]}
      lead={
        <>
          Step {number} of {steps.length + lastSteps}. {currentStep.intro}
        </>
      }
    >
      <StepNavigation overview={overview} current={currentStep} />
      {isBuilt && (
        <p class="quiet">
          This campaign is built. A change here sets it back, until you choose value propositions again.
        </p>
      )}
      <LockWithoutScope scope="campaigns:write">
        {currentStep.type === "audience" ? (
          <AudienceStep id={id} chosen={chosen.target_audience} />
        ) : (
          <OptionsStep
            key={currentStep.type}
            id={id}
            step={{ ...currentStep, type: currentStep.type }}
            nextStep={nextStep}
            overview={overview}
          />
        )}
      </LockWithoutScope>
    </Page>
  )
}
