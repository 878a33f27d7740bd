// src/stages/Stages.ts: all background work, sorted into lanes.
import { Effect, Layer, Semaphore } from "effect"
import * as Worker from "#layers/jobs/Worker.ts"
import { build } from "#src/stages/Build.ts"
import { documentImport, urlImport } from "#src/stages/Imports.ts"
import { leads } from "#src/stages/Leads.ts"
import { onboarding } from "#src/stages/Onboarding.ts"

/** Batches of leads in work at once; more than one keeps the writers busy while a batch ends. */
const batchesAtOnce = 4

/** Imports in work at once; reading waits for its own threads, and never holds up those who build. */
const importsAtOnce = 4

/**
 * Works on everything there is to do. People wait for what is in the first lane, so a long list in the second never
 * stands in its way. `concurrency` is the number of leads written at once.
 */
export const Stages = (options: { readonly concurrency: number }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const writers = yield* Semaphore.make(options.concurrency)
      const singles = yield* Semaphore.make(options.concurrency)
      return Worker.layer([
        {
          stages: [
            yield* onboarding("workspace.onboarding"),
            yield* onboarding("workspace.regenerate"),
            ...(yield* build),
            yield* leads("list.single", singles)
          ],
          concurrency: 16
        },
        { stages: [yield* documentImport, yield* urlImport], concurrency: importsAtOnce },
        { stages: [yield* leads("list.batch", writers)], concurrency: batchesAtOnce }
      ])
    })
  )
