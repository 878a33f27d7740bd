// scripts/client/Postman.ts: writes a Postman collection (format 2.1) from the OpenAPI document. Answers fill the variables of ids.
import { document, nameOf, type Operation, operations, type Shape, schemas } from "./Document.ts"

/** Values of variables before any answer filled them. */
const initialValues: Readonly<Record<string, string>> = {
  baseUrl: document.servers[0].url,
  apiKey: "",
  type: "social_proof",
  step: "1",
  title: "Maintenance Manager",
  required: "1"
}

/** The variable of a parameter: `{id}` after `/campaigns` is `campaign_id`, and `{persona_id}` is itself. */
const variableOf = (path: string, name: string): string => {
  if (name !== "id") return name
  const [, collection = ""] = /([\w-]+)\/\{id\}/.exec(path) ?? []
  return `${collection.replaceAll("-", "_").replace(/s$/, "")}_id`
}

/** Where answers have the values of variables, by operation. */
const capturedVariables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listCampaigns: { campaign_id: "campaigns[0]?.id" },
  createCampaign: { campaign_id: "id" },
  listTargetAudiences: { segment_id: "data[0]?.id", segment_name: "data[0]?.segment_name" },
  setTargetAudience: { job_id: "id" },
  listAssetOptions: { asset_id: "options[0]?.id" },
  selectAssets: { job_id: "job?.id" },
  generateValuePropositions: { job_id: "id" },
  getPlaybook: { persona_id: "personas[0]?.id", template_id: "personas[0]?.templates[0]?.id" },
  createPersona: { persona_id: "id" },
  createTemplate: { template_id: "id" },
  redraftPlaybook: { job_id: "id" },
  previewCampaign: { preview_id: "preview_id" },
  listPreviews: { preview_id: "data[0]?.preview_id" },
  generate: { list_id: "list_id", lead_id: "lead_id" },
  generateBatch: { list_id: "list_id" },
  listLists: { list_id: "lists[0]?.id" },
  listLeads: { lead_id: "data[0]?.id" },
  listSignatures: { signature_id: "data[0]?.id" },
  createSignature: { signature_id: "id" },
  listSuppressions: { suppression_id: "data[0]?.id" },
  listWebhooks: { webhook_id: "data[0]?.id" },
  createWebhook: { webhook_id: "id" },
  testWebhook: { delivery_id: "id" },
  listWebhookDeliveries: { delivery_id: "data[0]?.id" },
  listImports: { import_id: "imports[0]?.id" },
  importDocument: { job_id: "id" },
  importUrl: { job_id: "id" },
  regenerate: { regenerate_id: "id" },
  chat: { conversation_id: "conversation_id" },
  listConversations: { conversation_id: "data[0]?.id" },
  // Not the first of listKeys: the key in use could be revoked by it.
  createKey: { key_id: "id" }
}

/** Bodies in which the examples of the document would name ids that no workspace has. */
const exampleBodies: Readonly<Record<string, unknown>> = {
  setTargetAudience: { target_audience: { id: "{{segment_id}}", segment_name: "{{segment_name}}" } },
  selectAssets: { selected_ids: ["{{asset_id}}"] }
}

const variables = [
  ...new Set([
    ...Object.keys(initialValues),
    ...operations.flatMap(({ parameters, path }) =>
      parameters.filter((one) => one.in === "path" || one.required).map(({ name }) => variableOf(path, name))
    ),
    ...Object.values(capturedVariables).flatMap(Object.keys)
  ])
]

const resolveReference = (shape: Shape): Shape =>
  shape.$ref === undefined ? shape : (schemas[nameOf(shape.$ref)] ?? {})

const captureScript = ({ id }: Operation): ReadonlyArray<string> => {
  const found = Object.entries(capturedVariables[id] ?? {})
  if (found.length === 0) return []
  return [
    "if (pm.response.code < 300) {",
    "  const answer = pm.response.json()",
    "  const keep = (name, value) => value && pm.collectionVariables.set(name, String(value))",
    ...found.map(([name, at]) => `  keep(${JSON.stringify(name)}, answer.${at})`),
    "}"
  ]
}

/** The example of a body, in which ids are variables. */
const exampleOf = ({ id }: Operation): string => {
  const declared = Object.values<any>(document.paths)
    .flatMap((methods) => Object.values<any>(methods))
    .find(({ operationId }) => operationId === id)
  const { example } = declared.requestBody.content["application/json"]
  const idAsVariable = (key: string, value: unknown) =>
    typeof value === "string" && variables.includes(key) && key.endsWith("_id") ? `{{${key}}}` : value
  return JSON.stringify(exampleBodies[id] ?? example, idAsVariable, 2)
}

const bodyOf = (operation: Operation) => {
  const { body } = operation
  if (body === undefined) return undefined
  if (body.type !== "multipart/form-data") {
    return { mode: "raw", raw: exampleOf(operation), options: { raw: { language: "json" } } }
  }
  const { properties = {}, required = [] } = resolveReference(body.schema)
  return {
    mode: "formdata",
    formdata: Object.entries(properties).map(([key, { description = "", format }]) =>
      format === "binary"
        ? { key, type: "file", src: [] }
        : { key, type: "text", value: "", description, disabled: !required.includes(key) }
    )
  }
}

const itemOf = (operation: Operation) => {
  const { body, id, method, parameters, path, text } = operation
  const [summary = id] = text.split("\n")
  const raw = `{{baseUrl}}${path.replace(/\{(\w+)\}/g, (_, name: string) => `{{${variableOf(path, name)}}}`)}`
  const query = parameters.filter((one) => one.in === "query")
  const given = query.filter(({ required }) => required).map(({ name }) => `${name}={{${name}}}`)
  const exec = captureScript(operation)
  return {
    name: summary,
    event: exec.length > 0 ? [{ listen: "test", script: { type: "text/javascript", exec } }] : [],
    request: {
      // Health, signing in and signed links take no key.
      ...(document.paths[path][method.toLowerCase()].security.length === 0 && { auth: { type: "noauth" } }),
      method,
      description: `\`${id}\`\n\n${text}`,
      header: [
        ...(body?.type === "application/json" ? [{ key: "Content-Type", value: "application/json" }] : []),
        ...parameters
          .filter((one) => one.in === "header")
          .map(({ description, name }) => ({ key: name, value: "{{$guid}}", description, disabled: true }))
      ],
      url: {
        raw: given.length > 0 ? `${raw}?${given.join("&")}` : raw,
        host: ["{{baseUrl}}"],
        path: raw.split("/").slice(1),
        query: query.map(({ description, name, required }) => ({
          key: name,
          value: required ? `{{${name}}}` : "",
          description,
          disabled: !required
        }))
      },
      ...(body && { body: bodyOf(operation) })
    }
  }
}

/** The collection: a folder for each tag of the document, a request for each operation. */
export const collection = () => ({
  info: {
    name: "Overture",
    description: `${document.info.description}\n\nSet the variables \`baseUrl\` and \`apiKey\` of the collection first.`,
    version: document.info.version,
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
  },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
  variable: variables.map((key) => ({ key, value: initialValues[key] ?? "" })),
  item: document.tags.map(({ description, name }: { readonly description: string; readonly name: string }) => ({
    name,
    description,
    item: operations
      .filter(({ method, path }) => document.paths[path][method.toLowerCase()].tags.includes(name))
      // Requests that delete come last, so that a folder can be run as a whole.
      .toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"))
      .map(itemOf)
  }))
})
