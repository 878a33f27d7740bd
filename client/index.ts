// client/index.ts: the public exports of `overture/client/effect`.
export { Api } from "#schema/Api.ts"
export { version } from "#schema/Version.ts"
export { type Client, make } from "#client/Client.ts"
