// scripts/client/Python.ts: writes the types and methods of the Python client from the OpenAPI document.
import { document, errors, events, nameOf, type Operation, operations, type Shape, schemas } from "./Document.ts"

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const pascal = (name: string) => name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())

/** Reserved words that fields have. */
const reserved = ["from", "class", "import", "in", "is", "not", "or", "and", "def", "global", "pass", "with"]

const docstring = (text: string, indent: string) => {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''")
  const lines = `${escaped.endsWith('"') ? `${escaped} ` : escaped}`.split("\n")
  return `${indent}"""${lines.join(`\n${indent}`).replace(/[ ]+$/gm, "")}"""\n`
}

const comment = (text: string | undefined, indent: string) =>
  text === undefined ? "" : `${indent}# ${text.replaceAll("\n", `\n${indent}# `)}\n`

/** Collects the named types that schemas need; objects inside others get a name of their own. */
class Types {
  readonly written = new Map<string, string>()

  private freeName(name: string): string {
    return name in schemas || this.written.has(name) ? this.freeName(`${name}Object`) : name
  }

  /** The annotation of a schema; `at` names an object that has no name. */
  annotationOf(shape: Shape, at: string): string {
    if (shape.$ref !== undefined) return nameOf(shape.$ref)
    if (shape.enum !== undefined) {
      const values = shape.enum.map((value) =>
        value === true ? "True" : value === false ? "False" : JSON.stringify(value)
      )
      return `Literal[${values.join(", ")}]`
    }
    if (shape.anyOf !== undefined)
      return this.union(shape.anyOf.map((one, n) => this.annotationOf(one, n === 0 ? at : `${at}${n}`)))
    const types = typeof shape.type === "string" ? [shape.type] : (shape.type ?? [])
    if (types.length === 0) return "Any"
    return this.union(types.map((type) => this.single(type, shape, at)))
  }

  private single(type: string, shape: Shape, at: string): string {
    const simple: Readonly<Record<string, string>> = {
      string: "str",
      integer: "int",
      number: "float",
      boolean: "bool",
      null: "None"
    }
    if (type === "array") return `list[${this.annotationOf(shape.items ?? {}, `${at}Item`)}]`
    if (type !== "object") return simple[type] ?? "Any"
    if (typeof shape.additionalProperties === "object")
      return `dict[str, ${this.annotationOf(shape.additionalProperties, `${at}Value`)}]`
    if (shape.properties === undefined) return "dict[str, Any]"
    const name = this.freeName(at)
    this.object(name, shape, false)
    return name
  }

  private union(types: ReadonlyArray<string>): string {
    const all = [...new Set(types)]
    const others = all.filter((type) => type !== "None")
    const [only = "None"] = others
    const joined = others.length > 1 ? `Union[${others.join(", ")}]` : only
    return all.length > others.length && others.length > 0 ? `Optional[${joined}]` : joined
  }

  /** A TypedDict; optional keys are in a subclass, because Python 3.9 has no `NotRequired`. */
  private object(name: string, { description, properties = {}, required = [] }: Shape, isEvent: boolean): void {
    // Reserves the name for objects inside.
    this.written.set(name, "")
    const fields = Object.entries(properties).map(([key, shape]) => ({
      key,
      type: this.annotationOf(isEvent ? (shape.contentSchema ?? shape) : shape, `${name}${pascal(key)}`),
      description: shape.$ref === undefined ? shape.description : undefined,
      isRequired: required.includes(key)
    }))
    const part = (name: string, base: string, total: string, isRequired: boolean) => {
      const found = fields.filter((field) => field.isRequired === isRequired)
      const head = `class ${name}(${base}${total}):\n${description === undefined ? "" : docstring(description, "    ")}`
      const lines = found.map(({ description, key, type }) => `${comment(description, "    ")}    ${key}: ${type}\n`)
      if (!found.some(({ key }) => reserved.includes(key))) return head + (lines.join("") || "    pass\n")
      // The syntax of classes has no keys that are reserved words.
      const entries = found.map(({ key, type }) => `${JSON.stringify(key)}: ${JSON.stringify(type)}`)
      return `_${name}Reserved = TypedDict("_${name}Reserved", {${entries.join(", ")}}${total})\n\n\n${head.replace(base, `_${name}Reserved`)}    pass\n`
    }
    const hasOptional = fields.some(({ isRequired }) => !isRequired)
    const hasRequired = fields.some(({ isRequired }) => isRequired)
    const text =
      hasOptional && hasRequired
        ? `${part(`_${name}Required`, "TypedDict", "", true)}\n\n${part(name, `_${name}Required`, ", total=False", false)}`
        : part(name, "TypedDict", hasOptional ? ", total=False" : "", hasRequired)
    this.written.set(name, text)
  }

  addSchema(name: string, shape: Shape): void {
    if (shape.properties !== undefined && shape.type === "object") this.object(name, shape, events.includes(name))
    else
      this.written.set(
        name,
        `${name} = ${this.annotationOf(shape, `${name}Value`)}\n${docstring(shape.description ?? name, "")}`
      )
  }
}

const imports = `from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict, Union
`

const heading = (text: string) => `"""${text} Generated by \`npm run build:client -- --python\`."""\n\n`

/** `types.py`: every schema of requests and answers. */
export const types = (): string => {
  const all = new Types()
  for (const [name, shape] of Object.entries(schemas)) {
    if (!errors.includes(name)) all.addSchema(name, shape)
  }
  const own = errors.filter((name) => !all.written.has(name))
  return `${heading("The objects of requests and answers.")}${imports}\n\n${[...all.written]
    .filter(([name]) => !own.includes(name))
    .map(([, text]) => text)
    .join("\n\n")}`
}

/** `errors.py`: an exception for each code. */
export const exceptions = (): string => {
  const codes = new Map<string, string>()
  for (const name of errors) {
    const code = String(schemas[name]?.properties?.["error"]?.enum?.[0])
    if (![...codes.values()].includes(code)) codes.set(name, code)
  }
  const classes = [...codes].map(
    ([name, code]) =>
      `class ${name}(OvertureError):\n${docstring(`${schemas[name]?.description ?? name}: \`${code}\`.`, "    ")}\n\nOvertureError.of_code["${code}"] = ${name}\n`
  )
  const names = ["NoAnswerError", "OvertureError", ...codes.keys()].toSorted()
  return `${heading("One exception for each code of the API.")}from .transport import NoAnswerError, OvertureError\n\n__all__ = ${JSON.stringify(names)}\n\n\n${classes.join("\n\n")}`
}

const annotationOfShape = (shape: Shape) => new Types().annotationOf(shape, "Unnamed")

/** The annotation of an answer: an iterator of events, an object, or text. */
const answerOf = ({ answers }: Operation): string => {
  const types = answers.map(({ schema, type }) =>
    type === "text/event-stream"
      ? `Iterator[${annotationOfShape(schema)}]`
      : type === "application/json"
        ? annotationOfShape(schema)
        : "str"
  )
  const [only = "None"] = [...new Set(types)]
  return new Set(types).size > 1 ? `Union[${[...new Set(types)].join(", ")}]` : only
}

const dictOf = (names: ReadonlyArray<string>) => `{${names.map((name) => `"${name}": ${name}`).join(", ")}}`

const argument = (name: string, isRequired: boolean, type: string) =>
  isRequired ? `${name}: ${type}` : `${name}: ${type.startsWith("Optional[") ? type : `Optional[${type}]`} = None`

/** generate-batch ignores the key unless its options ask for it: such a request must not be sent again. */
const isIdempotentBatch = `(body.get("options") or {}).get("idempotent")`

/** The parts of a call: what its method takes and what it sends. */
const partsOf = ({ body, id, parameters }: Operation) => {
  const parametersIn = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const form = body?.type === "multipart/form-data" ? (schemas[nameOf(body.schema.$ref ?? "")] ?? {}) : undefined
  const fields = Object.entries(form?.properties ?? {}).filter(([name]) => name !== "file")
  const query = parametersIn("query")
  const positional = [
    ...parametersIn("path").map(({ name, schema }) => argument(name, true, annotationOfShape(schema))),
    ...(form ? ["file: File"] : body ? [`body: ${annotationOfShape(body.schema)}`] : [])
  ]
  const keywords = [
    ...query.map(({ name, required, schema }) => argument(name, required, annotationOfShape(schema))),
    ...fields.map(([name, shape]) => argument(name, false, annotationOfShape(shape))),
    ...(parametersIn("header").length > 0 ? ["idempotency_key: Optional[str] = None"] : [])
  ]
  const sentArguments = [
    ...(parametersIn("path").length > 0 ? [`params=${dictOf(parametersIn("path").map(({ name }) => name))}`] : []),
    ...(query.length > 0 ? [`query=${dictOf(query.map(({ name }) => name))}`] : []),
    ...(parametersIn("header").length > 0
      ? [`headers=self._once(idempotency_key)${id === "generateBatch" ? ` if ${isIdempotentBatch} else {}` : ""}`]
      : []),
    ...(form ? [`form=${dictOf(["file", ...fields.map(([name]) => name)])}`] : body ? ["body=body"] : [])
  ]
  return { positional, keywords, sent: sentArguments }
}

const signature = (name: string, positional: ReadonlyArray<string>, keywords: ReadonlyArray<string>, answer: string) =>
  `    def ${name}(${["self", ...positional, ...(keywords.length > 0 ? ["*", ...keywords] : [])].join(", ")}) -> ${answer}:\n`

/** A method that requests all pages, if the answer is a page. */
const pagesOf = (operation: Operation): string => {
  const page = schemas[nameOf(operation.answers[0]?.schema.$ref ?? "")]
  const [field, rows] = Object.entries(page?.properties ?? {}).find(([, { type }]) => type === "array") ?? []
  const { keywords, positional } = partsOf(operation)
  const filters = keywords.filter((one) => !/^(limit|offset):/.test(one))
  if (!page?.properties?.["has_more"] || field === undefined || filters.length + 2 !== keywords.length) return ""
  const name = snake(operation.id)
  const passed = [...positional, ...filters].map((one) => one.split(":")[0] ?? "")
  const given = [
    ...passed.slice(0, positional.length),
    ...passed.slice(positional.length).map((one) => `${one}=${one}`)
  ]
  const call = `self.${name}(${[...given, "limit=limit", "offset=offset"].join(", ")})`
  return `${signature(`iter_${name.replace(/^list_/, "")}`, positional, filters, `Iterator[${annotationOfShape(rows?.items ?? {})}]`)}${docstring(`Every item of \`${name}\`; pages are requested as they are needed.`, "        ")}        return self._items("${field}", lambda limit, offset: ${call})\n`
}

const methodOf = (operation: Operation): string => {
  const { keywords, positional, sent } = partsOf(operation)
  const answer = answerOf(operation)
  const call = answer.startsWith("Iterator") ? "self._events" : "self._send"
  const args = [JSON.stringify(operation.method), JSON.stringify(operation.path), ...sent]
  const method = `${signature(snake(operation.id), positional, keywords, answer)}${docstring(operation.text, "        ")}        answer: ${answer} = ${call}(${args.join(", ")})\n        return answer\n`
  return [method, pagesOf(operation)].filter((text) => text !== "").join("\n")
}

/** `client.py`: the class with one method for each operation. */
export const client = (): string =>
  `${heading(`The client of Overture ${document.info.version}.`)}from __future__ import annotations

from typing import Any, Iterator, Literal, Optional, Union

from .transport import File, Transport
from .types import *


class Overture(Transport):
    """One method for each operation of the API. Errors are raised as \`OvertureError\`."""

${operations.map(methodOf).join("\n")}`
