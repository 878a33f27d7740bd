// test/caches.test.ts: what is kept to save time takes no more memory for texts that are long.
import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

const text = new URL("../layers/text/Prose.ts", import.meta.url).href

/** Runs in a process that ends when its heap takes more than 24 MB. */
const small = (code: string) =>
  promisify(execFile)(process.execPath, ["--max-old-space-size=24", "--input-type=module", "--eval", code])

it.each([
  // Each of its own: letters that stand for its number.
  ["sentences", `prose(["Pump " + "mill stone quarry river ".repeat(500) + at + "."])`, 300],
  ["words", `syllables(Buffer.alloc(5000, "b" + at.toString(36)).toString())`, 6000]
])("%s of thousands of letters are not kept by the thousand", async (_, use, times) => {
  const { stdout } = await small(`
    import { prose, syllables } from ${JSON.stringify(text)}
    for (let at = 0; at < ${times}; at++) ${use}
    console.log("done")`)
  assert.strictEqual(stdout.trim(), "done")
})
