// test/support/onPostgres.ts: has the tests of a file run on PostgreSQL.
import { inject } from "vitest"

process.env["OVERTURE_TEST_TEMPLATE"] = JSON.stringify(inject("postgres"))
