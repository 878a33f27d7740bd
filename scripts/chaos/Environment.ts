// scripts/chaos/Environment.ts: everything that a chaos run starts, and every list, campaign, preview and signature that its
// callers requested, with the outcome.
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { workspaceIn } from "#test/support/program-workspace.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"
import { profile } from "#test/support/model-answers.ts"
import { makeClient, type Send } from "./Client.ts"
import type { Disk } from "./Disk.ts"
import type { Findings } from "./Findings.ts"
import type { Model } from "./Model.ts"
import type { Mail } from "./Mail.ts"
import type { Server } from "./Server.ts"

/** `unknown` if no answer arrived: the request may have been carried out, but only once. */
type Outcome = "accepted" | "refused" | "unknown"

export interface RequestedList {
  readonly name: string
  readonly kind: "single" | "batch"
  readonly emails: ReadonlyArray<string>
  readonly email_count: number
  readonly cost: number
  readonly recipient: string | null
  outcome: Outcome
  id: string | undefined
  deleted: "no" | "unknown" | "yes"
}

export interface RequestedCampaign {
  readonly key: string
  readonly body: { readonly name: string }
  /** How far the server's clock was off when the request was first sent. */
  readonly clockOffsetMillis: number
  outcome: Outcome
  id: string | undefined
}

interface RequestedPreview {
  readonly key: string
  readonly campaign: string
  readonly email_count: number
  readonly clockOffsetMillis: number
  id: string | undefined
}

export interface Workspace {
  readonly id: string
  readonly key: string
  readonly send: Send
  /** A built campaign that no caller deletes. */
  readonly campaign: string
  readonly lists: Array<RequestedList>
  readonly campaigns: Array<RequestedCampaign>
  readonly previews: Array<RequestedPreview>
  readonly signatures: Map<string, Outcome>
}

export interface Environment {
  readonly findings: Findings
  readonly server: Server
  readonly model: Model
  readonly mail: Mail
  readonly disk: Disk
  readonly site: { readonly port: number }
  readonly workspaces: ReadonlyArray<Workspace>
}

/** Creates a workspace with a campaign that the model builds. The server must be running. */
export const createWorkspace = Effect.fnUntraced(function* (
  environment: Pick<Environment, "disk" | "findings" | "server">,
  name: string,
  plan: string
) {
  const { disk, server } = environment
  const profileFile = `${disk.clockFile}.profile`
  writeFileSync(
    profileFile,
    JSON.stringify(Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== null)))
  )
  const flags = ["--plan", plan, "--profile", profileFile]
  const { key, workspace: id } = yield* workspaceIn(disk.data, name, ...flags)
  const workspace: Workspace = {
    id,
    key,
    send: makeClient(environment, key),
    campaign: yield* buildCampaign(apiClient(server.url(), key)),
    lists: [],
    campaigns: [],
    previews: [],
    signatures: new Map()
  }
  return workspace
})

/** Words that are in leads, mail and emails, and must never be in a log. */
export const surname = "Quornby"
export const mailbox = "zzinbox"

let lastNumber = 0
/** A lead that differs from all others. */
export const makeLead = (site: { readonly port: number } | undefined) => {
  const leadNumber = ++lastNumber
  return {
    email: `zzlead${leadNumber}@firm${leadNumber}.chaos.example`,
    name: `Ada ${surname}`,
    title: "Maintenance Manager",
    company: `Firm ${leadNumber} Ltd`,
    ...(site === undefined ? {} : { company_website: `http://firm${leadNumber % 7}.chaos.example:${site.port}` })
  }
}
export const nextNumber = () => ++lastNumber
