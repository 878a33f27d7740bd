// test/spec/chapters.ts: all chapters of the contract.
import { agent } from "./agent.ts"
import { authentication } from "./authentication.ts"
import { build } from "./build.ts"
import { campaigns } from "./campaigns.ts"
import { conventions } from "./conventions.ts"
import { credits } from "./credits.ts"
import { errors } from "./errors.ts"
import { events } from "./events.ts"
import { generation } from "./generation.ts"
import { jobs } from "./jobs.ts"
import { limits } from "./limits.ts"
import { lists } from "./lists.ts"
import { playbook } from "./playbook.ts"
import { preview } from "./preview.ts"
import { signatures } from "./signatures.ts"
import { versioning } from "./versioning.ts"
import { workspace } from "./workspace.ts"
import type { Chapter } from "./Fact.ts"
import { resources } from "./resources.ts"
import { states } from "./states.ts"

export const chapters: ReadonlyArray<Chapter> = [
  resources,
  states,
  conventions,
  campaigns,
  build,
  playbook,
  generation,
  preview,
  lists,
  jobs,
  signatures,
  workspace,
  agent,
  credits,
  authentication,
  events,
  errors,
  limits,
  versioning
]
