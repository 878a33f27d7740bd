// test/spec/chapters.ts: the contract, part by part.
import { agent } from "./agent.ts"
import { authentication } from "./authentication.ts"
import { credits } from "./credits.ts"
import { errors } from "./errors.ts"
import { events } from "./events.ts"
import { generation } from "./generation.ts"
import { jobs } from "./jobs.ts"
import { limits } from "./limits.ts"
import { lists } from "./lists.ts"
import { preview } from "./preview.ts"
import { signatures } from "./signatures.ts"
import { versioning } from "./versioning.ts"
import { workspace } from "./workspace.ts"
import type { Chapter } from "./Fact.ts"

export const chapters: ReadonlyArray<Chapter> = [
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
