// scripts/client/TypeScript.ts: writes the types of the client with promises from the OpenAPI document.
import { errors, events, nameOf, type Operation, operations, type Shape, schemas } from "./Document.ts"

const docComment = (text: string | undefined) =>
  text === undefined ? "" : `/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", "\n * ")} */\n`

const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)

const declareField = (name: string, isRequired: boolean, type: string, description?: string) =>
  `${docComment(description)}readonly ${isIdentifier(name) ? name : JSON.stringify(name)}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"}\n`

const objectOf = ({ additionalProperties, properties, required = [] }: Shape, isEvent: boolean): string => {
  if (typeof additionalProperties === "object") return `Readonly<Record<string, ${typeOf(additionalProperties)}>>`
  if (properties === undefined) return "Readonly<Record<string, unknown>>"
  const fields = Object.entries(properties).map(([name, shape]) =>
    declareField(
      name,
      required.includes(name),
      typeOf(isEvent ? (shape.contentSchema ?? shape) : shape),
      shape.$ref === undefined ? shape.description : undefined
    )
  )
  return `{\n${fields.join("")}}`
}

const simpleTypes: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null"
}

const union = (types: ReadonlyArray<string>) => [...new Set(types)].join(" | ")

/** The type of the values that a schema describes. */
const typeOf = (shape: Shape, isEvent = false): string => {
  if (shape.$ref !== undefined) return nameOf(shape.$ref)
  if (shape.enum !== undefined) return union(shape.enum.map((value) => JSON.stringify(value)))
  if (shape.anyOf !== undefined) return union(shape.anyOf.map((one) => typeOf(one)))
  if (shape.format === "binary") return "Blob"
  const types = typeof shape.type === "string" ? [shape.type] : (shape.type ?? [])
  const known = types.map((type) => {
    if (type === "object") return objectOf(shape, isEvent)
    if (type === "array") return `ReadonlyArray<${typeOf(shape.items ?? {})}>`
    return simpleTypes[type] ?? "unknown"
  })
  return known.length === 0 ? "unknown" : union(known)
}

const requestOf = ({ body, parameters }: Operation) => {
  const part = (name: string, place: string) => {
    const found = parameters.filter((parameter) => parameter.in === place)
    if (found.length === 0) return ""
    const fields = found.map(({ description, name, required, schema }) =>
      declareField(place === "header" ? name.toLowerCase() : name, required, typeOf(schema), description)
    )
    const isRequired = found.some(({ required }) => required)
    return declareField(name, isRequired, `{\n${fields.join("")}}`)
  }
  const payload = body && typeOf(body.schema) + (body.type === "multipart/form-data" ? " | FormData" : "")
  const parts = [
    part("params", "path"),
    part("query", "query"),
    part("headers", "header"),
    payload === undefined ? "" : declareField("payload", true, payload),
    declareField("signal", false, "AbortSignal", "Cancels the request")
  ]
  const isRequired = body !== undefined || parameters.some(({ required }) => required)
  return `request${isRequired ? "" : "?"}: {\n${parts.join("")}}`
}

const answerOf = ({ answers }: Operation) =>
  union(
    answers.map(({ schema, type }) => {
      if (type === "text/event-stream") return `AsyncIterable<${typeOf(schema)}>`
      return type === "application/json" ? typeOf(schema) : "string"
    })
  )

const methodOf = (operation: Operation) =>
  `${docComment(operation.text)}readonly ${operation.id}: (${requestOf(operation)}) => Promise<${answerOf(operation)}>\n`

const heading = `// The types of this package, made from the OpenAPI document of Overture by \`npm run build:client\`.

/** Why a request failed. */
export declare class OvertureError extends Error {
  /**
   * The code of the answer, such as \`BAD_REQUEST\`. \`NO_ANSWER\` if none arrived, and \`NOT_THE_CONTRACT\` if the request, which
   * is then not sent, lacks a part of its path, or if the answer is of another form.
   */
  readonly code: ErrorAnswer["error"] | "NO_ANSWER" | "NOT_THE_CONTRACT"
  /** The HTTP status of the answer, if one arrived. */
  readonly status: number | undefined
  /** The id of the request, if an answer arrived. Quote it in reports. */
  readonly request_id: string | undefined
  /** Details of the answer, by its code. */
  readonly detail: unknown
  /** The body of the answer: check \`answer.error\` to narrow the type of \`answer.detail\`. */
  readonly answer: ErrorAnswer | undefined
}

/** The version of Overture that this client was made for. */
export declare const version: string

/**
 * A client of the server at \`baseUrl\`, such as \`http://127.0.0.1:3000\`, with an API key. A request that is refused by the rate
 * limit is sent again when the server allows it. If the connection breaks, or a proxy answers with 502, 503 or 504, a request
 * that only reads or that takes an \`idempotency-key\` is sent again, at most ten times in 40 seconds, under the same key: yours,
 * or else a new one for each call. \`generateBatch\` is sent again only with \`options.idempotent\`. Every other error rejects with
 * an \`OvertureError\`.
 */
export declare const connect: (options: { readonly baseUrl: string; readonly key: string }) => PromiseClient
`

/** The declarations of the package `overture/client`. */
export const declarations = (): string => {
  const groups = Map.groupBy(operations, ({ group }) => group)
  const members = [...groups].map(([group, all]) => {
    const methods = all.map(methodOf).join("")
    return group === undefined ? methods : `readonly ${group}: {\n${methods}}\n`
  })
  const named = Object.entries(schemas).map(
    ([name, shape]) => `${docComment(shape.description)}export type ${name} = ${typeOf(shape, events.includes(name))}\n`
  )
  return [
    heading,
    `/** The body of an error. */\nexport type ErrorAnswer = ${errors.join(" | ")}\n`,
    `/** One method an operation, in groups. */\nexport interface PromiseClient {\n${members.join("")}}\n`,
    ...named
  ].join("\n")
}

/** Whether an operation takes an Idempotency-Key, as a word after its path; generate-batch ignores it unless asked. */
const idempotencyMarker = ({ id, parameters }: Operation) => {
  if (!parameters.some(({ in: place }) => place === "header")) return ""
  return id === "generateBatch" ? " idempotent" : " key"
}

/** The method and path of each operation, by group and name. */
export const routes = (): Readonly<Record<string, string | Readonly<Record<string, string>>>> => {
  const groups = Map.groupBy(operations, ({ group }) => group)
  return Object.fromEntries(
    [...groups].flatMap(([group, all]): Array<readonly [string, string | Readonly<Record<string, string>>]> => {
      const methods = all.map((each) => [each.id, `${each.method} ${each.path}${idempotencyMarker(each)}`] as const)
      return group === undefined ? methods : [[group, Object.fromEntries(methods)]]
    })
  )
}
