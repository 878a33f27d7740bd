// scripts/bench/Section.ts: what is common to the sections: each measures one promise and says what it found.
import type { Effect, Scope } from "effect"
import type { Material, Wanted } from "./Material.ts"
import type { Model } from "./Model.ts"
import type { Measured } from "./Report.ts"

export interface Bench {
  readonly material: Material
  readonly model: Model
  /** For the copies of the store. */
  readonly directory: string
  /** Whether it only has to be shown that everything works. */
  readonly quick: boolean
}

export interface Section {
  readonly name: string
  readonly about: string
  /** What the full form takes, on two cores. */
  readonly minutes: number
  /** What of the material it cannot do without; making it takes time. */
  readonly needs?: (quick: boolean) => Partial<Wanted>
  readonly run: (bench: Bench) => Effect.Effect<Measured, never, Scope.Scope>
}
