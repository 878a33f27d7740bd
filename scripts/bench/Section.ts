// scripts/bench/Section.ts: what a section of the benchmark is and receives.
import type { Effect, Scope } from "effect"
import type { Material, Wanted } from "./Material.ts"
import type { Model } from "./Model.ts"
import type { Measured } from "./Report.ts"

export interface Bench {
  readonly material: Material
  readonly model: Model
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
  /** The material that the section needs; preparing it takes time. */
  readonly needs?: (quick: boolean) => Partial<Wanted>
  readonly run: (bench: Bench) => Effect.Effect<Measured, never, Scope.Scope>
}
