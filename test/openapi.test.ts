// test/openapi.test.ts: the reference that is made from the contract.
import { assert, it } from "@effect/vitest"
import { OpenApi } from "effect/http-api"
import { Api } from "#schema/Api.ts"
import { summaries } from "#schema/Summaries.ts"

const document: Record<string, any> = OpenApi.fromApi(Api)
const operations: ReadonlyArray<any> = Object.values(document["paths"]).flatMap((path: any) => Object.values(path))

it("names every operation once, without dots, and says what it does", () => {
  const ids = operations.map((operation) => operation.operationId)
  assert.strictEqual(new Set(ids).size, ids.length)
  for (const { description, operationId, summary } of operations) {
    assert.match(operationId, /^[a-z][A-Za-z]+$/)
    assert.deepStrictEqual([summary, description].slice(0, summaries[operationId]?.length), [
      ...(summaries[operationId] ?? [])
    ])
  }
  assert.deepStrictEqual(Object.keys(summaries).toSorted(), ids.toSorted())
})

it("asks for a key everywhere but at health, and tells every refusal that a key can meet", () => {
  for (const { operationId, responses, security } of operations) {
    if (operationId === "health") {
      assert.deepStrictEqual(security, [])
      continue
    }
    assert.deepStrictEqual(security, [{ bearer: [] }, { apiKey: [] }])
    assert.includeMembers(Object.keys(responses), ["400", "401", "403", "429", "500"], operationId)
    for (const response of Object.values<any>(responses)) assert.property(response.headers, "X-Request-Id")
  }
})
