// scripts/bench/Kinds.ts: one request of each class of route.
import { Array as Arr } from "effect"
import type { Request } from "./Load.ts"
import { signatureText } from "../Leads.ts"
import { type Material, single } from "./Material.ts"
import type { Kind } from "./Peers.ts"

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

const always = (name: string, status: number, request: Request): Kind => ({
  name,
  status,
  connections: 32,
  turns: [[request]]
})

export const pageKind = (material: Material) => always("Page of 10 rows: GET /signatures", 200, page(material))
export const rowKind = (material: Material) => always("Single row: GET /lists/:id", 200, row(material))
export const checkKind = (material: Material) => always("Credits check: GET /credits/check", 200, check(material))
export const createKind = (material: Material) => always("Create: POST /signatures", 201, create(material))

/** Each connection has a campaign of its own and chooses now the one, now the other, so that each choice is a change. */
const selectionKind = ({ choosing }: Material): Kind => ({
  name: "Selection: PUT …/selection",
  status: 200,
  connections: choosing.length,
  turns: choosing.map(({ campaign, key, options }) =>
    options.slice(0, 2).map((option) => ({
      method: "PUT",
      path: `${base}/campaigns/${campaign}/assets/social_proof/selection`,
      key,
      body: JSON.stringify({ selected_ids: [option], edited_names: { [option]: "What others got out of it" } })
    }))
  )
})

/** Four at once for each workspace, of the five that it may have. */
const atOnce = 4

export const generateKind = ({ singles }: Material): Kind => ({
  name: "One lead: POST …/generate",
  status: 200,
  connections: singles.length * atOnce,
  turns: Arr.makeBy(singles.length * atOnce, (i) => {
    const { campaign, key } = singles[i % singles.length] ?? { campaign: "", key: "" }
    return [{ method: "POST", path: `${base}/campaigns/${campaign}/generate`, key, body: single(i) }]
  })
})

export const kinds = [pageKind, rowKind, checkKind, createKind, selectionKind, generateKind]

/** One request of its kind. */
export const firstOf = ({ turns }: Kind): Request => turns[0]?.[0] ?? { method: "GET", path: "/", key: "" }

/** What shows that both servers refuse alike too. */
export const refused = (material: Material): ReadonlyArray<Request> => [
  { ...page(material), key: "no-key" },
  { ...row(material), path: `${base}/lists/00000000-0000-7000-8000-000000000000` }
]
