// test/client/review.ts: reviews the emails of a lead with `overture/client`, from generate to the export of approved leads; run
// by test/program/examples.test.ts.
import { connect, OvertureError } from "overture/client"

const { CAMPAIGN: id = "", OVERTURE_API_KEY: key = "", OVERTURE_URL: baseUrl = "" } = process.env
const overture = connect({ baseUrl, key })

const email = "ida@northquarry.example"
const { lead_id, list_id } = await overture.generation.generate({
  params: { id },
  payload: {
    lead: { email, name: "Ida Moreau", company: "North Quarry" },
    options: { email_count: 2, email_signature: "Piotr\nKestrel Pumps" }
  }
})
const params = { id: list_id, lead_id }
const read = await overture.review.getLead({ params })

// An edit names the version that was read, and another edit of that version is refused with the current text.
const edit = (subject: string) =>
  overture.review.editEmail({
    params: { ...params, step: 1 },
    payload: { subject, version: read.emails[0]?.version ?? 0 }
  })
const edited = await edit("Unplanned stops")
const conflict = await edit("Something else").catch((error: unknown) => error)
if (!(conflict instanceof OvertureError)) throw new Error("No OvertureError")
const { answer } = conflict
const current =
  answer?.error === "CONFLICT" && answer.detail !== undefined && "email" in answer.detail ? answer.detail.email : null

const rewritten = await overture.review.rewriteLead({ params, payload: { step: 1 } })
const versions = rewritten.emails.map(({ step, version }) => ({ step, version }))
const kept = await overture.review.listEmailVersions({ params: { ...params, step: 1 }, query: { limit: 2 } })
const stale = await overture.review
  .reviewLead({ params, payload: { status: "approved", versions: [{ step: 1, version: edited.version }] } })
  .catch(({ code }: OvertureError) => code)
const approved = await overture.review.reviewLead({ params, payload: { status: "approved", versions } })

const exported = async () => {
  const file = await overture.lists.exportList({
    params: { id: list_id },
    query: { format: "json", review: "approved" }
  })
  if (typeof file === "string") throw new Error("The export is not JSON")
  return file.leads.map(({ sequence }) => sequence[0]?.subject)
}
const subjects = await exported()

const suppressed = await overture.suppressions.addSuppressions({ payload: { entries: [{ value: email }] } })
const listed = await overture.suppressions.listSuppressions({ query: { q: email } })

console.log(
  JSON.stringify({
    read: read.emails.map(({ version }) => version),
    edited: edited.subject,
    conflict: [conflict.status, current?.subject, current?.version],
    rewritten: versions,
    kept: [kept.data.map(({ by, version }) => [version, by]), kept.total],
    stale,
    approved: approved.review.status,
    isCurrent: subjects.length === 1 && subjects[0] === rewritten.emails[0]?.subject,
    suppressed: suppressed.added,
    listed: listed.data.map(({ kind, value }) => [kind, value]),
    left: (await exported()).length
  })
)
