import { join } from "node:path"
import { defineConfig } from "vitest/config"

/**
 * Test files that also run on PostgreSQL: the services, the HTTP API, and what remains of work when a process ends or a
 * write fails. The others do not use the database in a way of their own, or test SQLite itself: its file, backups, log,
 * pragmas, lock and full disk.
 */
const onBoth = `abuse agent atomic audiences auth bodies campaigns campaign-build field-limits clock commands credits documents http-edge-cases enrichment events exports files
  generation generation-admission generation-batch hostile-bodies hostile-http http idempotency imports jobs keeping keys lead-exports rate-limits lists machine mail ai-generated metrics model-flow outbox
  person playbook crashing-leads preview process prune queue pending-list-credits review sessions signatures slow-readers stop suppression transports verify webhooks workspace zombie`

/** Compiles schemas, like src/main.ts does. */
const compiled = "effect/schema/SchemaJITCompiler/enable"

// Many test files start the program in a process: they share compiled code.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.compiled")

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests wait for a process that they started; the default of one worker on two cores would leave a core idle.
    maxWorkers: 2,
    // Tests never send requests to a real model, even if the environment has a key for one.
    env: { OVERTURE_GENERATOR: "builtin" },
    projects: [
      // These files leave no state behind, so the files of a worker share their imports. Files that start programs or
      // change node:sqlite have a process each.
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
