// scripts/client/Document.ts: the operations of the OpenAPI document, as the generators of clients need them.
import { OpenApi } from "effect/http-api"
import { Api } from "#schema/Api.ts"

/** A JSON Schema as the document has it. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Shape>
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: Shape | boolean
  readonly format?: string
  readonly contentSchema?: Shape
  readonly description?: string
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly schema: Shape
  readonly description: string
}

interface MediaType {
  readonly type: string
  readonly schema: Shape
}

export interface Operation {
  /** The `operationId`, such as `createCampaign`. */
  readonly id: string
  /** The group in the contract, such as `target_audiences`; undefined for health. */
  readonly group: string | undefined
  readonly method: string
  readonly path: string
  /** Summary and description. */
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: MediaType | undefined
  /** The bodies of successful answers, each once. */
  readonly answers: ReadonlyArray<MediaType>
}

/** The document, as `/openapi.json` serves it. */
export const document: any = OpenApi.fromApi(Api)

export const schemas: Readonly<Record<string, Shape>> = document.components.schemas

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

const groups = new Map(
  Object.entries(Api.groups).flatMap(([group, { endpoints, topLevel }]) =>
    Object.keys(endpoints).map((id) => [id, topLevel ? undefined : group] as const)
  )
)

const mediaOf = (content: Readonly<Record<string, { readonly schema: Shape }>>): ReadonlyArray<MediaType> =>
  Object.entries(content).map(([type, { schema }]) => ({ type, schema }))

export const operations: ReadonlyArray<Operation> = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]): Operation => {
    const answers = Object.entries<any>(operation.responses)
      .filter(([status]) => status < "300")
      .flatMap(([, { content }]) => mediaOf(content))
    const id: string = operation.operationId
    return {
      id,
      // Signed links to files are outside the contract's groups.
      group: groups.has(id) ? groups.get(id) : "files",
      method: method.toUpperCase(),
      path,
      text: [operation.summary, operation.description].filter((text) => text !== undefined).join("\n\n"),
      parameters: operation.parameters,
      body: operation.requestBody && mediaOf(operation.requestBody.content)[0],
      answers: answers.filter(
        (one, index) => answers.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index
      )
    }
  })
)

/** Names of schemas whose objects are server-sent events: their `data` is JSON in a string. */
export const events: ReadonlyArray<string> = operations
  .flatMap(({ answers }) => answers)
  .filter(({ type }) => type === "text/event-stream")
  .flatMap(({ schema }) => schema.anyOf ?? [schema])
  .map(({ $ref = "" }) => nameOf($ref))

/** Names of the schemas that bodies of errors have. */
export const errors: ReadonlyArray<string> = Object.keys(schemas).filter((name) => name.endsWith("Error"))
