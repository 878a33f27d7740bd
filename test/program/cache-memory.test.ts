// test/program/cache-memory.test.ts: the cache of parsed sentences does not grow with the length of the texts.
import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

const text = new URL("../../layers/text/ParsedProse.ts", import.meta.url).href

/** Runs in a process that ends when its heap takes more than 24 MB. */
const runWithSmallHeap = (code: string) =>
  promisify(execFile)(process.execPath, ["--max-old-space-size=24", "--input-type=module", "--eval", code])

it("parsing hundreds of very long sentences needs no more than 24 MB of heap", async () => {
  const { stdout } = await runWithSmallHeap(`
    import { parseProse } from ${JSON.stringify(text)}
    // The number makes each sentence different.
    for (let index = 0; index < 300; index++) parseProse(["Pump " + "mill stone quarry river ".repeat(500) + index + "."])
    console.log("done")`)
  assert.strictEqual(stdout.trim(), "done")
})
