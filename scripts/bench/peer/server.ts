// scripts/bench/peer/server.ts: the reference server: the same routes on a tuned Fastify 5, with the same SQL on the same
// store, the same key cache, rate limit, headers, request log and answers.
// usage: node scripts/bench/peer/server.ts DATABASE
import "./Signatures.ts"
import "./Lists.ts"
import "./Credits.ts"
import "./Selections.ts"
import "./Generate.ts"
import { app, flushLog } from "./App.ts"

process.once("SIGTERM", async () => {
  await app.close()
  flushLog()
  process.exit(0)
})
console.log(`Listening on ${await app.listen({ host: "127.0.0.1", port: 0 })}`)
