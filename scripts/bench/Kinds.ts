// scripts/bench/Kinds.ts: the classes of routes, and what their requests are.
import { Array as Arr } from "effect"
import { signatureText } from "./Leads.ts"
import type { Kind, Request } from "./Load.ts"
import { type Material, single } from "./Material.ts"

const base = "/api/v1"

export const page = ({ reads }: Material): Request => ({
  method: "GET",
  path: `${base}/signatures?limit=10`,
  key: reads.key
})

const row = ({ reads }: Material): Request => ({ method: "GET", path: `${base}/lists/${reads.list}`, key: reads.key })

const check = ({ reads }: Material): Request => ({
  method: "GET",
  path: `${base}/credits/check?required=120`,
  key: reads.key
})

const create = ({ batches }: Material): Request => ({
  method: "POST",
  path: `${base}/signatures`,
  key: batches.key,
  body: JSON.stringify({ signature_text: signatureText })
})

const same = (name: string, aim: number, status: number, requests: number, request: Request): Kind => ({
  name,
  aim,
  status,
  connections: 32,
  sequences: [[request]],
  requests
})

/** Each connection has its own campaign and alternates between two options, so that each selection is a change. */
const selectionKind = ({ choosing }: Material): Kind => ({
  name: "Selection: PUT …/selection",
  aim: 0.85,
  status: 200,
  connections: choosing.length,
  requests: 8000,
  sequences: choosing.map(({ campaign, key, options }) =>
    options.slice(0, 2).map((option) => ({
      method: "PUT",
      path: `${base}/campaigns/${campaign}/assets/social_proof/selection`,
      key,
      body: JSON.stringify({ selected_ids: [option], edited_names: { [option]: "Results of other customers" } })
    }))
  )
})

/** Concurrent single leads of a workspace; five are allowed. */
const atOnce = 4

export const generateKind = ({ singles }: Material): Kind => ({
  name: "One lead: POST …/generate",
  aim: 0.6,
  status: 200,
  connections: singles.length * atOnce,
  requests: 800,
  sequences: Arr.makeBy(singles.length * atOnce, (i) => {
    const { campaign, key } = singles[i % singles.length] ?? { campaign: "", key: "" }
    return [{ method: "POST", path: `${base}/campaigns/${campaign}/generate`, key, body: single(i) }]
  })
})

export const kinds = (material: Material): ReadonlyArray<Kind> => [
  same("Page of 10 rows: GET /signatures", 0.9, 200, 16_000, page(material)),
  same("Single row: GET /lists/:id", 0.9, 200, 24_000, row(material)),
  same("Credits check: GET /credits/check", 0.85, 200, 24_000, check(material)),
  same("Create: POST /signatures", 0.85, 201, 16_000, create(material)),
  selectionKind(material),
  generateKind(material)
]

/** The first request of a class. */
export const firstOf = ({ sequences }: Kind): Request => sequences[0]?.[0] ?? { method: "GET", path: "/", key: "" }

/** Requests that both servers must refuse in the same way. */
export const refused = (material: Material): ReadonlyArray<Request> => [
  { ...page(material), key: "no-key" },
  { ...row(material), path: `${base}/lists/00000000-0000-7000-8000-000000000000` }
]
