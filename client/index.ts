// client/index.ts: what others import as `overture/client`.
export { Api, version } from "#schema/Api.ts"
export { type Client, make } from "#client/Client.ts"
export { connect, OvertureError, type PromiseClient } from "#client/PromiseClient.ts"
