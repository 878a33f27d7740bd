// test/spec.test.ts: every promise of the contract has a test to its name. The table is in test/spec/, a file for each
// part of the contract; what is checked here is that the tests it names are there.
import { readdirSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { chapters } from "./spec/chapters.ts"

const folders = ["", "/services", "/program", "/postgres"].map((folder) => `${import.meta.dirname}${folder}`)
/** A service and the endpoints over it may have a file each, of the same name. */
const sources = new Map<string, string>()
for (const folder of folders) {
  for (const file of readdirSync(folder).filter((file) => file.endsWith(".test.ts"))) {
    const name = file.replace(".test.ts", "")
    sources.set(name, `${sources.get(name) ?? ""}${readFileSync(`${folder}/${file}`, "utf8")}`)
  }
}

/** Whether the file has a test of this title. */
const has = (proof: string) => {
  const [file = "", title = ""] = proof.split(/: (.*)/s)
  const source = sources.get(file)
  return title !== "" && source !== undefined && [`"${title}"`, `\`${title}\``].some((it) => source.includes(it))
}

it("every promise of the contract names tests that are there", () => {
  const faults = chapters.flatMap(({ facts, title }) =>
    facts.flatMap(([fact, ...proofs]) =>
      proofs.length === 0
        ? [`${title}, ${fact}: no test`]
        : proofs.filter((proof) => !has(proof)).map((proof) => `${title}, ${fact}: ${proof}`)
    )
  )
  assert.deepStrictEqual(faults, [])
  assert.isAbove(chapters.flatMap(({ facts }) => facts).length, 600)
})
