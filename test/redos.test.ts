// test/redos.test.ts: texts on which a regular expression with catastrophic backtracking would run for minutes are processed at once.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { buildIndex } from "#layers/answerer/Index.ts"
import { noChoices } from "#layers/Generator.ts"
import { removeSentence } from "#layers/generator/bymodel/Citations.ts"
import { unknownCompanyClaims } from "#layers/generator/checker/claims/ClientClaims.ts"
import { claimSources } from "#layers/generator/checker/ClaimSources.ts"
import { parseEmail } from "#layers/generator/checker/EmailText.ts"
import { containsForbidden } from "#layers/generator/checker/Wording.ts"
import { firstClause } from "#layers/generator/playbook/SubjectTopics.ts"
import { readTitle } from "#layers/generator/routing/ReadTitle.ts"
import { comparedCompany, isSpelledAlike } from "#layers/generator/companies/CompanyMatch.ts"
import { noSegment } from "#schema/Audiences.ts"
import { listFields, noDetails, textFields } from "#schema/Details.ts"

/** Runs a file in a worker thread, which can be terminated even if it never replies. */
const runInThread = (file: string, workerData: unknown, message?: unknown) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new Worker(new URL(file, import.meta.url), { workerData })),
    (thread) =>
      Effect.promise(async () => {
        const reply = once(thread, "message")
        if (message !== undefined) thread.postMessage(message)
        return (await reply)[0] as unknown
      }),
    (thread) => Effect.promise(() => thread.terminate())
  )

const repeatedLines = (seed: string, end: string) =>
  Array.from({ length: 20 }, () => seed.repeat(4900 / seed.length) + end).join("\n\n")

it.live.each(["Aa-", "A", "Á-a ", "1,", "Aa, "])("a document that only repeats %j is read", (seed) =>
  Effect.gen(function* () {
    for (const end of ["", "\u0001"]) {
      const content = Buffer.from(repeatedLines(seed, end))
      const reply = yield* runInThread("./support/document-reader-thread.ts", undefined, { kind: "txt", content })
      assert.property(reply, "findings")
    }
  })
)

it.live.each(["a", "(", "!", " ", "1"])("the built-in writer writes from a profile that only repeats %j", (seed) =>
  Effect.gen(function* () {
    const long = `${seed.repeat(19_990)}\u0001`
    const profile = {
      ...noDetails,
      ...Object.fromEntries(textFields.map((field) => [field, long])),
      ...Object.fromEntries(listFields.map((field) => [field, Array.from({ length: 7 }, () => long)]))
    }
    assert.include([0, 5], yield* runInThread("./support/writer-thread.ts", profile))
  })
)

const numbers = (length: number) => Array.from({ length }, (_, index) => index)

it("a text that repeats the beginnings of a hundred long phrases is searched for them", () => {
  const phrases = numbers(100).map((index) => `${"- ".repeat(98)}b${index}`)
  assert.isFalse(containsForbidden("- ".repeat(9999), phrases))
  assert.isTrue(containsForbidden(phrases.join(" "), phrases))
})

it.each(["ẞ", "Я", "Яя", "Я-", "Яя ", "Яя & "])(
  "a sentence that only repeats %j is searched for names of clients",
  (seed) => {
    const sentence = parseEmail({ subject: "", body: "" }, null).subjectSentence
    const sources = claimSources({ profile: noDetails, audience: noSegment, ...noChoices }, null)
    const masked = seed.repeat(200_000 / seed.length)
    assert.deepStrictEqual(
      unknownCompanyClaims({ maskedText: masked, sentence }, { sources, reader: [], lead: null }),
      []
    )
  }
)

it("the clients of a hundred long case studies are read", () => {
  const caseStudySentence = (index: number) =>
    `Q${((index * 7919) % 1e6).toString(36)} Foods cut stops by 12 % in 3 days.`
  const case_studies = numbers(100).map((study) =>
    numbers(190)
      .map((index) => caseStudySentence(study * 190 + index))
      .join(" ")
  )
  const profile = { ...noDetails, case_studies }
  const { clients } = claimSources({ profile, audience: noSegment, ...noChoices }, null)
  assert.isAbove(clients.length, 100)
})

it("a company is compared with ten thousand long names that begin alike", () => {
  const long = "abcdefghij".repeat(19)
  const { base } = comparedCompany(`Quantumleep consultings 1holdings internationals ${long}`)
  const names = numbers(10_000).map((index) => `quantumleap consultin ${index}holdings international ${long}`)
  for (const _ of numbers(200)) assert.isFalse(names.some((name) => isSpelledAlike(base, name)))
})

it("names and sentences of thousands of words are not turned into regular expressions", () => {
  const long = "Aa ".repeat(6600).trim()
  const profile = { ...noDetails, case_studies: [`${long} cut stops by 12 % in 3 days.`] }
  const { clients } = claimSources({ profile, audience: noSegment, ...noChoices }, null)
  assert.deepStrictEqual(clients, [])
  assert.strictEqual(removeSentence(`Hi. ${long}`, "Aa ".repeat(20_000)), `Hi. ${long}`)
  const content = `# Acme\n\n## Company name\n\n${"Pumps ".repeat(20_000)}`
  const { ownName } = Effect.runSync(
    buildIndex([{ file_id: "a", filename: "profile.md", source: "profile", link: "/", content }])
  )
  assert.isUndefined(ownName)
})

it("the first clause of a long text is found without parsing it from each position", () => {
  for (const index of numbers(10)) firstClause(`Pumps ${index} stop by night with us and in winter. `.repeat(75))
})

it("only the first twenty words of a job title are read", () => {
  const words = numbers(19).map((index) => `q${index}`)
  assert.strictEqual(readTitle([...words, "welder"].join(" ")).department, "production")
  assert.isNull(readTitle([...words, "other", "welder"].join(" ")).department)
})
