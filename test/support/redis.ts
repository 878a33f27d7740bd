// test/support/redis.ts: a Redis server for tests. TEST_REDIS_SERVER names a redis-server or valkey-server to run. Without
// it, a fake serves the few commands that rate limits use, and runs their scripts with a Lua interpreter.
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { lauxlib, lua, lualib, to_jsstring, to_luastring } from "fengari"
import { freePort, portOf } from "./listening.ts"

export const password = "hunter2-redis"
const program = process.env["TEST_REDIS_SERVER"]

export interface Redis {
  readonly url: string
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
  /** Accepts connections but does not answer, until `unpause`. */
  readonly pause: Effect.Effect<void>
  readonly unpause: Effect.Effect<void>
  /** Moves the clock by which keys expire forward. */
  readonly advance: (millis: number) => Effect.Effect<void>
}

type Reply = string | number | null | Error | { readonly simple: string } | ReadonlyArray<Reply>

/** The keys, with their expiry, and the scripts. */
class Store {
  /** By how much its clock is ahead of the machine's. */
  skippedMillis = 0
  readonly #kept = new Map<string, { readonly value: string; readonly endsAt: number }>()
  readonly #scripts = new Map<string, string>()

  readonly #now = () => Date.now() + this.skippedMillis

  #live(key: string) {
    const entry = this.#kept.get(key)
    if (entry !== undefined && entry.endsAt <= this.#now()) this.#kept.delete(key)
    return this.#kept.get(key)
  }

  readonly run = ([name = "", ...args]: ReadonlyArray<string>): Reply => {
    switch (name.toUpperCase()) {
      case "PING":
        return { simple: "PONG" }
      case "GET":
        return this.#live(args[0] ?? "")?.value ?? null
      case "PTTL": {
        const entry = this.#live(args[0] ?? "")
        return entry === undefined ? -2 : Math.ceil(entry.endsAt - this.#now())
      }
      case "SET": {
        const [key = "", value = "", unit, millis] = args
        if (unit?.toUpperCase() !== "PX" || !/^[1-9]\d*$/.test(millis ?? "")) return new Error("ERR syntax error")
        this.#kept.set(key, { value, endsAt: this.#now() + Number(millis) })
        return { simple: "OK" }
      }
      case "KEYS":
        return [...this.#kept.keys()].filter((key) => this.#live(key) !== undefined)
      case "SCRIPT": {
        const lua = args[1] ?? ""
        const sha = createHash("sha1").update(lua).digest("hex")
        this.#scripts.set(sha, lua)
        return sha
      }
      case "EVALSHA": {
        const [sha = "", count, ...rest] = args
        const script = this.#scripts.get(sha)
        if (script === undefined) return new Error("NOSCRIPT No matching script. Please use EVAL.")
        return this.#evaluate(script, rest.slice(0, Number(count)), rest.slice(Number(count)))
      }
    }
    return new Error(`ERR unknown command '${name}'`)
  }

  /** All scripts share one Lua state, as in Redis. */
  readonly #lua = lauxlib.luaL_newstate()

  constructor() {
    const L = this.#lua
    lualib.luaL_openlibs(L)
    lua.lua_createtable(L, 0, 1)
    lua.lua_pushjsfunction(L, (L) => {
      const args = Array.from({ length: lua.lua_gettop(L) }, (_, i) => {
        const text = to_jsstring(lauxlib.luaL_tolstring(L, i + 1))
        lua.lua_pop(L, 1)
        return text
      })
      const reply = this.run(args)
      if (typeof reply === "string") lua.lua_pushstring(L, to_luastring(reply))
      else if (typeof reply === "number") lua.lua_pushinteger(L, reply)
      else if (reply === null) lua.lua_pushboolean(L, false)
      else lua.lua_createtable(L, 0, 0)
      return 1
    })
    lua.lua_setfield(L, -2, to_luastring("call"))
    lua.lua_setglobal(L, to_luastring("redis"))
  }

  #evaluate(script: string, keys: ReadonlyArray<string>, argv: ReadonlyArray<string>): Reply {
    const L = this.#lua
    const globals = [
      ["KEYS", keys],
      ["ARGV", argv]
    ] as const
    for (const [name, values] of globals) {
      lua.lua_createtable(L, values.length, 0)
      for (const [index, value] of values.entries()) {
        lua.lua_pushstring(L, to_luastring(value))
        lua.lua_rawseti(L, -2, index + 1)
      }
      lua.lua_setglobal(L, to_luastring(name))
    }
    const failed = lauxlib.luaL_dostring(L, to_luastring(script)) !== 0
    const reply = failed
      ? new Error(`ERR ${to_jsstring(lua.lua_tostring(L, -1))}`)
      : Array.from({ length: lua.lua_rawlen(L, -1) }, (_, i) => {
          const type = lua.lua_rawgeti(L, -1, i + 1)
          // Redis truncates numbers to integers.
          const value =
            type === lua.LUA_TNUMBER ? Math.trunc(lua.lua_tonumber(L, -1)) : to_jsstring(lua.lua_tostring(L, -1))
          lua.lua_pop(L, 1)
          return value
        })
    lua.lua_settop(L, 0)
    return reply
  }
}

const encode = (reply: Reply): string => {
  if (reply === null) return "$-1\r\n"
  if (typeof reply === "number") return `:${reply}\r\n`
  if (typeof reply === "string") return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`
  if (reply instanceof Error) return `-${reply.message}\r\n`
  if ("simple" in reply) return `+${reply.simple}\r\n`
  return `*${reply.length}\r\n${reply.map(encode).join("")}`
}

/** Parses complete commands and returns the incomplete rest. */
const decode = (text: string): { readonly commands: Array<Array<string>>; readonly rest: string } => {
  const commands: Array<Array<string>> = []
  let position = 0
  for (;;) {
    const [head = "", count = ""] = /^\*(\d+)\r\n/.exec(text.slice(position)) ?? []
    let next = position + head.length
    const command: Array<string> = []
    for (let i = 0; i < Number(count); i++) {
      const [size = "", length = ""] = /^\$(\d+)\r\n/.exec(text.slice(next)) ?? []
      const begin = next + size.length
      if (size === "" || text.length < begin + Number(length) + 2) return { commands, rest: text.slice(position) }
      command.push(text.slice(begin, begin + Number(length)))
      next = begin + Number(length) + 2
    }
    if (head === "") return { commands, rest: text.slice(position) }
    commands.push(command)
    position = next
  }
}

/** Serves a connection, which must authenticate first. */
const serveConnection = (store: Store, socket: Socket, isPaused: () => boolean) => {
  let buffered = ""
  let isAuthenticated = false
  socket.setEncoding("latin1")
  socket.on("error", () => {})
  socket.on("data", (chunk: string) => {
    if (isPaused()) return
    const decoded = decode(buffered + chunk)
    buffered = decoded.rest
    for (const command of decoded.commands) {
      const [name = "", ...args] = command.map((part) => (part === command[0] ? part.toUpperCase() : part))
      const givenPassword = name === "AUTH" ? args.at(-1) : name === "HELLO" ? args[3] : undefined
      if (givenPassword !== undefined) isAuthenticated = givenPassword === password
      const reply: Reply =
        givenPassword !== undefined && !isAuthenticated
          ? new Error("WRONGPASS invalid username-password pair or user is disabled.")
          : !isAuthenticated
            ? new Error("NOAUTH Authentication required.")
            : name === "HELLO"
              ? ["server", "redis", "proto", 2]
              : name === "AUTH" || name === "CLIENT" || name === "SELECT"
                ? { simple: "OK" }
                : store.run([name, ...args])
      socket.write(encode(reply), "latin1")
    }
  })
}

const fakeRedis = Effect.gen(function* () {
  const sockets = new Set<Socket>()
  let store = new Store()
  let isPaused = false
  let port = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    serveConnection(store, socket, () => isPaused)
  })
  const start = Effect.promise(async () => {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    port = portOf(server)
  })
  const stop = Effect.promise(async () => {
    if (!server.listening) return
    const closed = once(server, "close")
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
    // A restarted Redis without persistence has no data and no scripts.
    store = new Store()
  })
  yield* Effect.acquireRelease(start, () => stop)
  return {
    url: `redis://overture:${password}@127.0.0.1:${port}`,
    start,
    stop,
    pause: Effect.sync(() => void (isPaused = true)),
    unpause: Effect.sync(() => {
      isPaused = false
      for (const socket of sockets) socket.destroy()
    }),
    advance: (millis) => Effect.sync(() => void (store.skippedMillis += millis))
  } satisfies Redis
})

const realRedis = Effect.fnUntraced(function* (path: string) {
  const port = yield* Effect.promise(freePort)
  const args = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--user",
    "overture",
    "on",
    `>${password}`,
    "~*",
    "+@all"
  ]
  let child: ReturnType<typeof spawn> | undefined
  const start = Effect.promise(async () => {
    const started = spawn(path, args, { stdio: ["ignore", "pipe", "inherit"] })
    child = started
    let output = ""
    for await (const chunk of started.stdout) {
      output += String(chunk)
      if (output.includes("Ready to accept connections")) break
    }
  })
  const stop = Effect.promise(async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, "exit")
    child.kill("SIGKILL")
    await exited
  })
  yield* Effect.acquireRelease(start, () => stop)
  const signal = (name: NodeJS.Signals) => Effect.sync(() => void child?.kill(name))
  return {
    url: `redis://overture:${password}@127.0.0.1:${port}`,
    start,
    stop,
    pause: signal("SIGSTOP"),
    unpause: signal("SIGCONT"),
    advance: (millis) => Effect.sleep(millis)
  } satisfies Redis
})

/** A server that runs until the scope closes. */
export const redisServer = program === undefined ? fakeRedis : realRedis(program)
