// scripts/bench/load.ts: sends requests and times the answers; the body of a thread. It speaks just enough HTTP over plain
// sockets, because Node's own client takes longer over a request than the servers do.
import { connect, type Socket } from "node:net"
import { performance } from "node:perf_hooks"
import { parentPort } from "node:worker_threads"

export interface Request {
  readonly method: "GET" | "POST" | "PUT"
  readonly path: string
  readonly key: string
  readonly body?: string
}

export type Order =
  /** As many as the server answers: each connection asks again as soon as it has its answer. */
  | {
      readonly kind: "closed"
      readonly port: number
      /** What each connection asks, over and over; with more connections than these, they are gone through again. */
      readonly turns: ReadonlyArray<ReadonlyArray<Request>>
      readonly connections: number
      readonly millis: number
    }
  /** So many a second, however long the server takes over them; an answer's time counts from when it was due. */
  | { readonly kind: "open"; readonly port: number; readonly request: Request; readonly perSecond: number }
  /** Ends the open load. */
  | { readonly kind: "stop" }

export interface Outcome {
  readonly perSecond: number
  readonly answers: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<number, number>>
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** How much of the time this thread had something to do, 0 to 1. */
  readonly busy: number
}

export type Reply = { readonly outcome: Outcome } | { readonly error: string }

const bytesOf = ({ body, key, method, path }: Request) =>
  Buffer.from(
    [
      `${method} ${path} HTTP/1.1`,
      "host: 127.0.0.1",
      `authorization: Bearer ${key}`,
      ...(body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]),
      "",
      body ?? ""
    ].join("\r\n")
  )

interface Connection {
  readonly send: (bytes: Buffer) => void
  readonly close: () => void
}

/** `answered` gets the status of each answer when the whole of it has come. */
const dial = (port: number, answered: (status: number) => void, broken: (error: Error) => void) =>
  new Promise<Connection>((resolve) => {
    let status = 0
    let missing = 0
    const receive = (chunk: Buffer) => {
      if (missing > 0) {
        missing -= chunk.length
      } else {
        const end = chunk.indexOf("\r\n\r\n")
        const head = chunk.toString("latin1", 0, end)
        const length = /\ncontent-length: *(\d+)/i.exec(head)?.[1]
        if (end < 0 || length === undefined) return broken(new Error("An answer without a length, or in pieces"))
        status = Number(head.slice(9, 12))
        missing = Number(length) - (chunk.length - end - 4)
      }
      if (missing <= 0) answered(status)
    }
    const socket: Socket = connect({ host: "127.0.0.1", port, noDelay: true }, () => {
      let closing = false
      socket.on("close", () => closing || broken(new Error("The server closed a connection")))
      resolve({
        send: (bytes) => void socket.write(bytes),
        close: () => {
          closing = true
          socket.destroy()
        }
      })
    })
    socket.on("data", receive)
    socket.on("error", broken)
  })

const percentile = (sorted: Float64Array, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Gathers the answers of one order. */
const tally = () => {
  const began = performance.now()
  const busy = performance.eventLoopUtilization()
  const statuses: Record<number, number> = {}
  const times: Array<number> = []
  return {
    add: (status: number, millis: number) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      times.push(millis)
    },
    outcome: (): Outcome => {
      const sorted = Float64Array.from(times).sort()
      return {
        perSecond: (times.length / (performance.now() - began)) * 1000,
        answers: times.length,
        statuses,
        p50: percentile(sorted, 0.5),
        p99: percentile(sorted, 0.99),
        busy: performance.eventLoopUtilization(busy).utilization
      }
    }
  }
}

const closed = async (order: Extract<Order, { readonly kind: "closed" }>) => {
  const turns = order.turns.map((requests) => requests.map(bytesOf))
  const { promise, reject, resolve } = Promise.withResolvers<void>()
  let inFlight = order.connections
  let book = tally()
  let until = 0
  const starts = new Float64Array(order.connections)
  const asked = new Uint32Array(order.connections)
  const connections = await Promise.all(
    Array.from(starts, (_, i) =>
      dial(
        order.port,
        (status) => {
          const now = performance.now()
          book.add(status, now - (starts[i] ?? now))
          if (now < until) return ask(i)
          if (--inFlight === 0) resolve()
        },
        reject
      )
    )
  )
  const ask = (i: number) => {
    const turn = turns[i % turns.length] ?? []
    const count = asked[i] ?? 0
    asked[i] = count + 1
    starts[i] = performance.now()
    connections[i]?.send(turn[count % turn.length] ?? Buffer.alloc(0))
  }
  book = tally()
  until = performance.now() + order.millis
  connections.forEach((_, i) => ask(i))
  await promise
  const outcome = book.outcome()
  connections.forEach((connection) => connection.close())
  return outcome
}

let stopped = false

const open = async (order: Extract<Order, { readonly kind: "open" }>) => {
  const bytes = bytesOf(order.request)
  const { promise, reject, resolve } = Promise.withResolvers<void>()
  const free: Array<(due: number) => void> = []
  const all: Array<Connection> = []
  let book = tally()
  const add = async () => {
    let due = 0
    const connection = await dial(
      order.port,
      (status) => {
        book.add(status, performance.now() - due)
        free.push(send)
        if (stopped && free.length === all.length) resolve()
      },
      reject
    )
    const send = (at: number) => {
      due = at
      connection.send(bytes)
    }
    all.push(connection)
    free.push(send)
  }
  await Promise.all(Array.from({ length: 32 }, add))
  book = tally()
  const step = 1000 / order.perSecond
  let due = performance.now() + step
  const timer = setInterval(() => {
    // With every connection taken the request waits, and its time runs on.
    for (; due <= performance.now(); due += step) {
      const send = free.shift()
      if (send === undefined) return
      send(due)
    }
    if (!stopped) return
    clearInterval(timer)
    if (free.length === all.length) resolve()
  }, 1)
  await promise
  clearInterval(timer)
  const outcome = book.outcome()
  all.forEach((connection) => connection.close())
  return outcome
}

parentPort?.on("message", (order: Order) => {
  stopped = order.kind === "stop"
  if (order.kind === "stop") return
  const running = order.kind === "closed" ? closed(order) : open(order)
  running.then(
    (outcome) => parentPort?.postMessage({ outcome } satisfies Reply),
    (error: unknown) => parentPort?.postMessage({ error: String(error) } satisfies Reply)
  )
})
