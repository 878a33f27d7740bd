// test/support/s3rver.d.ts: as much of s3rver as bucket.ts needs; the package has no types.
declare module "@20minutes/s3rver" {
  interface Context {
    readonly path: string
    readonly state: { vhost?: boolean }
    mountPath?: string
  }
  export default class S3rver {
    constructor(options: {
      readonly address: string
      readonly port: number
      readonly directory: string
      readonly silent: boolean
      readonly vhostBuckets: boolean
      readonly configureBuckets: ReadonlyArray<{ readonly name: string }>
    })
    readonly run: () => Promise<{ readonly port: number }>
    readonly close: () => Promise<void>
    readonly middleware: Array<(ctx: Context, next: () => Promise<void>) => Promise<void>>
    readonly httpServer: import("node:http").Server
  }
}
