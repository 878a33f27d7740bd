// test/program/bucket.test.ts: files in an S3 bucket, as FILES_URL names it: refused keys, a bucket that becomes unavailable while documents
// arrive, and a backup that needs no bucket.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import * as InBucket from "#layers/files/BucketStorage.ts"
import { startBucket, keyId, secret } from "#test/support/s3-server.ts"
import { command } from "#test/support/command.ts"
import { workspaceIn } from "#test/support/program-workspace.ts"
import { temporaryFolder, overture, serve } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { fileForm, apiClient } from "#test/support/api-client.ts"

const id = "0193a000-0000-7000-8000-000000000003"
const bucketOptions = (host: string) => ({
  endpoint: `http://${host}/overture`,
  region: "us-east-1",
  prefix: "",
  keyId,
  secret: Redacted.make(secret)
})

describe("a bucket", () => {
  it.live("refuses a wrong secret, which is never logged", () =>
    Effect.gen(function* () {
      const { host } = yield* startBucket
      const wrongSecretStorage = InBucket.make({ ...bucketOptions(host), secret: Redacted.make("wrong-secret") })
      const { message } = yield* Effect.flip(wrongSecretStorage.write(id, Stream.make(new Uint8Array(3))))
      assert.match(message, /403/)
      assert.notMatch(message, /wrong-secret|S3RVER|AWS4/)
      const missingBucketStorage = InBucket.make({ ...bucketOptions(host), endpoint: `http://${host}/elsewhere` })
      assert.match((yield* Effect.flip(Stream.runDrain(missingBucketStorage.all))).message, /no such bucket/i)
    })
  )

  it.live("keeps the files of stores with different prefixes apart", () =>
    Effect.gen(function* () {
      const { host } = yield* startBucket
      const [firstStorage, secondStorage, rootStorage] = ["one/", "other/", ""].map((prefix) =>
        InBucket.make({ ...bucketOptions(host), prefix })
      )
      const idsOf = (storage = rootStorage) =>
        Effect.map(Stream.runCollect(storage!.all), (files) => files.map(({ id }) => id))
      yield* firstStorage!.write(id, Stream.make(new Uint8Array(3)))
      assert.deepStrictEqual(
        [yield* idsOf(firstStorage), yield* idsOf(secondStorage), yield* idsOf(rootStorage)],
        [[id], [], []]
      )
    })
  )
})

it.live(
  "a server whose bucket is unavailable stores no part of a document, and recovers when it is available",
  () =>
    Effect.gen(function* () {
      const s3 = yield* startBucket
      const data = yield* temporaryFolder
      const filesUrl = `s3://${s3.host}/overture/mine?tls=false`
      yield* Effect.promise(() =>
        writeFile(
          `${data}/.env`,
          `FILES_URL=${filesUrl}\nAWS_ACCESS_KEY_ID=${keyId}\nAWS_SECRET_ACCESS_KEY=${secret}\n`
        )
      )
      const { key, workspace } = yield* workspaceIn(data, "Acme")
      const server = yield* serve(data)
      const { send } = apiClient(server.url, key)
      const upload = (text: string) => send("POST", "/workspace/imports/document", fileForm("note.txt", text))
      const waitForJob = (job: string) =>
        until(send("GET", `/jobs/${job}`), ({ body }) => body.status === "completed" || body.status === "failed")

      const firstUpload = yield* upload("We mend pumps.")
      assert.strictEqual(firstUpload.status, 202)
      assert.strictEqual((yield* waitForJob(firstUpload.body.id)).body.result.status, "success")

      const secondUpload = yield* upload("We sell valves to water works.")
      yield* s3.stop
      const lostUpload = yield* upload("We are not kept.")
      assert.deepStrictEqual([lostUpload.status, lostUpload.body.error], [500, "INTERNAL_ERROR"])
      assert.strictEqual((yield* send("GET", "/workspace")).status, 200)
      assert.strictEqual((yield* command(data, "verify")).code, 1)
      yield* s3.start
      assert.strictEqual((yield* waitForJob(secondUpload.body.id)).body.result.status, "success")
      const thirdUpload = yield* upload("We are kept again.")
      assert.strictEqual((yield* waitForJob(thirdUpload.body.id)).body.result.status, "success")
      const verification = yield* command(data, "verify")
      assert.strictEqual(verification.code, 0, verification.stderr)
      assert.notMatch(server.log(), /S3RVER|AWS4-HMAC/)

      const outputFolder = yield* temporaryFolder
      const backup = yield* command(data, "backup", `${outputFolder}/all.tar`)
      assert.strictEqual(backup.code, 0, backup.stderr)
      yield* s3.stop
      const restoreResult = yield* command(`${outputFolder}/data`, "restore", `${outputFolder}/all.tar`)
      const texts = readdirSync(`${outputFolder}/data/files`).map((name) =>
        readFileSync(`${outputFolder}/data/files/${name}`, "utf8")
      )
      assert.sameMembers(texts, ["We mend pumps.", "We sell valves to water works.", "We are kept again."])
      assert.strictEqual(restoreResult.code, 1, "the restore reports that its bucket is unavailable")
      yield* s3.start
      const restoredVerification = yield* command(`${outputFolder}/data`, "verify")
      assert.strictEqual(restoredVerification.code, 1, "the bucket still has objects of the original store")
      assert.strictEqual((yield* command(data, "workspace", "delete", workspace, "--yes")).code, 0)
      const remainingFiles = yield* Stream.runCollect(InBucket.make({ ...bucketOptions(s3.host), prefix: "mine/" }).all)
      assert.deepStrictEqual(remainingFiles, [])
      assert.strictEqual((yield* command(`${outputFolder}/data`, "verify")).code, 0)
    }),
  180_000
)

it.live(
  "a FILES_URL that is invalid or has no access key is refused in one line that does not show its secret",
  () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      assert.strictEqual((yield* overture(data, "workspace", "create", "--name", "North")).code, 0)
      const ownSecret = "hunter2-files"
      const invalidUrls = [
        `https://KEY:${ownSecret}@host/bucket`,
        `s3://KEY:${ownSecret}@host`,
        `s3://KEY:${ownSecret}@host/bucket?Region=x`,
        `s3://KEY:${ownSecret}@host/bucket?tls=no`,
        `s3://KEY:${ownSecret}%zz@host/bucket`,
        `s3://:${ownSecret}@host/bucket`,
        ownSecret
      ]
      for (const url of [...invalidUrls, "s3://host/bucket"]) {
        yield* Effect.promise(() => writeFile(`${data}/.env`, `FILES_URL=${url}\n`))
        const { code, stderr } = yield* overture(data, "workspace", "list")
        assert.strictEqual(code, 1, url)
        assert.match(stderr, /^[^\n]*FILES_URL[^\n]*s3:\/\/key:secret@[^\n]*\n$/)
        assert.notInclude(stderr, ownSecret)
      }
    }),
  180_000
)
