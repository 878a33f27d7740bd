import { join } from "node:path"
import { defineConfig } from "vitest/config"

/**
 * What is tested on PostgreSQL too: the services, the wire, and what is left of work when a process ends or a write fails.
 * The rest asks no store, or asks it nothing that these do not (naughty, discretion, privacy, roles, demo, telemetry:
 * the program around it), or is about SQLite's: its file, its backups, its log, its
 * groups, its pragmas, its full disk and its lock (outage), and its statements, which isolation reads as they are
 * prepared there and which are the same on both.
 */
const onBoth = `abuse agent atomic audiences auth bodies campaigns campaign-build field-limits clock commands credits documents http-edge-cases enrichment events exports files
  generation generation-admission generation-batch hostile-bodies hostile-http http idempotency imports jobs keeping keys rate-limits lists machine mail marks metrics model-flow outbox
  person playbook poison preview process prune queue resting review sessions signatures slow-readers stop suppression transports verify webhooks workspace zombie`

/** Has schemas compiled, as src/main.ts does. */
const compiled = "effect/schema/SchemaJITCompiler/enable"

// Each file has a process of its own, and many start the program: none compiles again what another has compiled.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.compiled")

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many wait for a process of their own more than they work; by default one of two cores would be left to itself.
    maxWorkers: 2,
    // Whatever key lies about where the tests run, they ask no model of strangers.
    env: { OVERTURE_GENERATOR: "builtin" },
    projects: [
      // No file leaves anything behind that another would find, so that the files of a worker share what they import. Those
      // that start programs, or change node:sqlite for good, have a process each.
      {
        extends: true,
        test: {
          name: "sqlite",
          include: ["test/*.test.ts", "test/services/*.test.ts"],
          setupFiles: compiled,
          isolate: false
        }
      },
      { extends: true, test: { name: "program", include: ["test/program/*.test.ts"], setupFiles: compiled } },
      {
        extends: true,
        test: {
          name: "postgres",
          testTimeout: 180_000,
          include: [
            "test/postgres/*.test.ts",
            ...onBoth.split(/\s+/).map((name) => `test/{,services/,program/}${name}.test.ts`)
          ],
          globalSetup: "test/support/postgres.ts",
          setupFiles: [compiled, "test/support/onPostgres.ts"]
        }
      }
    ]
  }
})
