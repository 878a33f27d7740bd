// schema/package.ts: what others import as `overture/client`.
export { Api, version } from "#schema/Api.ts"
export { type Client, make } from "#schema/Client.ts"
export { connect, OvertureError, type PromiseClient } from "#schema/PromiseClient.ts"
