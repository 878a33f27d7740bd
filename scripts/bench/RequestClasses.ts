// scripts/bench/RequestClasses.ts: the classes of requests that are measured, and the requests of each.
import { Array as Arr } from "effect"
import { signatureText } from "./Leads.ts"
import type { RequestClass, Request } from "./Load.ts"
import { type TestData, singleLeadBody } from "./TestData.ts"

const apiPath = "/api/v1"

export const signaturesRequest = ({ reads }: TestData): Request => ({
  method: "GET",
  path: `${apiPath}/signatures?limit=10`,
  key: reads.key
})

const listRequest = ({ reads }: TestData): Request => ({
  method: "GET",
  path: `${apiPath}/lists/${reads.list}`,
  key: reads.key
})

const creditsRequest = ({ reads }: TestData): Request => ({
  method: "GET",
  path: `${apiPath}/credits/check?required=120`,
  key: reads.key
})

const createSignatureRequest = ({ batches }: TestData): Request => ({
  method: "POST",
  path: `${apiPath}/signatures`,
  key: batches.key,
  body: JSON.stringify({ signature_text: signatureText })
})

const singleRequestClass = (
  name: string,
  aim: number,
  status: number,
  requests: number,
  request: Request
): RequestClass => ({
  name,
  aim,
  status,
  connections: 32,
  sequences: [[request]],
  requests
})

/** Each connection has its own campaign and alternates between two options, so that each selection is a change. */
const selectionClass = ({ selectionCampaigns }: TestData): RequestClass => ({
  name: "Selection: PUT …/selection",
  aim: 0.85,
  status: 200,
  connections: selectionCampaigns.length,
  requests: 8000,
  sequences: selectionCampaigns.map(({ campaign, key, options }) =>
    options.slice(0, 2).map((option) => ({
      method: "PUT",
      path: `${apiPath}/campaigns/${campaign}/assets/social_proof/selection`,
      key,
      body: JSON.stringify({ selected_ids: [option], edited_names: { [option]: "Results of other customers" } })
    }))
  )
})

/** Concurrent single leads of a workspace; five are allowed. */
const concurrentLeads = 4

export const generateClass = ({ singles }: TestData): RequestClass => ({
  name: "One lead: POST …/generate",
  aim: 0.6,
  status: 200,
  connections: singles.length * concurrentLeads,
  requests: 800,
  sequences: Arr.makeBy(singles.length * concurrentLeads, (i) => {
    const { campaign, key } = singles[i % singles.length] ?? { campaign: "", key: "" }
    return [{ method: "POST", path: `${apiPath}/campaigns/${campaign}/generate`, key, body: singleLeadBody(i) }]
  })
})

export const requestClasses = (testData: TestData): ReadonlyArray<RequestClass> => [
  singleRequestClass("Page of 10 rows: GET /signatures", 0.9, 200, 16_000, signaturesRequest(testData)),
  singleRequestClass("Single row: GET /lists/:id", 0.9, 200, 24_000, listRequest(testData)),
  singleRequestClass("Credits check: GET /credits/check", 0.85, 200, 24_000, creditsRequest(testData)),
  singleRequestClass("Create: POST /signatures", 0.85, 201, 16_000, createSignatureRequest(testData)),
  selectionClass(testData),
  generateClass(testData)
]

/** The first request of a class. */
export const firstRequest = ({ sequences }: RequestClass): Request =>
  sequences[0]?.[0] ?? { method: "GET", path: "/", key: "" }

/** Requests that both servers must refuse in the same way. */
export const rejectedRequests = (testData: TestData): ReadonlyArray<Request> => [
  { ...signaturesRequest(testData), key: "no-key" },
  { ...listRequest(testData), path: `${apiPath}/lists/00000000-0000-7000-8000-000000000000` }
]
