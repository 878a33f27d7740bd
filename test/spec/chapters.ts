// test/spec/chapters.ts: the contract, part by part.
import { build } from "./build.ts"
import { campaigns } from "./campaigns.ts"
import { conventions } from "./conventions.ts"
import { credits } from "./credits.ts"
import type { Chapter } from "./Fact.ts"
import { resources } from "./resources.ts"
import { states } from "./states.ts"

export const chapters: ReadonlyArray<Chapter> = [resources, states, conventions, campaigns, build, credits]
