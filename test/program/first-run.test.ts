// test/program/first-run.test.ts: scripts/first-run.ts goes from an empty store to emails within three minutes.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { consoleFiles } from "../support/browser.ts"

const root = join(import.meta.dirname, "../..")

describe("scripts/first-run.ts", () => {
  it.live(
    "goes from an empty store to three emails without findings in under three minutes",
    () =>
      Effect.gen(function* () {
        yield* consoleFiles
        const script = join(root, "scripts/first-run.ts")
        const stdout = yield* Effect.callback<string>((resume) => {
          execFile(process.execPath, [script], { cwd: root }, (error, stdout, stderr) =>
            resume(error === null ? Effect.succeed(stdout) : Effect.die(new Error(`${stdout}${stderr}`)))
          )
        })
        const seconds = Number(/^From an empty store to three emails: ([\d.]+) s$/m.exec(stdout)?.[1])
        assert.isBelow(seconds, 180)
        assert.match(stdout, /^Writer: built-in$/m)
        const emails = stdout.split("\n\n---\n\n")
        assert.lengthOf(emails, 3)
        for (const email of emails) {
          assert.match(email, /Subject:\n\S/)
          assert.include(email, "Hi Sam,")
          assert.include(email, "Tom Hollowell\nHollowell Air")
          assert.match(email, /Findings\n+None\./)
        }
        assert.include(emails[0], "compressed air")
        assert.include(emails[0], "28%")
      }),
    600_000
  )
})
