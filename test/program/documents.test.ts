// test/program/documents.test.ts: hostile documents: the service reads or refuses each, and none harms the server.
import { assert, it, layer } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { deflateSync } from "node:zlib"
import { Researcher } from "#layers/Researcher.ts"
import { detectKind } from "#layers/research/read/FileKinds.ts"
import type { ReadRequest, ReadReply } from "#layers/research/ReadSource.ts"
import { allTexts } from "#layers/model/SourceFacts.ts"
import { ReadingTime } from "#layers/threads/RunInThread.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { expectBody, expectError } from "../support/answers.ts"
import { newCaller, type Caller, awaitJob } from "../support/callers.ts"
import * as Documents from "../support/documents.ts"
import { upload } from "../support/endpoints.ts"
import * as Server from "../support/server.ts"
import { until } from "../support/until.ts"

const liveTests = { timeout: 60_000, excludeTestServices: true } as const
const path = "/workspace/imports/document"
type Bytes = string | Uint8Array<ArrayBuffer>
const toBytes = (content: Bytes) => (typeof content === "string" ? new Uint8Array(Buffer.from(content)) : content)

const send = (caller: Caller, name: string, content: Bytes) => caller.send("POST", path, upload(name, content))

const lines = [
  "# Oakline Floors",
  "Oakline Floors lays oak floors in Ghent, Belgium.",
  "Guarantee: ten years",
  "- Parquet, EUR 120"
]
const xml = (content: string | Buffer) => ({ name: "word/document.xml", content })
const wordDocument = (text: string) => `<w:document><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:document>`

/** A changed copy of a valid archive. */
const withChange = (content: Uint8Array<ArrayBuffer>, change: (copy: Buffer) => void) => {
  const copy = Buffer.from(content)
  change(copy)
  return new Uint8Array(copy)
}
/** The positions of an archive's first directory entry and of its end record. */
const zipRecordOffsets = (copy: Buffer) => ({
  entry: copy.indexOf("PK\u0001\u0002"),
  end: copy.lastIndexOf("PK\u0005\u0006")
})

const pdfStream = (content: string | Buffer, dictionary = "") => {
  const text = Buffer.from(content).toString("latin1")
  return `<< /Length ${text.length} ${dictionary} >>\nstream\n${text}\nendstream`
}
/** A PDF of one page with these contents, extra resources, and extra objects that are numbered from 6. */
const pdf = (
  contents: string,
  resources = "",
  extraObjects: ReadonlyArray<string> = [],
  catalog = "",
  tree = "/Count 1 /Kids [3 0 R]"
) =>
  Documents.pdfFrom([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages ${tree} >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> >>`,
    contents,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...extraObjects
  ])
const pdfTextStream = (text: string) => pdfStream(`BT /F1 11 Tf 50 780 Td (${text}) Tj ET`)
const pdfForm = (content: string, nextObject: number) =>
  pdfStream(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${nextObject} 0 R >> >>`
  )
/** Each form draws the next one ten times, so the page has over a billion words. */
const billionLaughsPdf = () =>
  pdf(pdfStream("/X Do"), "/XObject << /X 6 0 R >>", [
    ...Array.from({ length: 11 }, (_, index) => pdfForm("/X Do ".repeat(10), 7 + index)),
    pdfForm("BT /F1 11 Tf (ha) Tj ET", 17)
  ])

const failure = (reason: RegExp) => ({ status: "failed", reason })
const success = { status: "success", reason: /^$/ }

const hostileDocuments: ReadonlyArray<
  readonly [string, string, () => Bytes, { readonly status: string; readonly reason: RegExp }]
> = [
  [
    "an archive within an archive",
    "a.docx",
    () => Documents.zip([{ name: "a.docx", content: Buffer.from(Documents.docx(lines)) }]),
    failure(/not a Word/)
  ],
  [
    "an archive of more parts than it declares",
    "a.docx",
    () => withChange(Documents.docx(lines), (copy) => copy.writeUInt16LE(9, zipRecordOffsets(copy).end + 10)),
    failure(/damaged/)
  ],
  [
    "an archive of 65,535 parts",
    "a.docx",
    () => withChange(Documents.docx(lines), (copy) => copy.writeUInt16LE(0xffff, zipRecordOffsets(copy).end + 10)),
    failure(/1000 parts/)
  ],
  [
    "an archive whose directory is outside the file",
    "a.docx",
    () => withChange(Documents.docx(lines), (copy) => copy.writeUInt32LE(0xfffffff0, zipRecordOffsets(copy).end + 16)),
    failure(/damaged/)
  ],
  [
    "an archive with ZIP64 sizes",
    "a.docx",
    () =>
      withChange(Documents.docx(lines), (copy) => copy.writeUInt32LE(0xffffffff, zipRecordOffsets(copy).entry + 24)),
    failure(/far more/)
  ],
  [
    "an archive whose parts overlap",
    "a.docx",
    () => Documents.zip(Array.from({ length: 300 }, () => ({ ...xml(wordDocument("x")), claimedSize: 500_000 }))),
    failure(/far more/)
  ],
  [
    "a document with external entities",
    "a.docx",
    () =>
      Documents.zip([
        xml(
          `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd">%p;]>${wordDocument("Guarantee: &e;%p;")}`
        )
      ]),
    success
  ],
  [
    "a document with external entities in its styles",
    "a.docx",
    () =>
      Documents.zip([
        xml(wordDocument("Guarantee: ten years")),
        { name: "word/styles.xml", content: `<!DOCTYPE x SYSTEM "file:///etc/passwd"><x>&x;</x>` }
      ]),
    success
  ],
  [
    "a document of nested tags only",
    "a.docx",
    () => Documents.zip([xml("<w:p>".repeat(40_000))]),
    failure(/no text|memory|stopped|damaged/)
  ],
  [
    "a document of invalid character references",
    "a.docx",
    () => Documents.zip([xml(wordDocument("Guarantee: &#0;&#xd800;&#x110000;&nope;&"))]),
    success
  ],
  [
    "a PDF with a script and an attached file",
    "a.pdf",
    () =>
      pdf(
        pdfTextStream("Guarantee: ten years"),
        "",
        [pdfStream("MZ")],
        "/OpenAction << /S /JavaScript /JS (while(true){}) >> /Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /EF << /F 6 0 R >> >>] >> >>"
      ),
    success
  ],
  [
    "a PDF whose pages are their own parent",
    "a.pdf",
    () => pdf(pdfTextStream("x"), "", [], "", "/Count 100 /Kids [2 0 R]"),
    failure(/damaged|no text/)
  ],
  [
    "a PDF with a negative page count",
    "a.pdf",
    () => pdf(pdfTextStream("Guarantee: ten years"), "", [], "", "/Count -1 /Kids [3 0 R]"),
    failure(/no text/)
  ],
  [
    "a PDF whose form draws itself",
    "a.pdf",
    () =>
      pdf(pdfStream("/X Do"), "/XObject << /X 6 0 R >>", [
        pdfForm("BT /F1 11 Tf (Guarantee: ten years) Tj ET /X Do", 6)
      ]),
    success
  ],
  [
    "a PDF compressed 20 times",
    "a.pdf",
    () => {
      let packed = Buffer.from("BT /F1 11 Tf (Guarantee: ten years) Tj ET")
      for (let index = 0; index < 20; index++) packed = deflateSync(packed)
      return pdf(pdfStream(packed, `/Filter [${"/FlateDecode ".repeat(20)}]`))
    },
    success
  ],
  [
    "a PDF whose length refers to itself",
    "a.pdf",
    () => pdf("<< /Length 4 0 R >>\nstream\nBT /F1 11 Tf (Guarantee: ten years) Tj ET\nendstream"),
    success
  ],
  [
    "a PDF with a circular cross-reference table",
    "a.pdf",
    () =>
      toBytes(
        Buffer.from(pdf(pdfTextStream("Guarantee: ten years")))
          .toString("latin1")
          .replace("/Root 1 0 R", "/Root 1 0 R /Prev 9")
      ),
    success
  ],
  [
    "a PDF with an image of 10 billion pixels",
    "a.pdf",
    () =>
      pdf(pdfStream("/I Do BT /F1 11 Tf (Guarantee: ten years) Tj ET"), "/XObject << /I 6 0 R >>", [
        pdfStream(
          "x",
          "/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB"
        )
      ]),
    success
  ],
  [
    "a PDF with an archive appended",
    "a.pdf",
    () => new Uint8Array(Buffer.concat([pdf(pdfTextStream("Guarantee: ten years")), Documents.docx(lines)])),
    success
  ],
  ["a table of half a million columns", "a.csv", () => "a,".repeat(500_000), success],
  ["a table of one line of 10 MB", "a.csv", () => "a".repeat(10_000_000), success],
  [
    "a text of more than two million letters",
    "a.txt",
    () => `Guarantee: ten years\n\n${"word ".repeat(600_000)}`,
    success
  ],
  ["a text of one line of 5 MB", "a.md", () => "#".repeat(5_000_000), success]
]

layer(Server.layer(), liveTests)("a hostile document", (it) => {
  it.effect.each(hostileDocuments)("that is %s is read or refused", ([, name, content, { reason, status }]) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { id } = yield* expectBody(202, send(caller, name, content()))
      const job = yield* awaitJob(caller, id)
      assert.deepStrictEqual([job.status, job.error], ["completed", null])
      assert.strictEqual(job.result.status, status, job.result.error)
      assert.match(job.result.error ?? "", reason)
      // The server still answers, and has read no file of the machine.
      yield* expectBody(200, caller.get("/health"))
      assert.notInclude(JSON.stringify((yield* caller.get("/workspace")).body), "root:")
    })
  )

  it.effect("with a damaged cross-reference table gets a result, however its parser fails", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { logs } = yield* Server.Server
      // One promise of the parser fails while another is pending, sometimes before the result and sometimes after it.
      const tornPdf = new Uint8Array(readFileSync(new URL("../fixtures/torn.pdf", import.meta.url)))
      for (let attempt = 0; attempt < 4; attempt++) {
        const { id } = yield* expectBody(202, send(caller, "a.pdf", tornPdf))
        const job = yield* awaitJob(caller, id)
        assert.deepStrictEqual([job.status, job.error], ["completed", null])
      }
      assert.deepStrictEqual(
        logs.filter((line) => /A job broke|ended the thread/.test(line)),
        []
      )
    })
  )

  it.effect("whose text is cut within a character leaves no half of it", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { id } = yield* expectBody(
        202,
        send(
          caller,
          "a.txt",
          `# ${"y".repeat(199)}😀 and more\n\nCompetitors: Weir, KSB\n\nGuarantee: ${"x".repeat(999)}😀 and more`
        )
      )
      const { result } = yield* awaitJob(caller, id)
      assert.strictEqual(result.status, "success")
      assert.strictEqual(result.sources[0].heading, `${"y".repeat(199)}\ufffd`)
      const { details } = yield* expectBody(200, caller.get("/workspace"))
      assert.strictEqual(details.competitors, "Weir, KSB")
      // A value that is too long is omitted, not cut.
      assert.isNull(details.guarantee)
      // The API accepts the imported details unchanged.
      yield* expectBody(200, caller.put("/workspace/details", details))
    })
  )

  it.effect("whose workspace is deleted during the import is dropped", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { logs } = yield* Server.Server
      const caller = yield* newCaller()
      const { id } = yield* expectBody(202, send(caller, "a.md", lines.join("\n\n")))
      yield* until(sql`SELECT id FROM jobs WHERE id = ${id} AND status = 'processing'`, (jobs) => jobs.length === 1)
      yield* (yield* Workspaces).remove(caller.workspace)
      const otherCaller = yield* newCaller()
      const nextImport = yield* expectBody(202, send(otherCaller, "a.md", lines.join("\n\n")))
      assert.strictEqual((yield* awaitJob(otherCaller, nextImport.id)).result.status, "success")
      assert.deepStrictEqual(yield* sql`SELECT id FROM uploads WHERE workspace_id = ${caller.workspace}`, [])
      assert.deepStrictEqual(
        logs.filter((line) => line.includes("A job broke")),
        []
      )
      yield* Server.assertConsistent
    })
  )

  it.effect("that is read twice fills fields once and counts once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* newCaller()
      const { id } = yield* expectBody(202, send(caller, "a.md", lines.join("\n\n")))
      yield* awaitJob(caller, id)
      const { details } = yield* expectBody(200, caller.get("/workspace"))
      yield* sql`UPDATE jobs SET status = 'pending', result = NULL WHERE id = ${id}`
      const secondJob = yield* awaitJob(caller, id)
      assert.deepInclude(secondJob.result, { status: "success", fields_updated: [], sources: [] })
      assert.deepStrictEqual((yield* expectBody(200, caller.get("/workspace"))).details, details)
      assert.strictEqual((yield* sql`SELECT id FROM uploads WHERE workspace_id = ${caller.workspace}`).length, 1)
      yield* Server.assertConsistent
    })
  )
})

layer(Server.layer({ runsWorkers: false }), liveTests)("documents that are sent at the same time", (it) => {
  it.effect("are accepted exactly up to the limit of the plan", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const addUploads = (caller: Caller, count: number, size: number) =>
        sql`INSERT INTO uploads (id, workspace_id, kind, bytes, created_at)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
            SELECT ${caller.workspace} || i, ${caller.workspace}, 'txt', ${size}, '' FROM n`
      const countAccepted = Effect.fnUntraced(function* (caller: Caller) {
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => send(caller, "a.txt", "0123456789")),
          { concurrency: "unbounded" }
        )
        for (const { body, status } of answers) if (status !== 202) assert.strictEqual(body.error, "WORKSPACE_LIMIT")
        return answers.filter(({ status }) => status === 202).length
      })
      const callerWithManyUploads = yield* newCaller({ plan: "free" })
      yield* addUploads(callerWithManyUploads, 17, 1)
      assert.strictEqual(yield* countAccepted(callerWithManyUploads), 3)
      const callerWithLargeUpload = yield* newCaller({ plan: "free" })
      yield* addUploads(callerWithLargeUpload, 1, 50_000_000 - 25)
      assert.strictEqual(yield* countAccepted(callerWithLargeUpload), 2)
    })
  )

  it.effect.each([
    "../../../etc/passwd.txt",
    "..\\..\\a.txt",
    "отчёт о полах.TXT",
    "床.txt",
    ".txt",
    `${"a".repeat(2000)}.txt`,
    "a.pdf.txt",
    "a\u202etxt.txt",
    'a;b="c".txt',
    "con.txt"
  ])("are accepted by their last extension, and stored without folders in their name: %s", (name) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* newCaller()
      yield* expectBody(202, send(caller, name, "Guarantee: ten years"))
      const rows = yield* sql`SELECT * FROM uploads WHERE workspace_id = ${caller.workspace}`
      for (const { file, name: storedName } of rows) {
        assert.notMatch(String(storedName), /[\\/]|^\.\.$|\p{Cf}/u)
        assert.notInclude(String(file), "passwd")
      }
    })
  )

  it.effect.each(["a.txt ", "a.txt.", "a．txt", "a.exe", "a.txt\u202e.exe", "a.docm", "a.html", "txt", "a.txt/"])(
    "are refused with any other extension: %j",
    (name) =>
      Effect.gen(function* () {
        yield* expectError(400, "BAD_REQUEST", send(yield* newCaller(), name, "Guarantee: ten years"))
      })
  )
})

const png = "\u0089PNG\r\n\u001a\n"
it.each([
  ["a.txt", "MZ\u0090\u0000\u0003", false],
  ["a.txt", "MZ is how this begins", true],
  ["a.txt", "\u007fELF\u0002\u0001\u0001\u0000", false],
  ["a.md", "<html><script>x</script>", true],
  ["a.md", png, false],
  ["a.pdf", png, false],
  ["a.pdf", "<html>", false],
  ["a.pdf", `${"x".repeat(1020)}%PDF-1.4`, false],
  ["a.pdf", `${"x".repeat(1000)}%PDF-1.4`, true],
  ["a.docx", "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1", false],
  ["a.docx", "PK\u0005\u0006", false],
  ["a.docx", "Rar!\u001a\u0007", false],
  ["a.csv", "{\\rtf1", false],
  ["a.csv", "\u001f\u008b\u0008", false],
  ["a.csv", "a,b\u0000", false],
  ["a.csv", "x", true]
] as const)("a file %s that starts with %j is accepted as its extension: %s", (name, content, expected) =>
  assert.strictEqual("kind" in detectKind(name, Buffer.from(content, "latin1")), expected)
)

it.effect("a document that takes too long fails after two minutes on a busy machine, and its thread ends", () =>
  Effect.gen(function* () {
    const { extractProfile } = yield* Researcher
    const extraction = yield* Effect.forkChild(
      Effect.flip(extractProfile({ kind: "pdf", content: billionLaughsPdf() }))
    )
    yield* TestClock.withLive(Effect.sleep(500))
    yield* TestClock.adjust("119 seconds")
    assert.isUndefined(extraction.pollUnsafe())
    yield* TestClock.adjust("1 second")
    assert.match((yield* Fiber.join(extraction)).message, /within 120 seconds/)
  }).pipe(Effect.provide(Researcher.layer))
)

it.live("a document fails once its thread has used its CPU time, however busy the machine is", () =>
  Effect.gen(function* () {
    const { extractProfile } = yield* Researcher
    assert.deepStrictEqual(yield* ReadingTime, { cpuTime: Duration.seconds(30), totalTime: Duration.minutes(2) })
    const time = { cpuTime: Duration.seconds(2), totalTime: Duration.minutes(10) }
    const extraction = Effect.flip(extractProfile({ kind: "pdf", content: billionLaughsPdf() }))
    const { message } = yield* Effect.provideService(extraction, ReadingTime, time)
    assert.match(message, /within 2 seconds/)
  }).pipe(Effect.provide(Researcher.layer))
)

/** Random numbers that are the same in every run. */
const seededRandom = (seed: number) => {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

it.live("a document with changed bytes, or cut off anywhere, is read, or refused with a message", () =>
  Effect.gen(function* () {
    const thread = yield* Effect.acquireRelease(
      Effect.sync(() => new Worker(new URL("../support/document-reader-thread.ts", import.meta.url))),
      (thread) => Effect.promise(() => thread.terminate())
    )
    const askThread = (question: ReadRequest) =>
      Effect.promise(async () => {
        const reply = once(thread, "message")
        thread.postMessage(question)
        const [answer]: [ReadReply] = await (reply as Promise<[ReadReply]>)
        return answer
      })
    const readFixture = (name: string) => readFileSync(new URL(`../fixtures/brochures/${name}`, import.meta.url))
    const validDocuments: ReadonlyArray<readonly ["pdf" | "docx" | "md" | "csv" | "txt", Uint8Array, number]> = [
      ["pdf", Documents.pdf([lines, lines]), 200],
      ["docx", Documents.docx(lines), 300],
      ["md", readFixture("pumps.md"), 60],
      ["txt", readFixture("agency.txt"), 60],
      ["csv", readFixture("profile.csv"), 60]
    ]
    const randomBelow = seededRandom(20260101)
    for (const [kind, content, variantCount] of validDocuments) {
      const variants = [
        ...Array.from({ length: 11 }, (_, index) => content.slice(0, Math.floor((content.length * index) / 10))),
        ...Array.from({ length: variantCount }, () => {
          const copy = new Uint8Array(content)
          for (let flips = 1 + randomBelow(8); flips > 0; flips--) {
            const position = randomBelow(copy.length)
            if (randomBelow(3) === 0) copy.copyWithin(position, randomBelow(copy.length), randomBelow(copy.length))
            else copy[position] = randomBelow(256)
          }
          return copy
        })
      ]
      for (const variant of variants) {
        const reply = yield* askThread({ kind, content: variant })
        if ("unreadable" in reply) assert.match(reply.unreadable, /^The [\w ,.;:'-]+$/)
        else {
          assert.isTrue(allTexts(reply.findings).every((text) => text.isWellFormed()))
          assert.notInclude(allTexts(reply.findings).join(), "\u0000")
        }
      }
    }
  })
)
