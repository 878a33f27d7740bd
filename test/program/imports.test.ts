// test/program/imports.test.ts: a workspace imports documents: valid ones, and harmful ones that are refused.
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { noDetails } from "#schema/Details.ts"
import { expectBody, expectError } from "../support/answers.ts"
import { newCaller, type Caller, awaitJob, json } from "../support/callers.ts"
import * as Documents from "../support/documents.ts"
import { upload } from "../support/endpoints.ts"
import * as Server from "../support/server.ts"
import * as Socket from "../support/socket.ts"

const liveTests = { timeout: 40_000, excludeTestServices: true } as const
const path = "/workspace/imports/document"

const send = (caller: Caller, name: string, content: string | Uint8Array<ArrayBuffer>) =>
  caller.send("POST", path, upload(name, content))

/** Sends a document, waits until its job ends, and returns the result. */
const importDocument = Effect.fnUntraced(function* (
  caller: Caller,
  name: string,
  content: string | Uint8Array<ArrayBuffer>
) {
  const { id } = yield* expectBody(202, send(caller, name, content))
  const job = yield* awaitJob(caller, id)
  assert.deepStrictEqual([job.status, job.error], ["completed", null])
  return job.result
})

const readDetails = (caller: Caller) =>
  Effect.map(expectBody(200, caller.get("/workspace")), (workspace) => workspace.details)

const fieldName = ({ field }: { readonly field: string }) => field

const lines = [
  "# Oakline Floors",
  "Oakline Floors lays oak floors in Ghent, Belgium. Contact: Noor Peeters, Sales Manager, noor@oakline.example.",
  "## Products",
  "- Plank floor, EUR 89 per m2",
  "- Parquet, from EUR 120"
]
const importedDetails = {
  ...noDetails,
  company_name: "Acme",
  contact_name: "Noor Peeters",
  contact_title: "Sales Manager",
  contact_email: "noor@oakline.example",
  business_description: "Oakline Floors lays oak floors in Ghent, Belgium.",
  core_products: [
    { product: "Plank floor", pricing: "EUR 89 per m2" },
    { product: "Parquet", pricing: "from EUR 120" }
  ]
}
const importedFields = ["business_description", "contact_email", "contact_name", "contact_title", "core_products"]

layer(Server.layer(), liveTests)("a document", (it) => {
  it.effect.each([
    ["notes.md", lines.join("\n\n")],
    ["NOTES.TXT", new Uint8Array(Buffer.from(`\ufeff${lines.join("\r\n\r\n")}`))],
    ["wide.txt", new Uint8Array(Buffer.from(`\ufeff${lines.join("\n\n")}`, "utf16le"))],
    ["brochure.docx", Documents.docx(lines)],
    ["brochure.pdf", Documents.pdf([lines.map((line) => line.replace(/^#+ /, ""))])]
  ] as const)(
    "is read as %s, and fills only empty fields",
    ([name, content]) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const { fields_updated, missing, sources, status } = yield* importDocument(caller, name, content)
        assert.strictEqual(status, "success")
        // The description is the text under the first heading, and a PDF has no headings.
        const isMarked = !name.endsWith(".pdf")
        const expectedFields = isMarked ? importedFields : importedFields.slice(1)
        assert.deepStrictEqual([...fields_updated].toSorted(), expectedFields)
        assert.deepStrictEqual(
          yield* readDetails(caller),
          isMarked ? importedDetails : { ...importedDetails, business_description: null }
        )
        assert.sameMembers([...new Set(sources.map(fieldName))], expectedFields)
        const missingFields = missing.map(fieldName)
        const [firstMissing] = missing
        if (isMarked) assert.strictEqual(firstMissing?.field, "ideal_client_description")
        else assert.include(firstMissing?.candidates[0], "Oakline Floors lays oak floors in Ghent, Belgium.")
        for (const field of [...expectedFields, "company_name"]) assert.notInclude(missingFields, field)
        // A second import finds no empty field.
        const secondResult = yield* importDocument(caller, name, content)
        assert.deepStrictEqual(
          [secondResult.status, secondResult.fields_updated, secondResult.sources],
          ["success", [], []]
        )
        assert.deepStrictEqual(secondResult.missing, missing)
        assert.deepStrictEqual(secondResult.conflicts, [{ field: "company_name", candidates: ["Oakline Floors"] }])
      }),
    // Each test starts two threads, which takes long on a busy machine.
    { timeout: 180_000 }
  )

  it.effect("names the fields for which it states another value, and leaves them as they are", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const details = { contact_phone: "+44 20 7946 0001", guarantee: ["A late start is free."] }
      yield* expectBody(200, caller.put("/workspace/details", details))
      const text = [
        "Company: Oakline Floors",
        "Phone: +44 20 7946 0000",
        "Guarantee: A late start is FREE.",
        "Guarantee: A floor that moves is relaid."
      ]
      const result = yield* importDocument(caller, "other.md", text.join("\n\n"))
      assert.sameDeepMembers(result.conflicts, [
        { field: "company_name", candidates: ["Oakline Floors"] },
        { field: "contact_phone", candidates: ["+44 20 7946 0000"] },
        { field: "guarantee", candidates: ["A floor that moves is relaid."] }
      ])
      assert.deepInclude(yield* readDetails(caller), { ...details, company_name: "Acme" })
    })
  )

  it.effect("is answered with a job that is pending", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const answer = yield* send(caller, "a.txt", "Company: North")
      assert.strictEqual(answer.status, 202)
      const { created_at, id, updated_at, ...rest } = answer.body
      const type = "workspace.import.document"
      assert.deepStrictEqual(rest, { type, status: "pending", progress: null, result: null, error: null })
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.strictEqual(created_at, updated_at)
      assert.strictEqual(answer.headers.get("x-ratelimit-limit"), "20")
      const otherCaller = yield* newCaller()
      yield* expectError(404, "NOT_FOUND", otherCaller.get(`/jobs/${id}`))
    })
  )

  it.effect("keeps details that the owner entered before the import", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const ownDetails = { city_region: "Bruges", core_products: [{ product: "Rugs" }] }
      yield* expectBody(200, caller.put("/workspace/details", ownDetails))
      yield* importDocument(caller, "a.md", lines.join("\n\n"))
      const detailsAfter = yield* readDetails(caller)
      assert.deepStrictEqual(detailsAfter, {
        ...importedDetails,
        city_region: "Bruges",
        core_products: [{ product: "Rugs", pricing: "" }]
      })
    })
  )

  it.effect("in CSV fills the fields that its rows name", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const csv = readFileSync(new URL("../fixtures/brochures/profile.csv", import.meta.url), "utf8")
      const { status } = yield* importDocument(caller, "profile.csv", csv)
      assert.strictEqual(status, "success")
      assert.strictEqual((yield* readDetails(caller)).business_address, "14 Corn Lane, Bristol BS1 4QD, UK")
    })
  )

  it.effect("in Word keeps its tables", () =>
    Effect.gen(function* () {
      const cell = (text: string): string => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`
      const row = (a: string, b: string): string => `<w:tr>${cell(a)}${cell(b)}</w:tr>`
      const caller = yield* newCaller()
      yield* importDocument(
        caller,
        "a.docx",
        Documents.docx(["# Prices", `<w:tbl>${row("Wax", "EUR 9")}${row("Oil", "EUR 12")}</w:tbl>`])
      )
      const { core_products } = yield* readDetails(caller)
      assert.deepStrictEqual(core_products, [
        { product: "Wax", pricing: "EUR 9" },
        { product: "Oil", pricing: "EUR 12" }
      ])
    })
  )

  it.effect("in Word keeps its lists and text boxes, each once", () =>
    Effect.gen(function* () {
      const paragraph = (text: string, style = ""): string =>
        `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
      const box = `<w:txbxContent>${paragraph("Contact: Iker Ruiz, Operations Director")}</w:txbxContent>`
      const caller = yield* newCaller()
      yield* importDocument(
        caller,
        "a.docx",
        Documents.docx([
          "# Prices",
          paragraph("Survey – EUR 390", "ListBullet"),
          `<w:p><w:r><w:t>In short</w:t></w:r><w:r><mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r></w:p>`,
          "<w:p><w:r><w:t>Wash</w:t><w:tab/><w:t>EUR 20</w:t></w:r></w:p>"
        ])
      )
      const { contact_name, contact_title, core_products } = yield* readDetails(caller)
      assert.deepStrictEqual([contact_name, contact_title], ["Iker Ruiz", "Operations Director"])
      assert.deepStrictEqual(core_products, [
        { product: "Survey", pricing: "EUR 390" },
        { product: "Wash", pricing: "EUR 20" }
      ])
    })
  )

  it.effect("in Word has its entities left unexpanded", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join("")
      const content = `<!DOCTYPE x [<!ENTITY e0 "Company: Evil">${entities}]><w:document><w:p><w:r><w:t>Company: &e9;</w:t></w:r></w:p></w:document>`
      yield* importDocument(caller, "a.docx", Documents.zip([{ name: "word/document.xml", content }]))
      assert.strictEqual((yield* readDetails(caller)).company_name, "Acme")
    })
  )

  it.effect("fills each field once when two are imported at the same time", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const results = yield* Effect.all(
        [
          importDocument(caller, "a.txt", "Industry: Floors\n\nCity: Ghent"),
          importDocument(caller, "b.txt", "Industry: Doors\n\nPhone: +32 9 555 01 20")
        ],
        { concurrency: "unbounded" }
      )
      const fields = results.flatMap(({ fields_updated }) => fields_updated).toSorted()
      assert.deepStrictEqual(fields, ["city_region", "contact_phone", "industry_vertical"])
    })
  )

  const xml = (content: string | Buffer, claimedSize?: number) => [
    { name: "word/document.xml", content, ...(claimedSize !== undefined && { claimedSize }) }
  ]
  const page = lines.map((line) => line.replace(/^#+ /, ""))
  const validPdf = Documents.pdf([page])
  const encryption =
    "/Encrypt << /Filter /Standard /V 1 /R 2 /O (12345678901234567890123456789012) /U (12345678901234567890123456789012) /P -4 >> /ID [<00><00>]"

  const harmfulDocuments: ReadonlyArray<readonly [string, string, () => string | Uint8Array<ArrayBuffer>, RegExp]> = [
    ["a bomb", "a.docx", () => Documents.zip(xml(Buffer.alloc(120 * 1024 * 1024))), /far more/],
    [
      "a bomb that understates its size",
      "a.docx",
      () => Documents.zip(xml(Buffer.alloc(90 * 1024 * 1024), 100)),
      /far more/
    ],
    [
      "an archive of 1001 parts",
      "a.docx",
      () => Documents.zip(Array.from({ length: 1001 }, (_, i) => ({ name: `${i}`, content: "" }))),
      /1000 parts/
    ],
    [
      "an archive that is not a document",
      "a.docx",
      () => Documents.zip([{ name: "a.txt", content: "a" }]),
      /not a Word document/
    ],
    ["a truncated archive", "a.docx", () => Documents.docx(lines).slice(0, 200), /damaged/],
    [
      "a locked archive",
      "a.docx",
      () => Documents.zip([{ name: "word/document.xml", content: "x", flags: 1 }]),
      /password/
    ],
    ["a document without a word", "a.docx", () => Documents.docx([""]), /no text/],
    ["a blank file", "a.txt", () => " \n ", /no text/],
    ["a PDF of garbage", "a.pdf", () => `%PDF-1.7\n${"garbage ".repeat(500)}`, /damaged|no text/],
    ["a truncated PDF", "a.pdf", () => validPdf.slice(0, 60), /damaged|no text/],
    ["a locked PDF", "a.pdf", () => Documents.pdf([page], encryption), /password/],
    ["a PDF without text", "a.pdf", () => Documents.pdf([[]]), /no text/],
    ["a PDF that inflates to 600 MB", "a.pdf", () => Documents.inflatingPdf(600), /more memory/],
    ["a PDF of 301 pages", "a.pdf", () => Documents.pdf(Array.from({ length: 301 }, () => ["x"])), /300 pages/]
  ]
  it.effect.each(harmfulDocuments)("that is %s fails, and its result gives the reason", ([, name, content, reason]) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { error, ...rest } = yield* importDocument(caller, name, content())
      assert.deepStrictEqual(rest, { status: "failed", fields_updated: [] })
      assert.match(error, reason)
      assert.deepStrictEqual(yield* readDetails(caller), { ...noDetails, company_name: "Acme" })
    })
  )

  it.effect("with more markup than fits in memory does not harm the server", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const nestedTables = "<w:tbl><w:tr><w:tc>".repeat(40_000)
      const { status } = yield* importDocument(caller, "deep.docx", Documents.docx([nestedTables, ...lines]))
      assert.include(["success", "failed"], status)
      yield* Server.assertConsistent
    })
  )
})

layer(Server.layer({ runsWorkers: false }), liveTests)("an upload", (it) => {
  const form = (...parts: ReadonlyArray<readonly [name: string, value: string | File]>): RequestInit => {
    const data = new FormData()
    for (const [name, value] of parts) {
      if (typeof value === "string") data.append(name, value)
      else data.append(name, value)
    }
    return { body: data }
  }
  const file = (name: string, content: string | Uint8Array<ArrayBuffer> = "text") => new File([content], name)
  const maxBytes = 10 * 1024 * 1024

  it.effect.each([
    ["nothing", {}, /multipart/],
    ["JSON", json({ file: "x" }), /multipart/],
    ["a form without parts", form(), /required|well-formed/],
    ["a field for a file", form(["file", "text"]), /must be a file/],
    ["another part", form(["document", file("a.txt")]), /exactly one/],
    ["two files", form(["file", file("a.txt")], ["file", file("b.txt")]), /exactly one/],
    ["a page", form(["file", file("a.html")]), /\.txt, \.md, \.csv, \.pdf or \.docx/],
    ["no extension", form(["file", file("notes")]), /\.docx/],
    ["a double extension", form(["file", file("a.pdf.exe")]), /\.docx/],
    ["an empty file", form(["file", file("a.txt", "")]), /empty/],
    ["a text named .pdf", form(["file", file("a.pdf")]), /named \.pdf/],
    ["a text named .docx", form(["file", file("a.docx")]), /named \.docx/],
    ["a PDF named .docx", form(["file", file("a.docx", Documents.pdf([["x"]]))]), /is a PDF/],
    ["a PDF named .txt", form(["file", file("a.txt", Documents.pdf([["x"]]))]), /is a PDF/],
    ["an archive named .csv", form(["file", file("a.csv", Documents.docx(["x"]))]), /ZIP/],
    ["an old Word file", form(["file", file("a.docx", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1]))]), /old Office/],
    ["bytes named .txt", form(["file", file("a.txt", new Uint8Array([1, 2, 0, 4]))]), /something else/],
    ["a byte too many", form(["file", file("a.txt", "x".repeat(maxBytes + 1))]), /too large/]
  ] as const)("of %s is refused", ([, init, message]) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const answer = yield* caller.send("POST", path, init)
      assert.deepStrictEqual([answer.status, answer.body.error], [400, "BAD_REQUEST"])
      assert.match(answer.body.message, message)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT id FROM uploads WHERE workspace_id = ${caller.workspace}`, [])
    })
  )

  it.effect("may have exactly the largest allowed size, and other form fields", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      yield* expectBody(
        202,
        caller.send("POST", path, form(["note", "ours"], ["file", file("a.txt", "x".repeat(maxBytes))]))
      )
    })
  )

  it.effect("needs the scope workspace:write", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller({ scopes: ["workspace:read"] })
      yield* expectError(403, "FORBIDDEN", send(caller, "a.txt", "x"))
    })
  )

  it.effect("counts towards the document limit of the plan forever, and towards its storage by size", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const addUploads = (caller: Caller, count: number, bytes: number) =>
        sql`INSERT INTO uploads (id, workspace_id, kind, bytes, created_at)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
            SELECT ${caller.workspace} || i, ${caller.workspace}, 'txt', ${bytes}, '' FROM n`
      const callerWithManyUploads = yield* newCaller({ plan: "free" })
      yield* addUploads(callerWithManyUploads, 19, 1)
      yield* expectBody(202, send(callerWithManyUploads, "a.txt", "x"))
      const answer = yield* send(callerWithManyUploads, "a.txt", "x")
      assert.deepStrictEqual([answer.status, answer.body.error], [429, "WORKSPACE_LIMIT"])
      assert.match(answer.body.message, /20 documents/)

      const callerWithLargeUpload = yield* newCaller({ plan: "free" })
      yield* addUploads(callerWithLargeUpload, 1, 50_000_000 - 10)
      yield* expectBody(202, send(callerWithLargeUpload, "a.txt", "0123456789"))
      yield* expectError(429, "WORKSPACE_LIMIT", send(callerWithLargeUpload, "a.txt", "x"))
      // An invalid body is refused before the plan is checked.
      yield* expectError(400, "BAD_REQUEST", send(callerWithLargeUpload, "a.exe", "x"))
      const internalCaller = yield* newCaller({ plan: "internal" })
      yield* addUploads(internalCaller, 30, 5_000_000_000)
      yield* expectBody(202, send(internalCaller, "a.txt", "x"))
    })
  )

  it.effect("is refused after 20 uploads within a minute", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      for (let i = 0; i < 20; i++) yield* expectError(400, "BAD_REQUEST", send(caller, "a.exe", "x"))
      const { headers, status } = yield* send(caller, "a.txt", "x")
      assert.strictEqual(status, 429)
      assert.match(headers.get("retry-after") ?? "", /^\d+$/)
      assert.strictEqual((yield* caller.get("/workspace")).status, 200)
    })
  )
})

it.live("an upload stores neither file nor job when one of them cannot be stored", () =>
  Effect.gen(function* () {
    const caller = yield* newCaller()
    yield* Server.dropTable("jobs")
    yield* expectError(500, "INTERNAL_ERROR", send(caller, "a.txt", "x"))
    const sql = yield* SqlClient.SqlClient
    assert.deepStrictEqual(yield* sql`SELECT id FROM uploads`, [])
  }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
)

layer(Socket.layer, liveTests)("an upload over a socket", (it) => {
  const contentType = (boundary: string) => [["Content-Type", `multipart/form-data; boundary=${boundary}`]] as const
  const partHead = `--q\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`

  it.effect("is accepted as a browser sends it", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      yield* expectBody(202, send(caller, "a.txt", "Company: North"))
    })
  )

  it.effect("is refused when it ends too early, is empty, or never ends", () =>
    Effect.gen(function* () {
      const { raw } = yield* Socket.Socket
      const caller = yield* newCaller()
      const key = ["X-API-Key", caller.key] as const
      const sendChunked = (...parts: ReadonlyArray<string>) =>
        raw("POST", path, [...contentType("q"), key, ["Transfer-Encoding", "chunked"]], Socket.chunked(...parts))
      for (const parts of [
        [partHead, "half"],
        ["no part at all"],
        ["--q--\r\n"],
        [partHead, ...Array.from({ length: 12 }, () => "x".repeat(1024 * 1024)), "\r\n--q--\r\n"],
        [
          ...Array.from({ length: 30 }, (_, i) => `--q\r\nContent-Disposition: form-data; name="f${i}"\r\n\r\nx\r\n`),
          "--q--\r\n"
        ]
      ]) {
        yield* expectError(400, "BAD_REQUEST", sendChunked(...parts))
      }
      const oversizedUpload = raw("POST", path, [...contentType("q"), key, ["Content-Length", "99999999"]], [])
      yield* expectError(400, "BAD_REQUEST", oversizedUpload)
    })
  )
})
