// test/spec.test.ts: every promise of the contract has a test to its name. The table is in test/spec/, a file for each
// part of the contract; what is checked here is that the tests it names are there.
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { chapters } from "./spec/chapters.ts"

const sources = new Map(
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => [file.replace(".test.ts", ""), readFileSync(`${import.meta.dirname}/${file}`, "utf8")] as const)
)

/** Whether the file has a test of this title. */
const has = (proof: string) => {
  const [file = "", title = ""] = proof.split(/: (.*)/s)
  const source = sources.get(file)
  return title !== "" && source !== undefined && [`"${title}"`, `\`${title}\``].some((it) => source.includes(it))
}

describe.each(chapters)("$title", ({ facts }) => {
  it.each(facts)("%s", (_, ...proofs) => {
    assert.isNotEmpty(proofs)
    assert.deepStrictEqual(
      proofs.filter((proof) => !has(proof)),
      []
    )
  })
})
