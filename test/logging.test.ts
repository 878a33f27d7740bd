// test/logging.test.ts: defects are logged with their kind and stack, but without text of users.
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Schema } from "effect"
import { causeText } from "#src/logging.ts"

const secret = "Zebulon Oxpecker"

const catchError = (action: () => unknown): unknown => {
  try {
    return action()
  } catch (error) {
    return error
  }
}

it.each<[string, () => unknown]>([
  ["SyntaxError", () => new RegExp(`(${secret}`, "u")],
  ["SyntaxError", () => new RegExp(`(${secret}\n    at ${secret}:1:1\n`, "u")],
  ["SyntaxError", () => JSON.parse(`${secret} "quoted"`)],
  ["SchemaError", () => Schema.decodeUnknownSync(Schema.Int)(secret)],
  ["TypeError", () => JSON.parse("null")[secret]],
  ["TypeError", () => JSON.parse("null")[`'${secret}" and '`]],
  ["Error", () => catchError(() => Effect.runSync(Effect.die(new Error(`invalid input syntax: "${secret}"`))))]
])("a %s is logged without the quoted text", (name, action) => {
  const defect = catchError(action)
  for (const error of [defect, new Error("The store broke", { cause: defect })]) {
    const text = causeText(Cause.die(error))
    assert.notInclude(text, "Oxpecker")
    assert.include(text, name)
  }
  if (name !== "SchemaError") assert.match(causeText(Cause.die(defect)), /\n\s+at .*logging\.test/)
})

it("messages of the program and of the cause are logged", () => {
  const text = causeText(Cause.fail(new Error("The store broke", { cause: new RangeError("The disk is full") })))
  assert.match(text, /^Error: The store broke\n[^]*\[cause\]: RangeError: The disk is full/)
})
