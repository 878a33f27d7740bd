// test/spec.test.ts: every requirement of the contract has a test. The tables in test/spec/, one file for each chapter of the
// contract, name the tests of each requirement; this test checks that those tests exist.
import { readdirSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { chapters } from "./spec/chapters.ts"

const folders = ["", "/services", "/program", "/postgres"].map((folder) => `${import.meta.dirname}${folder}`)
/** The source of each test file by name. Files of the same name in several folders are joined. */
const sources = new Map<string, string>()
for (const folder of folders) {
  for (const file of readdirSync(folder).filter((file) => file.endsWith(".test.ts"))) {
    const name = file.replace(".test.ts", "")
    sources.set(name, `${sources.get(name) ?? ""}${readFileSync(`${folder}/${file}`, "utf8")}`)
  }
}

/** Whether the file has a test of this title. */
const hasTest = (reference: string) => {
  const [file = "", title = ""] = reference.split(/: (.*)/s)
  const source = sources.get(file)
  return (
    title !== "" && source !== undefined && [`"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted))
  )
}

it("every requirement of the contract names tests that exist", () => {
  const problems = chapters.flatMap(({ facts, title }) =>
    facts.flatMap(([requirement, ...references]) =>
      references.length === 0
        ? [`${title}, ${requirement}: no test`]
        : references
            .filter((reference) => !hasTest(reference))
            .map((reference) => `${title}, ${requirement}: ${reference}`)
    )
  )
  assert.deepStrictEqual(problems, [])
  assert.isAbove(chapters.flatMap(({ facts }) => facts).length, 600)
})
