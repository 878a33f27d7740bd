// console/pages/overview/Credits.tsx: the credits of a limited plan, and a plot of those that were spent.
import { Effect } from "effect"
import type { CreditAccount } from "#schema/Credits.ts"
import { useAsk } from "#console/Asking.ts"
import { Plot } from "#console/pages/overview/Plot.tsx"
import { Answered } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { allowance, day, number } from "#console/parts/Words.ts"

const Credits = ({ account }: { readonly account: CreditAccount }) => {
  const { balance, payg, period, plan, usage } = account
  return (
    <dl class="figures">
      <div>
        <dt>Credits left</dt>
        <dd class="big">{number(balance)}</dd>
      </div>
      <div>
        <dt>Spent in this period</dt>
        <dd>
          {number(usage.credits_used_this_period)} <span class="quiet">{allowance(account)}</span>
        </dd>
      </div>
      <div>
        <dt>Period ends</dt>
        <dd>{day(period.end)}</dd>
      </div>
      <div>
        <dt>Plan</dt>
        <dd class="capital">{plan.tier}</dd>
      </div>
      {payg.enabled && (
        <div>
          <dt>Pay as you go</dt>
          <dd>
            {number(payg.credits_used)} <span class="quiet">{Math.round(payg.pct_of_cap * 100)}% of the cap</span>
          </dd>
        </div>
      )}
    </dl>
  )
}

export const CreditSection = () => {
  const credits = useAsk(
    (api) => Effect.all({ account: api.credits.getCredits(), usage: api.credits.getCreditUsage() }),
    []
  )
  return (
    <Section title="Credits" lead="One for each lead that is written to, two with research; five for a preview.">
      <Answered asked={credits} waiting="Adding up the credits…">
        {({ account, usage }) => (
          <div class="panel">
            <Credits account={account} />
            <Plot usage={usage} />
          </div>
        )}
      </Answered>
    </Section>
  )
}
