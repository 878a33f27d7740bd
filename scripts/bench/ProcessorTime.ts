// scripts/bench/ProcessorTime.ts: the processor time of a command from its start to its end, with its children.
import { Effect } from "effect"
import { execFile } from "node:child_process"
import type { Env } from "./Servers.ts"
import { cleanEnvironment } from "./Store.ts"

/** Prints the times that the shell's children used; the second line of `times` is theirs. What the command prints goes to stderr. */
const script = '"$@" >&2 || exit 1; times'

/** Parses `0m1.250s` to milliseconds. */
const parseTime = (text: string) => {
  const [minutes = "", seconds = ""] = text.slice(0, -1).split("m")
  return (Number(minutes) * 60 + Number(seconds)) * 1000
}

/** Runs a command, and returns its user and system time in milliseconds. Fails if the command does. */
export const processorTime = (command: ReadonlyArray<string>, cwd?: string, extraEnv: Env = {}) =>
  Effect.callback<number>((resume) => {
    const options = { encoding: "utf8", env: { ...cleanEnvironment(), ...extraEnv }, cwd, maxBuffer: 2 ** 26 } as const
    const child = execFile("sh", ["-c", script, "sh", ...command], options, (error, stdout, stderr) => {
      const times = stdout.trim().split("\n").at(-1)?.split(" ") ?? []
      resume(
        error === null
          ? Effect.succeed(times.map(parseTime).reduce((sum, ms) => sum + ms, 0))
          : Effect.die(new Error(`${command.join(" ")}: ${stderr.slice(-2000) || error.message}`))
      )
    })
    return Effect.sync(() => child.kill())
  })

/** The least processor time of any Node command. */
export const bareNode = processorTime([process.execPath, "-e", "0"])
