// console/pages/overview/Credits.tsx: the credits of a limited plan, and a plot of those that were spent.
import { Effect } from "effect"
import type { CreditAccount } from "#schema/Credits.ts"
import { useRequest } from "#console/Requests.ts"
import { UsagePlot } from "#console/pages/overview/UsagePlot.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { formatAllowance, formatDay, formatNumber } from "#console/parts/Format.ts"

const Credits = ({ account }: { readonly account: CreditAccount }) => {
  const { balance, payg, period, plan, usage } = account
  return (
    <dl class="figures">
      <div>
        <dt>Credits left</dt>
        <dd class="big">{formatNumber(balance)}</dd>
      </div>
      <div>
        <dt>Spent in this period</dt>
        <dd>
          {formatNumber(usage.credits_used_this_period)} <span class="quiet">{formatAllowance(account)}</span>
        </dd>
      </div>
      <div>
        <dt>Period ends</dt>
        <dd>{formatDay(period.end)}</dd>
      </div>
      <div>
        <dt>Plan</dt>
        <dd class="capital">{plan.tier}</dd>
      </div>
      {payg.enabled && (
        <div>
          <dt>Pay as you go</dt>
          <dd>
            {formatNumber(payg.credits_used)} <span class="quiet">{Math.round(payg.pct_of_cap * 100)}% of the cap</span>
          </dd>
        </div>
      )}
    </dl>
  )
}

export const CreditSection = () => {
  const credits = useRequest(
    (api) => Effect.all({ account: api.credits.getCredits(), usage: api.credits.getCreditUsage() }),
    []
  )
  return (
    <Section title="Credits" lead="One for each lead that is written to, two with research; five for a preview.">
      <WhenLoaded request={credits} waiting="Adding up the credits…">
        {({ account, usage }) => (
          <div class="panel">
            <Credits account={account} />
            <UsagePlot usage={usage} />
          </div>
        )}
      </WhenLoaded>
    </Section>
  )
}
