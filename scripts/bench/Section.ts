// scripts/bench/Section.ts: what a section of the benchmark is and receives.
import type { Effect, Scope } from "effect"
import type { TestData, TestDataSize } from "./TestData.ts"
import type { ModelServer } from "./ModelServer.ts"
import type { SectionResult } from "./Report.ts"

export interface Bench {
  readonly testData: TestData
  readonly model: ModelServer
  /** The folder for copies of the store. */
  readonly directory: string
  /** Whether this is the short form, which only checks that everything works. */
  readonly quick: boolean
}

export interface Section {
  readonly name: string
  readonly about: string
  /** The time of the full form, on two cores. */
  readonly minutes: number
  /** The test data that the section needs; preparing it takes time. */
  readonly needs?: (quick: boolean) => Partial<TestDataSize>
  readonly run: (bench: Bench) => Effect.Effect<SectionResult, never, Scope.Scope>
}
