// schema/Issues.ts: validation messages for the author of a request.
import { SchemaIssue } from "effect"
import type { Issue } from "#schema/Errors.ts"

/** Names of types for readers of JSON. */
const typeNames: Record<string, string> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "an array"
}

/** Describes a union of types; omits null, which counts as absent where it is allowed. */
const oneOf = (expected: string) => {
  const words = expected
    .split(" | ")
    .filter((kind) => kind !== "null")
    .map((kind) => typeNames[kind])
  return words.includes(undefined) ? undefined : words.join(" or ")
}

const rephrase = (expected: string) =>
  oneOf(expected) ??
  expected
    .replace(/^a value with a length of at most (\d+)$/, "at most $1 long")
    .replace(/^a value with a length of at least (\d+)$/, "at least $1 long")
    .replace(/^a string with (at most|at least) (\d+) code points$/, "$1 $2 characters long")

// Messages never contain the value: it may be a lead's address, and callers log error messages.
const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? "is required" : SchemaIssue.defaultLeafHook(issue))
})

interface RawIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

const toIssue = ({ message, path = [] }: RawIssue): Issue => ({
  path: path.map((segment) => String(typeof segment === "object" ? segment.key : segment)).join("."),
  message: message.startsWith("Expected ") ? `must be ${rephrase(message.slice("Expected ".length))}` : message
})

export const issuesOf = (issue: SchemaIssue.Issue): ReadonlyArray<Issue> => format(issue).issues.map(toIssue)
