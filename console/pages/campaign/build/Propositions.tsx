// console/pages/campaign/build/Propositions.tsx: generates the value propositions before there are any to choose from.
import type { Stages } from "#schema/BuildStatus.ts"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import { useAction } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { EmptyNotice, ProblemNotice, WaitingNotice } from "#console/parts/Notices.tsx"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import { previousStepAddress, isDone, steps } from "#console/pages/campaign/Steps.ts"

interface Props {
  readonly overview: CampaignOverview
  readonly stage: Stages["value_proposition"]
  readonly reload: () => void
}

export const MakePropositions = ({ reload, overview, stage }: Props) => {
  const { id } = overview.entry
  const { callApi } = useSession()
  const make = useAction(async () => {
    // No Idempotency-Key: the API returns the running job if there is one, and starts a new one after a failure.
    await callApi((api) => api.build.generateValuePropositions({ params: { id }, headers: {} }))
    reload()
  })
  const incompleteSteps = steps.filter((step) => step.type !== "value_proposition" && !isDone(overview, step))
  if (stage === "processing") {
    return (
      <WaitingNotice>
        Value propositions are being made from what you chose. This takes a moment, with a model a minute.
      </WaitingNotice>
    )
  }
  if (incompleteSteps.length > 0) {
    return (
      <EmptyNotice title="Some steps come before this one">
        Value propositions are made from the other choices. Still open:{" "}
        {incompleteSteps.map(({ name, type }, i) => (
          <span key={type}>
            {i > 0 && ", "}
            <a href={routeTo("campaigns", id, "build", type)}>{name}</a>
          </span>
        ))}
        .
      </EmptyNotice>
    )
  }
  return (
    <EmptyNotice
      title={stage === "failed" ? "Making them has failed" : "Ready to make value propositions"}
      actions={
        <>
          <a class="button" href={previousStepAddress(id, "value_proposition")}>
            Back
          </a>
          <ActionButton kind="primary" action={make} busyLabel="Asking for them…" onClick={make.start}>
            Make value propositions to choose from
          </ActionButton>
        </>
      }
    >
      They are made from your audience, social proof, lead magnet and risk reversal.
      {make.problem && <ProblemNotice problem={make.problem} />}
    </EmptyNotice>
  )
}
