// test/program/naughty-strings.test.ts: the Big List of Naughty Strings through every text that a caller can send: each comes back as it
// was sent wherever it is shown, or is refused with its field named.
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

const listed: ReadonlyArray<string> = createRequire(import.meta.url)("big-list-of-naughty-strings")

/** What the list has too little of: formulas, what ends a line or a header, what turns it, what CSV quotes. */
const ours = [
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
const strings = [...new Set([...listed, ...ours])]

/** Fields with a format or a fixed set of values, which other tests cover. */
const formed =
  /(^|\.)(\w*_?id|selected_ids\.\*|email|contact_email|contact_phone|website_url|notification_email|branch_from_step|email_count|url|field_mapping(\.\*)?|scopes\.\*|\{key\})$/

/** Answer nothing but that there is no such secret. */
const open = endpoints.filter(({ requiresKey }) => !requiresKey).map(({ name }) => name)

const texts = fields.filter(
  ({ endpoint, kinds, path, location }) =>
    location === "body" && kinds.has("string") && !kinds.has("array") && !formed.test(path) && !open.includes(endpoint)
)

class Own extends Context.Service<Own, FullWorkspace>()("test/Own") {
  static readonly layer = Layer.effect(Own, createFullWorkspace("kestrel"))
}
const rate = { limit: 1_000_000, window: Duration.minutes(1) }
const live = { excludeTestServices: true }

const endpointOf = (name: string) => endpoints.find((endpoint) => endpoint.name === name) ?? assert.fail(name)

/** What each endpoint shows of what it was sent: where to look, and where the same stands in the body. */
type Shown = ReadonlyArray<readonly [what: unknown, place: string]>
const shows: {
  readonly [endpoint: string]: (own: FullWorkspace, answer: Answer) => Effect.Effect<Shown, never, never>
} = {
  createCampaign: (_, { body }) => Effect.succeed([[body.name, "name"]]),
  renameCampaign: (_, { body }) => Effect.succeed([[body.name, "name"]]),
  updatePlaybook: (_, { body }) => Effect.succeed(shownOf(body, "updatePlaybook")),
  createPersona: ({ ids, caller }, { body: made }) =>
    Effect.as(
      caller.delete(`/campaigns/${ids.campaign}/playbook/personas/${made.id}`),
      personaShown(made, "createPersona")
    ),
  updatePersona: (_, { body }) => Effect.succeed(personaShown(body, "updatePersona")),
  createTemplate: ({ ids, caller }, { body: made }) =>
    Effect.as(
      caller.delete(`/campaigns/${ids.campaign}/playbook/templates/${made.id}`),
      shownOf(made, "createTemplate")
    ),
  updateTemplate: (_, { body }) => Effect.succeed(shownOf(body, "updateTemplate")),
  renameList: ({ ids, caller }, { body: entry }) =>
    Effect.map(expectBody(200, caller.get(`/lists/${ids.list}`)), (list) => [
      [entry.custom_name, "custom_name"],
      [list.custom_name, "custom_name"]
    ]),
  editEmail: (_, { body }) => Effect.succeed(shownOf(body, "editEmail")),
  reviewLead: (_, { body: { review } }) => Effect.succeed([[review.note ?? "", "note"]]),
  createWebhook: ({ caller }, { body: made }) =>
    Effect.as(caller.delete(`/webhooks/${made.id}`), [[made.description ?? "", "description"]]),
  updateWebhook: (_, { body }) => Effect.succeed([[body.description ?? "", "description"]]),
  createKey: ({ caller }, { body: made }) => Effect.as(caller.delete(`/keys/${made.id}`), [[made.name ?? "", "name"]]),
  createSignature: ({ caller }, { body: made }) =>
    Effect.map(expectBody(200, caller.get("/signatures?limit=1")), ({ data }) => [
      [made.signature_text, "signature_text"],
      [data[0].signature_text, "signature_text"]
    ]),
  replaceSignature: (_, { body }) => Effect.succeed([[body.signature_text, "signature_text"]]),
  updateDetails: ({ caller }, { body: { details } }) =>
    Effect.map(expectBody(200, caller.get("/workspace")), (workspace) =>
      [details, workspace.details].flatMap((shown): Shown => shownOf(shown, "updateDetails"))
    ),
  setTargetAudience: ({ ids, caller }) =>
    Effect.map(expectBody(200, caller.get(`/campaigns/${ids.campaign}/selections`)), ({ target_audience }) =>
      shownOf({ target_audience }, "setTargetAudience")
    ),
  branchCampaign: ({ caller }, { body: { id } }) =>
    Effect.gen(function* () {
      const { target_audience } = yield* expectBody(200, caller.get(`/campaigns/${id}/selections`))
      const { campaigns } = yield* expectBody(200, caller.get("/campaigns?limit=1"))
      return [...shownOf({ target_audience }, "branchCampaign"), [campaigns[0].name, "name"]]
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
  generate: ({ caller }, { body: made }) =>
    Effect.gen(function* () {
      const { custom_name } = yield* expectBody(200, caller.get(`/lists/${made.list_id}`))
      const { leads } = yield* expectBody(200, caller.get(`/lists/${made.list_id}/export?format=json`))
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

/** Every text of an answer that has the form of what was sent. */
const shownOf = (shown: unknown, endpoint: string): Shown =>
  texts
    .filter((field) => field.endpoint === endpoint)
    .flatMap(({ path }) => matchingPaths(shown, path))
    .map((place) => [valueAt(shown, place), place.join(".")])

/** A part of a message that says nothing is shown as null. */
const personaShown = (shown: unknown, endpoint: string): Shown =>
  shownOf(shown, endpoint).map(([what, place]) => [what ?? "", place])

/** The body with this text wherever one goes, and one's own segment left out: a custom one has no id. */
const bodyWith = (endpoint: string, own: FullWorkspace, text: string, except: ReadonlyArray<string> = []) => {
  const given = withValue(fullBody(endpoint, own), ["conversation_id"], null)
  // A batch has the same lead twice, and both are looked at.
  const plain = endpoint === "generateBatch" ? withValue(given, ["options", "skip_duplicates"], false) : given
  const whole = /Audience|branch/.test(endpoint)
    ? withValue(withValue(plain, ["target_audience", "id"], null), ["is_custom_target_audience"], true)
    : plain
  return texts
    .filter((field) => field.endpoint === endpoint)
    .flatMap(({ path }) => matchingPaths(whole, path))
    .filter((place) => !except.includes(place.join(".")))
    .reduce((sent, place) => withValue(sent, place, text), whole)
}

/** Sends it, without the fields that are refused by name; answers what was sent and what came of it. */
const sent = Effect.fnUntraced(function* (endpoint: string, own: FullWorkspace, text: string) {
  const send = Effect.fnUntraced(function* (body: unknown) {
    const request = (sent: unknown) => own.caller.send(...fullRequest(endpointOf(endpoint), own, { body: sent }))
    const answer = yield* request(body)
    // An edit names the version that it changes.
    if (endpoint !== "editEmail" || answer.status !== 409) return answer
    return yield* request(withValue(body, ["version"], answer.body.detail.email.version))
  })
  const first = bodyWith(endpoint, own, text)
  const answer = yield* send(first)
  if (answer.status < 300) return { sent: first, answer }
  const about = `${endpoint} ${JSON.stringify(text)}: ${answer.text}`
  assert.deepStrictEqual([answer.status, answer.body.error], [400, "BAD_REQUEST"], about)
  const refused: ReadonlyArray<string> = answer.body.detail.issues.map(({ path }: { readonly path: string }) => path)
  for (const path of refused) assert.strictEqual(valueAt(first, path.split(".")), text, about)
  const rest = bodyWith(endpoint, own, text, refused)
  const again = yield* send(rest)
  assert.isBelow(again.status, 300, `${endpoint} ${JSON.stringify(text)}: ${again.text}`)
  return { sent: rest, answer: again }
})

/** As it is shown: what is called something is so without the space around it, and nothing clears a detail. */
const isSame = (shown: unknown, text: unknown) =>
  shown === text ||
  (shown === null && text === "") ||
  (typeof text === "string" && shown === text.trim() && text !== text.trim())

/**
 * A batch shows as much as a single lead; instructions need a model; an entry that is suppressed already keeps its reason; the
 * others answer about a text, not with it.
 */
const silent = [
  "generateBatch",
  "redraftPlaybook",
  "addSuppressions",
  "tryPlaybook",
  "lint",
  "rewriteLead",
  "reviewLeads"
]

const service = Own.layer.pipe(Layer.provideMerge(Server.layer({ rate, writer: partlyFailingWriter })))

layer(service, live)("a naughty string", (it) => {
  it("is one of many, and has its place in every text of the contract", () => {
    assert.isAbove(listed.length, 400)
    const endpoints = new Set(texts.map(({ endpoint }) => endpoint))
    assert.sameMembers([...endpoints], [...Object.keys(shows), ...silent])
  })

  /** What takes a campaign back to its draft comes last. */
  const late = (name: string) => Number(/^(set|select|branch)/.test(name))
  const asked = Object.keys(shows).toSorted((a, b) => late(a) - late(b))

  it.effect.each(asked.map((name, at) => ({ name, at })))("is returned unchanged: $name", ({ at, name }) =>
    Effect.gen(function* () {
      const own = yield* Own
      // What starts work is sent every fifth string of the list, each of them others.
      const isSlow = /^(set|select|branch|generate|preview|chat)/.test(name)
      for (const text of isSlow ? [...listed.filter((_, i) => i % 5 === at % 5), ...ours] : strings) {
        const { answer, sent: whole } = yield* sent(name, own, text)
        const shown = (yield* shows[name]?.(own, answer) ?? Effect.succeed([])) ?? []
        assert.isNotEmpty(shown)
        for (const [what, place] of shown) {
          const was = valueAt(whole, place.split("."))
          // An email has plain line ends.
          if (name === "editEmail" && what === String(was).replaceAll("\r\n", "\n")) continue
          if (!isSame(what, was)) assert.strictEqual(what, was, `${name} ${place}`)
        }
      }
      yield* waitUntilIdle
    })
  )
})

/** A file of RFC 4180, read as strictly as it is written. */
const cellsOf = (csv: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  let row: Array<string> = []
  let read = 0
  for (const [whole, quoted, plain = "", end] of csv.matchAll(cell)) {
    read += whole.length
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ",") continue
    rows.push(row)
    row = []
  }
  assert.strictEqual(read, csv.length, "The file is no CSV from here on")
  return rows
}

/** What a spreadsheet is shown for a text: never a formula. */
const inert = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** What a header says, its encoded words read. */
const decoded = (header: string) =>
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

/** A writer that says what the lead says. */
const echo: Partial<Generator["Service"]> = {
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
      yield* (yield* Links).listening("http://overture.example")
      const { send } = yield* Server.Server
      const own = yield* createFullWorkspace("kestrel")
      for (const text of [...listed.filter((_, i) => i % 5 === 4), ...ours]) {
        const about = JSON.stringify(text)
        const { answer, sent: whole } = yield* sent("generateBatch", own, text)
        const list: string = answer.body.list_id
        const state = yield* until(
          own.caller.get(`/lists/${list}`),
          ({ body }) => body.processing_status === "completed"
        )
        const name = String(valueAt(whole, ["options", "list_name"]))
        if (!isSame(state.body.custom_name, name)) assert.strictEqual(state.body.custom_name, name)

        const files = yield* own.caller.get(`/lists/${list}/export`)
        assert.match(files.headers.get("content-disposition") ?? "", /^attachment; filename="[\w.-]{1,90}\.csv"$/)
        const [header, row, second, ...rest] = cellsOf(files.text)
        assert.deepStrictEqual([second, rest], [row, []], about)
        const lead = ["name", "title", "company", "linkedin_url", "company_website"].map((field) =>
          String(valueAt(whole, ["leads", "0", field]))
        )
        const { leads } = yield* expectBody(200, own.caller.get(`/lists/${list}/export?format=json`))
        const { subject, body: email } = leads[0].sequence[0]
        assert.deepStrictEqual(row?.slice(0, 6), ["ida@north.example", ...lead.map(inert)], about)
        assert.deepStrictEqual(row?.slice(6, 8), [inert(subject), inert(email)], about)
        const custom = String(valueAt(whole, ["leads", "0", "custom_fields", "last_meeting"]))
        assert.deepStrictEqual([header?.at(-1), row?.at(-1)], ["custom_last_meeting", inert(custom)], about)
        assert.strictEqual(leads[0].custom_fields.last_meeting, custom)
        assert.strictEqual(header?.length, row?.length)
        assert.deepStrictEqual([leads[0].name, leads[0].title, leads[0].company], lead.slice(0, 3))
        assert.strictEqual(subject, lead[1])
        const signature = String(valueAt(whole, ["options", "email_signature"]))
          .trim()
          .replaceAll("\\n", "\n")
        assert.isTrue(
          email.startsWith(lead[0]) && email.endsWith(signature.replace(/\r\n?/g, "\n")),
          `${about}: ${JSON.stringify(email)}`
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
          about
        )
        const subjects = headers.filter((line) => line.startsWith("Subject:"))
        assert.deepStrictEqual(
          subjects.map((line) => decoded(line.slice(9))),
          [`List ready: ${withoutLinks(asOneLine(name, 100))}`.trim()]
        )
        assert.include(mailText, `The list "${withoutLinks(asOneLine(name, 100))}" is finished.`)
        const link = /http:\/\/overture\.example(\/files\S+)/.exec(mailText)?.[1] ?? ""
        assert.strictEqual((yield* send("GET", `/../..${link}`)).text, files.text)
      }
    }).pipe(Effect.provide(Server.layer({ rate, writer: echo, mailer: Layer.provide(mailer, NodeServices.layer) })))
  })
)
