import { defineConfig } from "vitest/config"

/**
 * What is tested on PostgreSQL too: the services, the wire, and what is left of work when a process ends. The rest asks
 * no store, or is about SQLite's: its file, its backups, its locks and its pragmas.
 */
const onBoth =
  "abuse agent branch build caps credits direct documents edge events files hostile hostile-wire http idempotency imports jobs keys limiter lists metrics poison preview process prune signatures verify workspace zombie"

/** Has schemas compiled, as src/main.ts does. */
const compiled = "effect/schema/SchemaJITCompiler/enable"

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many wait for a process of their own more than they work; by default one of two cores would be left to itself.
    maxWorkers: 2,
    // Whatever key lies about where the tests run, they ask no model of strangers.
    env: { OVERTURE_GENERATOR: "builtin" },
    projects: [
      { extends: true, test: { name: "sqlite", include: ["test/*.test.ts"], setupFiles: compiled } },
      {
        extends: true,
        test: {
          name: "postgres",
          testTimeout: 180_000,
          include: ["test/postgres/*.test.ts", ...onBoth.split(" ").map((name) => `test/${name}.test.ts`)],
          globalSetup: "test/support/postgres.ts",
          setupFiles: [compiled, "test/support/onPostgres.ts"]
        }
      }
    ]
  }
})
