// test/support/audiences.ts: a segment that nobody has described and a campaign that has chosen nothing, for tests to say only
// what they are about.
import type { Segment } from "#schema/Audiences.ts"

export const undescribed: Segment = {
  segment_name: "",
  industry_vertical: "",
  company_size: "",
  annual_revenue: "",
  geographic_location: "",
  decision_makers: "",
  additional_details: null
}

export const unchosen = { social_proof: null, lead_magnet: null, risk_reversal: null, value_proposition: null }
