// client/Suppressions.ts: adds any number of entries to the suppression list, such as the people who opted out in a lead file.
import { Array as Arr, Effect } from "effect"
import { truncateTo } from "#schema/Fields.ts"
import type { SkippedLine } from "#schema/lead-files/Parser.ts"
import { type ExportedList, maxReason, type SuppressionEntry } from "#schema/Suppressions.ts"
import type { Client } from "#client/Client.ts"

/** Entries per request; a body may have 4 MiB, and entries may have long reasons. */
const entriesPerRequest = 5000

/** Adds the entries, and returns how many are new and the lists of which an exported file has one of them, or may have it. */
export const addSuppressions = Effect.fnUntraced(function* (
  client: Pick<Client, "suppressions">,
  entries: ReadonlyArray<SuppressionEntry>
) {
  let [added, already] = [0, 0]
  const lists = new Map<string, ExportedList>()
  for (const part of Arr.chunksOf(entries, entriesPerRequest)) {
    const answer = yield* client.suppressions.addSuppressions({ headers: {}, payload: { entries: part } })
    added += answer.added
    already += answer.already
    for (const list of answer.exported_lists ?? []) {
      // A file that has one of the addresses counts more than one that may have another.
      const known = lists.get(list.id)
      if (known === undefined || known.maybe === true) lists.set(list.id, list)
    }
  }
  return { added, already, exported_lists: [...lists.values()] }
})

/** Says what to do about the lists of which a file has one of the addresses. */
export const describeExportedList = ({ exported_at, id, maybe, name }: ExportedList) =>
  `A file of “${name ?? id}”, exported ${exported_at}, ${maybe === true ? "may have some of them" : "has some of them"}: remove them in your sending tool too`

/** The entries that suppress the people whose opt-out a column of the file records. */
export const optOutEntries = (lines: ReadonlyArray<SkippedLine>, file: string): ReadonlyArray<SuppressionEntry> =>
  lines.flatMap(({ email, isOptOut, reason }) =>
    isOptOut === true && email !== undefined
      ? [{ value: email, reason: truncateTo(`Opt-out in ${file}: ${reason}`, maxReason) }]
      : []
  )
