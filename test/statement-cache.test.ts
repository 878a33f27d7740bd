// test/statement-cache.test.ts: the cache of compiled SQL statements returns what the compiler returns.
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

describe("a cached statement", () => {
  const compiler = Statement.makeCompilerSqlite()
  const cached = cacheStatements(compiler)

  it.prop(
    "equals the compiled statement, whatever was compiled before",
    [Arbitrary.array(Arbitrary.schema(Part), { maxLength: 5 })],
    ([parts]) => {
      for (const cachingCompiler of [cached, cached.withoutTransform]) {
        assert.deepStrictEqual(
          cachingCompiler.compile(statement(parts), false),
          compiler.compile(statement(parts), false)
        )
      }
    },
    { arbitrary: { runs: 500 } }
  )

  it("has its own parameters", () => {
    const compileWith = (value: 1 | 2) => cached.compile(statement([{ text: "a" }, { text: " = " }, { value }]), false)
    assert.deepStrictEqual(compileWith(1), ["a = ?", [1]])
    assert.deepStrictEqual(compileWith(2), ["a = ?", [2]])
  })

  it("is compiled again after the cache was full", () => {
    for (let i = 0; i < 30_000; i++) {
      const compiled = cached.compile(Statement.fragment([Statement.literal(`SELECT ${i}`)]), false)
      if (i % 7000 === 0) assert.deepStrictEqual(compiled, [`SELECT ${i}`, []])
    }
  })
})
