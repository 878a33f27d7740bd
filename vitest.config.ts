import { defineConfig } from "vitest/config"

/** What is tested on PostgreSQL too. */
const onBoth = ["credits", "files", "idempotency", "lists"]

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Whatever key lies about where the tests run, they ask no model of strangers.
    env: { OVERTURE_GENERATOR: "builtin" },
    projects: [
      { extends: true, test: { name: "sqlite", include: ["test/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "postgres",
          include: ["test/postgres/*.test.ts", ...onBoth.map((name) => `test/${name}.test.ts`)],
          globalSetup: "test/support/postgres.ts"
        }
      }
    ]
  }
})
