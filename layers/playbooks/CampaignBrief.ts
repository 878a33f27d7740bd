// layers/playbooks/CampaignBrief.ts: the writer's input after a build, including the playbook, and how lists store and share it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Campaign } from "#layers/Generator.ts"
import type { PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPlaybook } from "#layers/generator/playbook/DraftPlaybook.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { type Message, messageParts } from "#schema/Playbook.ts"

/** The JSON in `campaigns.brief`, `briefs.content` and `lists.brief`. */
export interface CampaignBrief {
  readonly campaign: Campaign
  readonly instructions: string
  /** Missing in briefs from before playbooks existed. */
  readonly playbook?: PlaybookSnapshot | undefined
}

/** An id that no stored row has, for a persona or one of its templates. */
const personaId = (persona: number, step = 0, variant = 0) =>
  `00000000-0000-8000-8000-${[persona, step, variant].map((number) => String(number).padStart(4, "0")).join("")}`

const draftSnapshot = (campaign: Campaign): PlaybookSnapshot => ({
  version: 0,
  never_say: [],
  personalization: "adapted",
  personas: draftPlaybook(campaign).map(({ kind, message, name, templates, titles }, index) => ({
    id: personaId(index),
    name,
    kind,
    titles,
    message,
    templates: templates.map((template) => ({
      mark: null,
      ...template,
      id: personaId(index, template.step, template.variant)
    }))
  }))
})

/**
 * The playbook of a brief. A list from before playbooks existed gets a generated one of version 0, always the same,
 * whose ids are not stored.
 */
const toSnapshot = ({ campaign, playbook }: Pick<CampaignBrief, "campaign" | "playbook">): PlaybookSnapshot =>
  playbook ?? draftSnapshot(campaign)

export interface ReadyBrief extends CampaignBrief {
  readonly playbook: PlaybookSnapshot
}

/** Not validated, because only this program writes briefs. */
export const parseBrief = (text: string): ReadyBrief => {
  const brief: CampaignBrief = JSON.parse(text)
  return { ...brief, playbook: toSnapshot(brief) }
}

/** The messages of all personas, joined part by part. */
export const joinMessages = (playbook: PlaybookSnapshot): Message => {
  const joinPart = (key: (typeof messageParts)[number]) =>
    playbook.personas.flatMap(({ message }) => message[key] ?? []).join("\n\n") || null
  return {
    what_we_do: joinPart("what_we_do"),
    problem: joinPart("problem"),
    consequence: joinPart("consequence"),
    proof: joinPart("proof"),
    offer: joinPart("offer"),
    question: joinPart("question")
  }
}

/** SQL for the brief of a row of `lists`. Lists that waited for a build, and lists older than migration 0045, have their own copy. */
export const briefOfList = (sql: SqlClient.SqlClient) =>
  sql.literal(`COALESCE(lists.brief,
    (SELECT content FROM briefs WHERE briefs.id = lists.brief_id AND briefs.workspace_id = lists.workspace_id))`)

/**
 * Lists share briefs: a brief has tens of kilobytes, and each lead that is written while the caller waits has its own list, so a copy
 * per list would be most of the data stored for such a lead.
 */
export const makeSharedBriefs = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // SQLite has a single writer, so reading without a lock is enough.
  const lock = (strength: "KEY SHARE" | "UPDATE") =>
    sql.onDialectOrElse({ pg: () => sql.literal(` FOR ${strength}`), orElse: () => sql.literal("") })
  const shareLock = lock("KEY SHARE")
  const updateLock = lock("UPDATE")

  return {
    /** Stores the campaign's brief under its key, which names the build and the version of the playbook. */
    storeBrief: Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, key: string) {
      // Locked until the commit, so that deleting another list does not delete the brief meanwhile.
      const existing = yield* sql`SELECT id FROM briefs WHERE id = ${key} AND workspace_id = ${workspace}${shareLock}`
      if (existing.length > 0) return
      yield* sql`
        INSERT INTO briefs (id, workspace_id, content)
        SELECT ${key}, workspace_id, brief FROM campaigns WHERE id = ${campaign} AND workspace_id = ${workspace}
        ON CONFLICT (id) DO NOTHING`
    }, Effect.orDie),

    /** Deletes the briefs of deleted lists, except those that other lists have. */
    deleteUnused: Effect.fnUntraced(function* (
      workspace: WorkspaceId,
      deletedLists: ReadonlyArray<{ readonly brief_id: string | null }>
    ) {
      for (const { brief_id } of deletedLists) {
        if (brief_id === null) continue
        yield* sql`SELECT id FROM briefs WHERE id = ${brief_id} AND workspace_id = ${workspace}${updateLock}`
        yield* sql`
          DELETE FROM briefs WHERE id = ${brief_id} AND workspace_id = ${workspace}
            AND NOT EXISTS (SELECT 1 FROM lists WHERE brief_id = ${brief_id} AND workspace_id = ${workspace})`
      }
    }, Effect.orDie)
  }
})
