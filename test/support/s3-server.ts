// test/support/s3-server.ts: an S3 server with one bucket, which checks signatures and can be stopped and restarted.
import S3rver from "@20minutes/s3rver"
import { Effect } from "effect"
import { temporaryFolder } from "#test/support/process.ts"

/** The key that s3rver knows. */
export const keyId = "S3RVER"
export const secret = "S3RVER"

interface Bucket {
  readonly host: string
  readonly start: Effect.Effect<void>
  readonly stop: Effect.Effect<void>
}

/** Runs until the scope closes. Its objects survive `stop` and `start`. */
export const startBucket = Effect.gen(function* () {
  const directory = yield* temporaryFolder
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
    // s3rver drops the slash after a bucket's name before it checks the signature, unless a mount path is set.
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
