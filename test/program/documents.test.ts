// test/program/documents.test.ts: hostile documents, and how the service reads them.
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

const live = { timeout: 60_000, excludeTestServices: true } as const
const path = "/workspace/imports/document"
type Bytes = string | Uint8Array<ArrayBuffer>
const bytes = (content: Bytes) => (typeof content === "string" ? new Uint8Array(Buffer.from(content)) : content)

const send = (who: Caller, name: string, content: Bytes) => who.send("POST", path, upload(name, content))

const lines = [
  "# Oakline Floors",
  "Oakline Floors lays oak floors in Ghent, Belgium.",
  "Guarantee: ten years",
  "- Parquet, EUR 120"
]
const xml = (content: string | Buffer) => ({ name: "word/document.xml", content })
const word = (text: string) => `<w:document><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:document>`

/** Bytes of a sound archive, changed. */
const changed = (content: Uint8Array<ArrayBuffer>, change: (copy: Buffer) => void) => {
  const copy = Buffer.from(content)
  change(copy)
  return new Uint8Array(copy)
}
/** Where the directory of an archive begins, and where its end does. */
const zipRecordOffsets = (copy: Buffer) => ({
  entry: copy.indexOf("PK\u0001\u0002"),
  end: copy.lastIndexOf("PK\u0005\u0006")
})

const stream = (content: string | Buffer, dictionary = "") => {
  const text = Buffer.from(content).toString("latin1")
  return `<< /Length ${text.length} ${dictionary} >>\nstream\n${text}\nendstream`
}
/** A PDF of one page with these contents, resources beside its font, and objects from number 6 on. */
const pdf = (
  contents: string,
  resources = "",
  more: ReadonlyArray<string> = [],
  catalog = "",
  tree = "/Count 1 /Kids [3 0 R]"
) =>
  Documents.pdfFrom([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages ${tree} >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> >>`,
    contents,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...more
  ])
const pdfTextStream = (text: string) => stream(`BT /F1 11 Tf 50 780 Td (${text}) Tj ET`)
const form = (content: string, next: number) =>
  stream(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /Font << /F1 5 0 R >> /XObject << /X ${next} 0 R >> >>`
  )
/** Each form shows the next ten times: a billion words, and more, out of a few. */
const billionLaughsPdf = () =>
  pdf(stream("/X Do"), "/XObject << /X 6 0 R >>", [
    ...Array.from({ length: 11 }, (_, at) => form("/X Do ".repeat(10), 7 + at)),
    form("BT /F1 11 Tf (ha) Tj ET", 17)
  ])

const failed = (reason: RegExp) => ({ status: "failed", reason })
const success = { status: "success", reason: /^$/ }

const hostile: ReadonlyArray<
  readonly [string, string, () => Bytes, { readonly status: string; readonly reason: RegExp }]
> = [
  [
    "an archive within an archive",
    "a.docx",
    () => Documents.zip([{ name: "a.docx", content: Buffer.from(Documents.docx(lines)) }]),
    failed(/not a Word/)
  ],
  [
    "an archive of more parts than it says",
    "a.docx",
    () => changed(Documents.docx(lines), (copy) => copy.writeUInt16LE(9, zipRecordOffsets(copy).end + 10)),
    failed(/damaged/)
  ],
  [
    "an archive of 65,535 parts",
    "a.docx",
    () => changed(Documents.docx(lines), (copy) => copy.writeUInt16LE(0xffff, zipRecordOffsets(copy).end + 10)),
    failed(/1000 parts/)
  ],
  [
    "an archive whose directory is elsewhere",
    "a.docx",
    () => changed(Documents.docx(lines), (copy) => copy.writeUInt32LE(0xfffffff0, zipRecordOffsets(copy).end + 16)),
    failed(/damaged/)
  ],
  [
    "an archive whose sizes are those of ZIP64",
    "a.docx",
    () => changed(Documents.docx(lines), (copy) => copy.writeUInt32LE(0xffffffff, zipRecordOffsets(copy).entry + 24)),
    failed(/far more/)
  ],
  [
    "an archive whose parts lie over each other",
    "a.docx",
    () => Documents.zip(Array.from({ length: 300 }, () => ({ ...xml(word("x")), claimedSize: 500_000 }))),
    failed(/far more/)
  ],
  [
    "a document of external entities",
    "a.docx",
    () =>
      Documents.zip([
        xml(
          `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd">%p;]>${word("Guarantee: &e;%p;")}`
        )
      ]),
    success
  ],
  [
    "a document with a style of external entities",
    "a.docx",
    () =>
      Documents.zip([
        xml(word("Guarantee: ten years")),
        { name: "word/styles.xml", content: `<!DOCTYPE x SYSTEM "file:///etc/passwd"><x>&x;</x>` }
      ]),
    success
  ],
  [
    "a document of nothing but nesting",
    "a.docx",
    () => Documents.zip([xml("<w:p>".repeat(40_000))]),
    failed(/no text|memory|stopped|damaged/)
  ],
  [
    "a document of letters that are none",
    "a.docx",
    () => Documents.zip([xml(word("Guarantee: &#0;&#xd800;&#x110000;&nope;&"))]),
    success
  ],
  [
    "a PDF that runs a script and holds a file",
    "a.pdf",
    () =>
      pdf(
        pdfTextStream("Guarantee: ten years"),
        "",
        [stream("MZ")],
        "/OpenAction << /S /JavaScript /JS (while(true){}) >> /Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /EF << /F 6 0 R >> >>] >> >>"
      ),
    success
  ],
  [
    "a PDF whose pages are their own parent",
    "a.pdf",
    () => pdf(pdfTextStream("x"), "", [], "", "/Count 100 /Kids [2 0 R]"),
    failed(/damaged|no text/)
  ],
  [
    "a PDF that says it has a page too few",
    "a.pdf",
    () => pdf(pdfTextStream("Guarantee: ten years"), "", [], "", "/Count -1 /Kids [3 0 R]"),
    failed(/no text/)
  ],
  [
    "a PDF whose drawing draws itself",
    "a.pdf",
    () => pdf(stream("/X Do"), "/XObject << /X 6 0 R >>", [form("BT /F1 11 Tf (Guarantee: ten years) Tj ET /X Do", 6)]),
    success
  ],
  [
    "a PDF packed twenty times",
    "a.pdf",
    () => {
      let packed = Buffer.from("BT /F1 11 Tf (Guarantee: ten years) Tj ET")
      for (let at = 0; at < 20; at++) packed = deflateSync(packed)
      return pdf(stream(packed, `/Filter [${"/FlateDecode ".repeat(20)}]`))
    },
    success
  ],
  [
    "a PDF whose length is itself",
    "a.pdf",
    () => pdf("<< /Length 4 0 R >>\nstream\nBT /F1 11 Tf (Guarantee: ten years) Tj ET\nendstream"),
    success
  ],
  [
    "a PDF whose table leads in a circle",
    "a.pdf",
    () =>
      bytes(
        Buffer.from(pdf(pdfTextStream("Guarantee: ten years")))
          .toString("latin1")
          .replace("/Root 1 0 R", "/Root 1 0 R /Prev 9")
      ),
    success
  ],
  [
    "a PDF with a picture of ten thousand million points",
    "a.pdf",
    () =>
      pdf(stream("/I Do BT /F1 11 Tf (Guarantee: ten years) Tj ET"), "/XObject << /I 6 0 R >>", [
        stream(
          "x",
          "/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB"
        )
      ]),
    success
  ],
  [
    "a PDF that an archive follows",
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
  ["a text of one line without end", "a.md", () => "#".repeat(5_000_000), success]
]

layer(Server.layer(), live)("a hostile document", (it) => {
  it.effect.each(hostile)("that is %s is done with", ([, name, content, { reason, status }]) =>
    Effect.gen(function* () {
      const who = yield* newCaller()
      const { id } = yield* expectBody(202, send(who, name, content()))
      const done = yield* awaitJob(who, id)
      assert.deepStrictEqual([done.status, done.error], ["completed", null])
      assert.strictEqual(done.result.status, status, done.result.error)
      assert.match(done.result.error ?? "", reason)
      // The server is alive and well, and has taken nothing of the machine's.
      yield* expectBody(200, who.get("/health"))
      assert.notInclude(JSON.stringify((yield* who.get("/workspace")).body), "root:")
    })
  )

  it.effect("whose table is broken is an answer, however its parser fails", () =>
    Effect.gen(function* () {
      const who = yield* newCaller()
      const { logs } = yield* Server.Server
      // Of its promises one fails while another is still waited for, now before the answer is there and now after it.
      const broken = new Uint8Array(readFileSync(new URL("../fixtures/torn.pdf", import.meta.url)))
      for (let turn = 0; turn < 4; turn++) {
        const { id } = yield* expectBody(202, send(who, "a.pdf", broken))
        const done = yield* awaitJob(who, id)
        assert.deepStrictEqual([done.status, done.error], ["completed", null])
      }
      assert.deepStrictEqual(
        logs.filter((line) => /A job broke|ended the thread/.test(line)),
        []
      )
    })
  )

  it.effect("that cuts a letter in two leaves no half of it", () =>
    Effect.gen(function* () {
      const who = yield* newCaller()
      const { id } = yield* expectBody(
        202,
        send(
          who,
          "a.txt",
          `# ${"y".repeat(199)}😀 and more\n\nCompetitors: Weir, KSB\n\nGuarantee: ${"x".repeat(999)}😀 and more`
        )
      )
      const { result } = yield* awaitJob(who, id)
      assert.strictEqual(result.status, "success")
      assert.strictEqual(result.sources[0].heading, `${"y".repeat(199)}\ufffd`)
      const { details } = yield* expectBody(200, who.get("/workspace"))
      assert.strictEqual(details.competitors, "Weir, KSB")
      // A value that is too long is left out and never cut.
      assert.isNull(details.guarantee)
      // What was learned can be sent back as it is.
      yield* expectBody(200, who.put("/workspace/details", details))
    })
  )

  it.effect("whose workspace is deleted while it is read is let go", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { logs } = yield* Server.Server
      const who = yield* newCaller()
      const { id } = yield* expectBody(202, send(who, "a.md", lines.join("\n\n")))
      yield* until(sql`SELECT id FROM jobs WHERE id = ${id} AND status = 'processing'`, (found) => found.length === 1)
      yield* (yield* Workspaces).remove(who.workspace)
      const other = yield* newCaller()
      const next = yield* expectBody(202, send(other, "a.md", lines.join("\n\n")))
      assert.strictEqual((yield* awaitJob(other, next.id)).result.status, "success")
      assert.deepStrictEqual(yield* sql`SELECT id FROM uploads WHERE workspace_id = ${who.workspace}`, [])
      assert.deepStrictEqual(
        logs.filter((line) => line.includes("A job broke")),
        []
      )
      yield* Server.assertConsistent
    })
  )

  it.effect("that is read twice fills and counts once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const who = yield* newCaller()
      const { id } = yield* expectBody(202, send(who, "a.md", lines.join("\n\n")))
      yield* awaitJob(who, id)
      const { details } = yield* expectBody(200, who.get("/workspace"))
      yield* sql`UPDATE jobs SET status = 'pending', result = NULL WHERE id = ${id}`
      const again = yield* awaitJob(who, id)
      assert.deepInclude(again.result, { status: "success", fields_updated: [], sources: [] })
      assert.deepStrictEqual((yield* expectBody(200, who.get("/workspace"))).details, details)
      assert.strictEqual((yield* sql`SELECT id FROM uploads WHERE workspace_id = ${who.workspace}`).length, 1)
      yield* Server.assertConsistent
    })
  )
})

layer(Server.layer({ runsWorkers: false }), live)("documents that come at once", (it) => {
  it.effect("are taken up to what the plan allows and not one more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = (who: Caller, count: number, size: number) =>
        sql`INSERT INTO uploads (id, workspace_id, kind, bytes, created_at)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
            SELECT ${who.workspace} || i, ${who.workspace}, 'txt', ${size}, '' FROM n`
      const taken = Effect.fnUntraced(function* (who: Caller) {
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => send(who, "a.txt", "0123456789")),
          { concurrency: "unbounded" }
        )
        for (const { body, status } of answers) if (status !== 202) assert.strictEqual(body.error, "WORKSPACE_LIMIT")
        return answers.filter(({ status }) => status === 202).length
      })
      const often = yield* newCaller({ plan: "free" })
      yield* store(often, 17, 1)
      assert.strictEqual(yield* taken(often), 3)
      const much = yield* newCaller({ plan: "free" })
      yield* store(much, 1, 50_000_000 - 25)
      assert.strictEqual(yield* taken(much), 2)
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
  ])("are taken by their last extension, and kept without the folders of their name: %s", (name) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const who = yield* newCaller()
      yield* expectBody(202, send(who, name, "Guarantee: ten years"))
      const rows = yield* sql`SELECT * FROM uploads WHERE workspace_id = ${who.workspace}`
      for (const { file, name: kept } of rows) {
        assert.notMatch(String(kept), /[\\/]|^\.\.$|\p{Cf}/u)
        assert.notInclude(String(file), "passwd")
      }
    })
  )

  it.effect.each(["a.txt ", "a.txt.", "a．txt", "a.exe", "a.txt\u202e.exe", "a.docm", "a.html", "txt", "a.txt/"])(
    "are refused by any other name: %j",
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
] as const)("tells of %s that begins with %j whether it is what it says: %s", (name, content, expected) =>
  assert.strictEqual("kind" in detectKind(name, Buffer.from(content, "latin1")), expected)
)

it.effect("a document that takes for ever is left after two minutes on a busy machine, and its thread with it", () =>
  Effect.gen(function* () {
    const { extractProfile } = yield* Researcher
    const reading = yield* Effect.forkChild(Effect.flip(extractProfile({ kind: "pdf", content: billionLaughsPdf() })))
    yield* TestClock.withLive(Effect.sleep(500))
    yield* TestClock.adjust("119 seconds")
    assert.isUndefined(reading.pollUnsafe())
    yield* TestClock.adjust("1 second")
    assert.match((yield* Fiber.join(reading)).message, /within 120 seconds/)
  }).pipe(Effect.provide(Researcher.layer))
)

it.live("a document is left once its thread has worked for too long, however busy the machine is", () =>
  Effect.gen(function* () {
    const { extractProfile } = yield* Researcher
    assert.deepStrictEqual(yield* ReadingTime, { work: Duration.seconds(30), atMost: Duration.minutes(2) })
    const time = { work: Duration.seconds(2), atMost: Duration.minutes(10) }
    const reading = Effect.flip(extractProfile({ kind: "pdf", content: billionLaughsPdf() }))
    const { message } = yield* Effect.provideService(reading, ReadingTime, time)
    assert.match(message, /within 2 seconds/)
  }).pipe(Effect.provide(Researcher.layer))
)

/** A sequence that is the same in every run. */
const random = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

it.live("a document with any of its bytes changed, or cut off anywhere, is read or refused in words", () =>
  Effect.gen(function* () {
    const thread = yield* Effect.acquireRelease(
      Effect.sync(() => new Worker(new URL("../support/document-reader-thread.ts", import.meta.url))),
      (thread) => Effect.promise(() => thread.terminate())
    )
    const ask = (question: ReadRequest) =>
      Effect.promise(async () => {
        const reply = once(thread, "message")
        thread.postMessage(question)
        const [answer]: [ReadReply] = await (reply as Promise<[ReadReply]>)
        return answer
      })
    const fixture = (name: string) => readFileSync(new URL(`../fixtures/brochures/${name}`, import.meta.url))
    const sound: ReadonlyArray<readonly ["pdf" | "docx" | "md" | "csv" | "txt", Uint8Array, number]> = [
      ["pdf", Documents.pdf([lines, lines]), 200],
      ["docx", Documents.docx(lines), 300],
      ["md", fixture("pumps.md"), 60],
      ["txt", fixture("agency.txt"), 60],
      ["csv", fixture("profile.csv"), 60]
    ]
    const below = random(20260101)
    for (const [kind, content, times] of sound) {
      const variants = [
        ...Array.from({ length: 11 }, (_, at) => content.slice(0, Math.floor((content.length * at) / 10))),
        ...Array.from({ length: times }, () => {
          const copy = new Uint8Array(content)
          for (let flips = 1 + below(8); flips > 0; flips--) {
            const at = below(copy.length)
            if (below(3) === 0) copy.copyWithin(at, below(copy.length), below(copy.length))
            else copy[at] = below(256)
          }
          return copy
        })
      ]
      for (const variant of variants) {
        const reply = yield* ask({ kind, content: variant })
        if ("unreadable" in reply) assert.match(reply.unreadable, /^The [\w ,.;:'-]+$/)
        else {
          assert.isTrue(allTexts(reply.findings).every((text) => text.isWellFormed()))
          assert.notInclude(allTexts(reply.findings).join(), "\u0000")
        }
      }
    }
  })
)
