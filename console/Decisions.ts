// console/Decisions.ts: decisions about leads, and undoing the last ones of this tab.
import type { Review, ReviewStatus } from "#schema/ListLeads.ts"
import type { ReviewedLead, ReviewInput } from "#schema/Review.ts"
import { updateLead, type Row } from "#console/LeadOrder.ts"
import { onSignOut, type Session } from "#console/Session.tsx"

type DecidedLead = Pick<Row, "id" | "position" | "name" | "email" | "review">

/** A page that decisions are made on: the lead at a position, or the list. */
export type DecisionPage = number | "list"

export interface Decision {
  readonly list: string
  readonly lead: DecidedLead
  readonly status: ReviewStatus
  /** The page that offers the undo: where the decision was made, or the page it led to. Undefined after another page was opened. */
  page: DecisionPage | undefined
}

/** In the order they were made. */
const decisions: Array<Decision> = []

/** What the last undo did, and the page that says so until another page is opened or a decision is made. */
let lastUndo: { readonly list: string; readonly page: DecisionPage; readonly text: string } | undefined

onSignOut(() => {
  decisions.splice(0)
  lastUndo = undefined
})

const sendDecision = async (
  { callApi }: Session,
  list: string,
  { id }: DecidedLead,
  { note, status, versions = null }: Pick<Review, "status" | "note"> & Pick<ReviewInput, "versions">
) => {
  const reviewed = await callApi((api) =>
    api.review.reviewLead({
      params: { id: list, lead_id: id },
      payload: { status, ...(note === null ? {} : { note }), ...(versions === null ? {} : { versions }) }
    })
  )
  updateLead(list, id, { review: reviewed.review })
  return reviewed
}

export const decideLead = async (
  session: Session,
  list: string,
  lead: DecidedLead,
  {
    note = null,
    page,
    status,
    versions = null
  }: Pick<Decision, "page" | "status"> & Pick<ReviewInput, "versions"> & { readonly note?: string | null }
): Promise<ReviewedLead> => {
  const reviewedLead = await sendDecision(session, list, lead, { status, note, versions })
  decisions.push({ list, lead, status, page })
  lastUndo = undefined
  return reviewedLead
}

/** The last decision about a lead of a list, unless it was undone. */
export const lastDecision = (list: string): Decision | undefined => decisions.findLast((each) => each.list === list)

/** The last decision about a lead of a list, if this page offers to undo it. */
export const undoOfferOn = (list: string, page: DecisionPage): Decision | undefined => {
  const last = lastDecision(list)
  return last?.page === page ? last : undefined
}

/** What the last undo did, if this page says so. */
export const undoneOn = (list: string, page: DecisionPage): string | undefined =>
  lastUndo?.list === list && lastUndo.page === page ? lastUndo.text : undefined

/** Withdraws the undo offer of the last decision when a page is opened that the decision did not lead to. */
export const expireUndoOffer = (list: string, page: DecisionPage) => {
  if (undoneOn(list, page) === undefined) lastUndo = undefined
  const last = lastDecision(list)
  if (last !== undefined && last.page !== page) last.page = undefined
}

/** Moves the undo offer of the last decision to the page that it leads to. */
export const moveUndoOffer = (list: string, page: DecisionPage) => {
  const last = lastDecision(list)
  if (last !== undefined) last.page = page
}

/** Drops the undo offers for single leads of a list after a decision about many leads. */
export const dropUndoOffers = (list: string) => {
  lastUndo = undefined
  for (const each of decisions.filter((each) => each.list === list)) decisions.splice(decisions.indexOf(each), 1)
}

/** Restores the previous review of the lead that was decided last, and returns that lead. The list, or the lead's page, says so. */
export const undoLastDecision = async (
  session: Session,
  list: string,
  page: DecisionPage
): Promise<ReviewedLead | undefined> => {
  const last = lastDecision(list)
  if (last === undefined) {
    lastUndo = { list, page, text: "Nothing to undo: this tab has no earlier decision about a single lead." }
    return undefined
  }
  const restoredLead = await sendDecision(session, list, last.lead, last.lead.review)
  decisions.splice(decisions.indexOf(last), 1)
  const { email, name, position, review } = restoredLead
  lastUndo = {
    list,
    page: page === "list" ? page : position,
    text: `Undone: ${name ?? email} is ${review.status} again.`
  }
  return restoredLead
}
