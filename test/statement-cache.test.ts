// test/statement-cache.test.ts: cached statement texts equal the texts that are compiled each time.
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Statement } from "effect/sql"
import { cacheStatements } from "#layers/database/Sqlite.ts"

const Part = Schema.Union([
  Schema.Struct({ text: Schema.Literals(["SELECT ", "a", "b", " = "]) }),
  Schema.Struct({ value: Schema.Literals([1, 2]) }),
  Schema.Struct({ list: Schema.Array(Schema.Literals(["x", "y"])) }),
  Schema.Struct({ bound: Schema.Literals(["x", "y"]) })
])

const statement = (parts: ReadonlyArray<typeof Part.Type>) =>
  Statement.fragment(
    parts.map((part) => {
      if ("text" in part) return Statement.literal(part.text)
      if ("value" in part) return Statement.parameter(part.value)
      return "list" in part ? Statement.arrayHelper(part.list) : Statement.literal("c = ?", [part.bound])
    })
  )

describe("the text of a statement", () => {
  const plain = Statement.makeCompilerSqlite()
  const remembered = cacheStatements(plain)

  it.prop(
    "is the same with what was met before in mind, whatever was met",
    [Arbitrary.array(Arbitrary.schema(Part), { maxLength: 5 })],
    ([parts]) => {
      for (const compiler of [remembered, remembered.withoutTransform]) {
        assert.deepStrictEqual(compiler.compile(statement(parts), false), plain.compile(statement(parts), false))
      }
    },
    { arbitrary: { runs: 500 } }
  )

  it("goes with its own values", () => {
    const of = (value: 1 | 2) => remembered.compile(statement([{ text: "a" }, { text: " = " }, { value }]), false)
    assert.deepStrictEqual(of(1), ["a = ?", [1]])
    assert.deepStrictEqual(of(2), ["a = ?", [2]])
  })

  it("is compiled again once the cache is full", () => {
    for (let i = 0; i < 30_000; i++) {
      const made = remembered.compile(Statement.fragment([Statement.literal(`SELECT ${i}`)]), false)
      if (i % 7000 === 0) assert.deepStrictEqual(made, [`SELECT ${i}`, []])
    }
  })
})
