// test/program/naughty-strings.test.ts: sends each string of the Big List of Naughty Strings in every text field of the API. The
// server returns it unchanged wherever it shows the text, or refuses it and names the field.
import { NodeServices } from "@effect/platform-node"
import { assert, it, layer } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Generator } from "#layers/Generator.ts"
import { Links } from "#layers/Links.ts"
import { asOneLine, Mailer, withoutLinks } from "#layers/Mailer.ts"
import { type Answer, expectBody } from "../support/answers.ts"
import { waitUntilIdle } from "../support/dump.ts"
import { endpoints } from "../support/endpoints.ts"
import { outage } from "../support/faults.ts"
import { fields, matchingPaths, valueAt, withValue } from "../support/fields.ts"
import {
  fullBody,
  type FullWorkspace,
  createFullWorkspace,
  fullRequest,
  partlyFailingWriter
} from "../support/full-workspace.ts"
import { judgedEmail } from "../support/judged-email.ts"
import { temporaryFolder } from "../support/process.ts"
import * as Server from "../support/server.ts"
import { parseMail } from "../support/smtp.ts"
import { until } from "../support/until.ts"

const publicStrings: ReadonlyArray<string> = createRequire(import.meta.url)("big-list-of-naughty-strings")

/** Kinds of strings that the list lacks: formulas, line ends, header injection, direction marks and CSV quotes. */
const extraStrings = [
  "=1+1",
  "=cmd|' /C calc'!A0",
  "+1",
  "-1",
  "@SUM(1)",
  "	=1",
  "\r=1",
  '="a"',
  "'=1",
  "＝1",
  "a,b;c",
  '"',
  '""',
  '","',
  "a\r\nb",
  "a\nb",
  "\r\n\r\nx",
  '"\r\n"',
  "x\r\nBcc: evil@evil.example",
  "x\nTo: evil@evil.example",
  "=?utf-8?q?x?=",
  "x\u2028Bcc: y",
  "xy",
  'x"; filename="y.exe',
  "../../../etc/passwd",
  "..",
  ".",
  "con",
  "a/b\\c",
  "%0d%0aX: y",
  "x‮gpj.exe",
  "\\n",
  "a\\nb",
  "\\",
  "${x}",
  "{{x}}",
  "# x",
  "[x](javascript:1)",
  "![x](http://x.example)",
  "<!-- x",
  "```",
  "﻿x",
  "￾",
  "￿",
  "􏿿",
  "à",
  "é é",
  "\b\x1B[31m",
  ""
]
const strings = [...new Set([...publicStrings, ...extraStrings])]

/** Fields with a format or a fixed set of values, which other tests cover. */
const formattedFields =
  /(^|\.)(\w*_?id|selected_ids\.\*|email|contact_email|contact_phone|website_url|notification_email|branch_from_step|email_count|url|field_mapping(\.\*)?|scopes\.\*|\{key\})$/

/** Endpoints without authentication. They only answer that a secret does not exist. */
const endpointsWithoutKey = endpoints.filter(({ requiresKey }) => !requiresKey).map(({ name }) => name)

const textFields = fields.filter(
  ({ endpoint, kinds, path, location }) =>
    location === "body" &&
    kinds.has("string") &&
    !kinds.has("array") &&
    !formattedFields.test(path) &&
    !endpointsWithoutKey.includes(endpoint)
)

class Workspace extends Context.Service<Workspace, FullWorkspace>()("test/Own") {
  static readonly layer = Layer.effect(Workspace, createFullWorkspace("kestrel"))
}
const rate = { limit: 1_000_000, window: Duration.minutes(1) }
const liveTests = { excludeTestServices: true }

const endpointOf = (name: string) => endpoints.find((endpoint) => endpoint.name === name) ?? assert.fail(name)

/** The texts that an endpoint returns, each with its path in the request body. */
type ShownTexts = ReadonlyArray<readonly [shown: unknown, path: string]>
const readShownTexts: {
  readonly [endpoint: string]: (workspace: FullWorkspace, answer: Answer) => Effect.Effect<ShownTexts, never, never>
} = {
  createCampaign: (_, { body }) => Effect.succeed([[body.name, "name"]]),
  renameCampaign: (_, { body }) => Effect.succeed([[body.name, "name"]]),
  updatePlaybook: (_, { body }) => Effect.succeed(findShownTexts(body, "updatePlaybook")),
  createPersona: ({ ids, caller }, { body: createdItem }) =>
    Effect.as(
      caller.delete(`/campaigns/${ids.campaign}/playbook/personas/${createdItem.id}`),
      findPersonaTexts(createdItem, "createPersona")
    ),
  updatePersona: (_, { body }) => Effect.succeed(findPersonaTexts(body, "updatePersona")),
  createTemplate: ({ ids, caller }, { body: createdItem }) =>
    Effect.as(
      caller.delete(`/campaigns/${ids.campaign}/playbook/templates/${createdItem.id}`),
      findShownTexts(createdItem, "createTemplate")
    ),
  updateTemplate: (_, { body }) => Effect.succeed(findShownTexts(body, "updateTemplate")),
  renameList: ({ ids, caller }, { body: entry }) =>
    Effect.map(expectBody(200, caller.get(`/lists/${ids.list}`)), (list) => [
      [entry.custom_name, "custom_name"],
      [list.custom_name, "custom_name"]
    ]),
  editEmail: (_, { body }) => Effect.succeed(findShownTexts(body, "editEmail")),
  reviewLead: (_, { body: { review } }) => Effect.succeed([[review.note ?? "", "note"]]),
  createWebhook: ({ caller }, { body: createdItem }) =>
    Effect.as(caller.delete(`/webhooks/${createdItem.id}`), [[createdItem.description ?? "", "description"]]),
  updateWebhook: (_, { body }) => Effect.succeed([[body.description ?? "", "description"]]),
  createKey: ({ caller }, { body: createdItem }) =>
    Effect.as(caller.delete(`/keys/${createdItem.id}`), [[createdItem.name ?? "", "name"]]),
  createSignature: ({ caller }, { body: createdItem }) =>
    Effect.map(expectBody(200, caller.get("/signatures?limit=1")), ({ data }) => [
      [createdItem.signature_text, "signature_text"],
      [data[0].signature_text, "signature_text"]
    ]),
  replaceSignature: (_, { body }) => Effect.succeed([[body.signature_text, "signature_text"]]),
  updateDetails: ({ caller }, { body: { details } }) =>
    Effect.map(expectBody(200, caller.get("/workspace")), (workspace) =>
      [details, workspace.details].flatMap((shown): ShownTexts => findShownTexts(shown, "updateDetails"))
    ),
  setTargetAudience: ({ ids, caller }) =>
    Effect.map(expectBody(200, caller.get(`/campaigns/${ids.campaign}/selections`)), ({ target_audience }) =>
      findShownTexts({ target_audience }, "setTargetAudience")
    ),
  branchCampaign: ({ caller }, { body: { id } }) =>
    Effect.gen(function* () {
      const { target_audience } = yield* expectBody(200, caller.get(`/campaigns/${id}/selections`))
      const { campaigns } = yield* expectBody(200, caller.get("/campaigns?limit=1"))
      return [...findShownTexts({ target_audience }, "branchCampaign"), [campaigns[0].name, "name"]]
    }),
  selectAssets: ({ ids, caller }) =>
    Effect.map(
      expectBody(200, caller.get(`/campaigns/${ids.campaign}/selections`)),
      ({ selections: { social_proof } }) => [
        [social_proof.items[0].name, `edited_names.${social_proof.items[0].id}`],
        [social_proof.items[0].description, `edited_descriptions.${social_proof.items[0].id}`],
        [social_proof.additional_details, "additional_details"]
      ]
    ),
  previewCampaign: (_, { body }) => Effect.succeed([[body.headers[0], "sample.headers.0"]]),
  generate: ({ caller }, { body: createdItem }) =>
    Effect.gen(function* () {
      const { custom_name } = yield* expectBody(200, caller.get(`/lists/${createdItem.list_id}`))
      const { leads } = yield* expectBody(200, caller.get(`/lists/${createdItem.list_id}/export?format=json`))
      return [
        [custom_name, "options.list_name"],
        ...["name", "title", "company"].map((field) => [leads[0][field], `lead.${field}`] as const),
        [leads[0].custom_fields.last_meeting, "lead.custom_fields.last_meeting"]
      ]
    }),
  chat: ({ caller }, { body: { conversation_id } }) =>
    Effect.map(expectBody(200, caller.get(`/conversations/${conversation_id}/messages`)), ({ data }) => [
      [data[0].content, "message"]
    ])
}

/** Every text of an answer that has the same structure as the request body. */
const findShownTexts = (shown: unknown, endpoint: string): ShownTexts =>
  textFields
    .filter((field) => field.endpoint === endpoint)
    .flatMap(({ path }) => matchingPaths(shown, path))
    .map((path) => [valueAt(shown, path), path.join(".")])

/** An empty field of a persona is shown as null. */
const findPersonaTexts = (shown: unknown, endpoint: string): ShownTexts =>
  findShownTexts(shown, endpoint).map(([text, path]) => [text ?? "", path])

/** A request body with this string in every text field. A custom target audience has no id. */
const buildBody = (
  endpoint: string,
  workspace: FullWorkspace,
  text: string,
  excludedPaths: ReadonlyArray<string> = []
) => {
  const body = withValue(fullBody(endpoint, workspace), ["conversation_id"], null)
  // The batch contains the same lead twice, and the test checks both.
  const bodyWithDuplicates =
    endpoint === "generateBatch" ? withValue(body, ["options", "skip_duplicates"], false) : body
  const completeBody = /Audience|branch/.test(endpoint)
    ? withValue(withValue(bodyWithDuplicates, ["target_audience", "id"], null), ["is_custom_target_audience"], true)
    : bodyWithDuplicates
  return textFields
    .filter((field) => field.endpoint === endpoint)
    .flatMap(({ path }) => matchingPaths(completeBody, path))
    .filter((path) => !excludedPaths.includes(path.join(".")))
    .reduce((body, path) => withValue(body, path, text), completeBody)
}

/** Sends the string in every text field, then again without the fields that were refused, and returns body and answer. */
const sendText = Effect.fnUntraced(function* (endpoint: string, workspace: FullWorkspace, text: string) {
  const send = Effect.fnUntraced(function* (body: unknown) {
    const sendBody = (body: unknown) => workspace.caller.send(...fullRequest(endpointOf(endpoint), workspace, { body }))
    const answer = yield* sendBody(body)
    // An edit names the version that it changes.
    if (endpoint !== "editEmail" || answer.status !== 409) return answer
    return yield* sendBody(withValue(body, ["version"], answer.body.detail.email.version))
  })
  const firstBody = buildBody(endpoint, workspace, text)
  const answer = yield* send(firstBody)
  if (answer.status < 300) return { sentBody: firstBody, answer }
  const message = `${endpoint} ${JSON.stringify(text)}: ${answer.text}`
  assert.deepStrictEqual([answer.status, answer.body.error], [400, "BAD_REQUEST"], message)
  const refusedPaths: ReadonlyArray<string> = answer.body.detail.issues.map(
    ({ path }: { readonly path: string }) => path
  )
  for (const path of refusedPaths) assert.strictEqual(valueAt(firstBody, path.split(".")), text, message)
  const acceptedBody = buildBody(endpoint, workspace, text, refusedPaths)
  const secondAnswer = yield* send(acceptedBody)
  assert.isBelow(secondAnswer.status, 300, `${endpoint} ${JSON.stringify(text)}: ${secondAnswer.text}`)
  return { sentBody: acceptedBody, answer: secondAnswer }
})

/** Names are shown trimmed, and an empty detail is shown as null. */
const isSameText = (shown: unknown, text: unknown) =>
  shown === text ||
  (shown === null && text === "") ||
  (typeof text === "string" && shown === text.trim() && text !== text.trim())

/**
 * Endpoints whose answer does not contain the texts: a batch shows the same as a single lead, instructions need a model, a
 * suppressed address keeps its first reason, and the others return findings about a text.
 */
const endpointsWithoutEcho = [
  "generateBatch",
  "redraftPlaybook",
  "addSuppressions",
  "tryPlaybook",
  "lint",
  "rewriteLead",
  "reviewLeads"
]

const serverLayer = Workspace.layer.pipe(Layer.provideMerge(Server.layer({ rate, writer: partlyFailingWriter })))

layer(serverLayer, liveTests)("a naughty string", (it) => {
  it("is one of over 400, and is sent in every text field of the contract", () => {
    assert.isAbove(publicStrings.length, 400)
    const endpoints = new Set(textFields.map(({ endpoint }) => endpoint))
    assert.sameMembers([...endpoints], [...Object.keys(readShownTexts), ...endpointsWithoutEcho])
  })

  /** Requests that reset a campaign to a draft run last. */
  const rankOf = (name: string) => Number(/^(set|select|branch)/.test(name))
  const endpointNames = Object.keys(readShownTexts).toSorted((a, b) => rankOf(a) - rankOf(b))

  it.effect.each(endpointNames.map((name, index) => ({ name, index })))(
    "is returned unchanged: $name",
    ({ index, name }) =>
      Effect.gen(function* () {
        const workspace = yield* Workspace
        // Endpoints that start jobs are slow, so each gets a different fifth of the list.
        const isSlow = /^(set|select|branch|generate|preview|chat)/.test(name)
        for (const text of isSlow
          ? [...publicStrings.filter((_, i) => i % 5 === index % 5), ...extraStrings]
          : strings) {
          const { answer, sentBody } = yield* sendText(name, workspace, text)
          const shownTexts = (yield* readShownTexts[name]?.(workspace, answer) ?? Effect.succeed([])) ?? []
          assert.isNotEmpty(shownTexts)
          for (const [shown, path] of shownTexts) {
            const original = valueAt(sentBody, path.split("."))
            // Emails store every line end as a line feed.
            if (name === "editEmail" && shown === String(original).replaceAll("\r\n", "\n")) continue
            if (!isSameText(shown, original)) assert.strictEqual(shown, original, `${name} ${path}`)
          }
        }
        yield* waitUntilIdle
      })
  )
})

/** Parses CSV strictly by RFC 4180. */
const parseCsv = (csv: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  let row: Array<string> = []
  let parsedLength = 0
  for (const [match, quoted, unquoted = "", separator] of csv.matchAll(cell)) {
    parsedLength += match.length
    row.push(quoted?.replaceAll('""', '"') ?? unquoted)
    if (separator === ",") continue
    rows.push(row)
    row = []
  }
  assert.strictEqual(parsedLength, csv.length, "The rest of the file is not CSV")
  return rows
}

/** The cell of a text, which a spreadsheet does not run as a formula. */
const escapeFormula = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Decodes the encoded words of a mail header. */
const decodeHeader = (header: string) =>
  header.replace(/\?=\s+=\?/g, "?==?").replace(/(?:=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (words) =>
    Buffer.concat(
      [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, how = "", text = ""]) =>
        how.toLowerCase() === "b"
          ? Buffer.from(text, "base64")
          : Buffer.from(
              text
                .replaceAll("_", " ")
                .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
              "latin1"
            )
      )
    ).toString()
  )

/** A writer that copies the lead's title and name into the email. */
const echoWriter: Partial<Generator["Service"]> = {
  sequence: (brief) =>
    brief.lead.name === "Pending"
      ? Effect.fail(outage)
      : Effect.succeed([judgedEmail({ subject: brief.lead.title ?? "", body: brief.lead.name ?? "" })])
}

it.live("is unchanged in the files, emails and notification mail of a batch", () =>
  Effect.gen(function* () {
    const outbox = yield* temporaryFolder
    const mailer = Mailer.layerOutbox(outbox, { name: "Overture", address: "mail@overture.example" })
    yield* Effect.gen(function* () {
      yield* (yield* Links).setListeningUrl("http://overture.example")
      const { send } = yield* Server.Server
      const workspace = yield* createFullWorkspace("kestrel")
      for (const text of [...publicStrings.filter((_, i) => i % 5 === 4), ...extraStrings]) {
        const message = JSON.stringify(text)
        const { answer, sentBody } = yield* sendText("generateBatch", workspace, text)
        const list: string = answer.body.list_id
        const listAnswer = yield* until(
          workspace.caller.get(`/lists/${list}`),
          ({ body }) => body.processing_status === "completed"
        )
        const listName = String(valueAt(sentBody, ["options", "list_name"]))
        if (!isSameText(listAnswer.body.custom_name, listName))
          assert.strictEqual(listAnswer.body.custom_name, listName)

        const exportAnswer = yield* workspace.caller.get(`/lists/${list}/export`)
        assert.match(
          exportAnswer.headers.get("content-disposition") ?? "",
          /^attachment; filename="[\w.-]{1,90}\.csv"$/
        )
        const [header, row, secondRow, ...otherRows] = parseCsv(exportAnswer.text)
        assert.deepStrictEqual([secondRow, otherRows], [row, []], message)
        const leadTexts = ["name", "title", "company", "linkedin_url", "company_website"].map((field) =>
          String(valueAt(sentBody, ["leads", "0", field]))
        )
        const { leads } = yield* expectBody(200, workspace.caller.get(`/lists/${list}/export?format=json`))
        const { subject, body: email } = leads[0].sequence[0]
        assert.deepStrictEqual(row?.slice(0, 6), ["ida@north.example", ...leadTexts.map(escapeFormula)], message)
        assert.deepStrictEqual(row?.slice(6, 8), [escapeFormula(subject), escapeFormula(email)], message)
        const customField = String(valueAt(sentBody, ["leads", "0", "custom_fields", "last_meeting"]))
        assert.deepStrictEqual(
          [header?.at(-1), row?.at(-1)],
          ["custom_last_meeting", escapeFormula(customField)],
          message
        )
        assert.strictEqual(leads[0].custom_fields.last_meeting, customField)
        assert.strictEqual(header?.length, row?.length)
        assert.deepStrictEqual([leads[0].name, leads[0].title, leads[0].company], leadTexts.slice(0, 3))
        assert.strictEqual(subject, leadTexts[1])
        const signature = String(valueAt(sentBody, ["options", "email_signature"]))
          .trim()
          .replaceAll("\\n", "\n")
        assert.isTrue(
          email.startsWith(leadTexts[0]) && email.endsWith(signature.replace(/\r\n?/g, "\n")),
          `${message}: ${JSON.stringify(email)}`
        )

        const mail = yield* Effect.tryPromise(() => readFile(`${outbox}/${list}.eml`, "utf8")).pipe(Effect.eventually)
        const { headers, text: mailText } = parseMail(mail)
        assert.deepStrictEqual(
          headers.map((line) => line.slice(0, line.indexOf(":"))).toSorted(),
          [
            "Auto-Submitted",
            "Content-Transfer-Encoding",
            "Content-Type",
            "Date",
            "From",
            "MIME-Version",
            "Message-ID",
            "Subject",
            "To"
          ],
          message
        )
        const subjects = headers.filter((line) => line.startsWith("Subject:"))
        assert.deepStrictEqual(
          subjects.map((line) => decodeHeader(line.slice(9))),
          [`List ready: ${withoutLinks(asOneLine(listName, 100))}`.trim()]
        )
        assert.include(mailText, `The list "${withoutLinks(asOneLine(listName, 100))}" is finished.`)
        const link = /http:\/\/overture\.example(\/files\S+)/.exec(mailText)?.[1] ?? ""
        assert.strictEqual((yield* send("GET", `/../..${link}`)).text, exportAnswer.text)
      }
    }).pipe(
      Effect.provide(Server.layer({ rate, writer: echoWriter, mailer: Layer.provide(mailer, NodeServices.layer) }))
    )
  })
)
