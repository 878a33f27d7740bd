// client/index.ts: what others import as `overture/client/effect`.
export { Api } from "#schema/Api.ts"
export { version } from "#schema/Version.ts"
export { type Client, make } from "#client/Client.ts"
