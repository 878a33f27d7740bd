// test/support/bucket.ts: an S3 server with one bucket, which checks signatures, goes away and comes back.
import S3rver from "@20minutes/s3rver"
import { Effect } from "effect"
import { folder } from "#test/support/process.ts"

/** The key that s3rver knows. */
export const keyId = "S3RVER"
export const secret = "S3RVER"

interface Bucket {
  readonly host: string
  readonly start: Effect.Effect<void>
  readonly stop: Effect.Effect<void>
}

/** Runs until the scope closes; what it keeps outlasts its stops. */
export const bucket = Effect.gen(function* () {
  const directory = yield* folder
  let port = 0
  let running: S3rver | undefined
  const start = Effect.promise(async () => {
    running = new S3rver({
      address: "127.0.0.1",
      port,
      directory,
      silent: true,
      vhostBuckets: false,
      configureBuckets: [{ name: "overture" }]
    })
    // S3 signs the path that was asked for. s3rver leaves away the slash behind a bucket, unless the rest is mounted there.
    running.middleware.splice(-1, 0, (ctx, next) => {
      if (/^\/[^/]+\/$/.test(ctx.path)) {
        ctx.state.vhost = true
        ctx.mountPath = "/"
      }
      return next()
    })
    port = (await running.run()).port
  })
  const stop = Effect.promise(async () => {
    if (running === undefined) return
    const closed = running.close()
    running.httpServer.closeAllConnections()
    running = undefined
    await closed
  })
  yield* Effect.acquireRelease(start, () => stop)
  return { host: `127.0.0.1:${port}`, start, stop } satisfies Bucket
})
