// test/support/audiences.ts: a segment that nobody has described, to say only what a test is about.
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
