// console/pages/campaign/build/Propositions.tsx: has value propositions made, before there are any to choose from.
import type { Stages } from "#schema/BuildStatus.ts"
import type { Overall } from "#console/pages/campaign/Overall.ts"
import { useDoing } from "#console/Asking.ts"
import { Act } from "#console/parts/Act.tsx"
import { Empty, Trouble, Waiting } from "#console/parts/Notices.tsx"
import { to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import { before, isDone, steps } from "#console/pages/campaign/Steps.ts"

interface Props {
  readonly of: Overall
  readonly stage: Stages["value_proposition"]
  readonly again: () => void
}

export const Propositions = ({ again, of, stage }: Props) => {
  const { id } = of.entry
  const { ask } = useSession()
  const make = useDoing(async () => {
    // While they are being made, the same job is answered; after a failure another one is wanted.
    await ask((api) => api.build.generateValuePropositions({ params: { id }, headers: {} }))
    again()
  })
  const open = steps.filter((step) => step.type !== "value_proposition" && !isDone(of, step))
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
        {open.map(({ name, type }, i) => (
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
        <>
          <a class="button" href={before(id, "value_proposition")}>
            Back
          </a>
          <Act kind="primary" doing={make} busy="Asking for them…" onClick={make.start}>
            Make value propositions to choose from
          </Act>
        </>
      }
    >
      They are made from your audience, social proof, lead magnet and risk reversal.
      {make.problem && <Trouble problem={make.problem} />}
    </Empty>
  )
}
