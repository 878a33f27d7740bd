// test/spec/chapters.ts: the contract, part by part.
import { credits } from "./credits.ts"
import type { Chapter } from "./Fact.ts"

export const chapters: ReadonlyArray<Chapter> = [credits]
