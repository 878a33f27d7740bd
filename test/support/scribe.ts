// test/support/scribe.ts: a thread that writes like those of the server, and ends or hangs at leads of certain names.
import { parentPort } from "node:worker_threads"
import { type Delivery, type Order, scribe } from "#layers/generator/builtin/Scribe.ts"

const write = scribe()

parentPort?.on("message", (order: Order) => {
  for (const { lead } of order.tasks) {
    if (lead.name === "Nora") process.exit(1)
    if (lead.name !== "Vera") continue
    // The answer to nothing tells that the thread hangs from now on.
    parentPort?.postMessage({ id: -1, outcomes: [] } satisfies Delivery)
    for (;;);
  }
  parentPort?.postMessage(write(order))
})
