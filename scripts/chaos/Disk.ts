// scripts/chaos/Disk.ts: a disk that can be full: a small one of its own where the system lets us have it, or else a
// limit on how large a file the server may write.
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Disk {
  /** The server's data directory. */
  readonly data: string
  /** A file outside of it. */
  readonly clockFile: string
  readonly kind: "a small disk" | "a limit on file sizes"
  readonly fill: (pid: number | undefined) => Effect.Effect<void>
  readonly clear: (pid: number | undefined) => Effect.Effect<void>
  /** The data directory stays when this was called. */
  readonly keep: () => string
}

const megabytes = 256

const run = (command: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<boolean>((resume) => {
    execFile(command, args, (error) => resume(Effect.succeed(error === null)))
  })

export const make = (limitFileSize: boolean) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "overture-chaos-"))
      const data = join(folder, "data")
      mkdirSync(data)
      const mounted = !limitFileSize && (yield* run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", data))
      const fillerFile = join(data, "ballast")
      let kept = false

      const fill = Effect.sync(() => {
        const file = openSync(fillerFile, "a")
        try {
          for (const size of [1 << 20, 1 << 12]) {
            const block = Buffer.alloc(size)
            for (let left = statfsSync(data).bavail; left > 0; left--) if (writeSync(file, block) < size) break
          }
        } catch {
          // It is full.
        }
        closeSync(file)
      })
      // A process may lower its soft limit and raise it again up to the hard limit, which is not changed.
      const setFileSizeLimit = (pid: number | undefined, bytes: string) =>
        pid === undefined ? Effect.void : Effect.asVoid(run("prlimit", "--pid", String(pid), `--fsize=${bytes}:`))

      const disk: Disk = {
        data,
        clockFile: join(folder, "clock"),
        kind: mounted ? "a small disk" : "a limit on file sizes",
        fill: (pid) => (mounted ? fill : setFileSizeLimit(pid, "1")),
        clear: (pid) =>
          mounted ? Effect.sync(() => rmSync(fillerFile, { force: true })) : setFileSizeLimit(pid, "unlimited"),
        keep: () => {
          const at = mounted ? join(folder, "kept") : data
          if (mounted && !kept) cpSync(data, at, { recursive: true, filter: (path) => path !== fillerFile })
          kept = true
          return at
        }
      }
      return { disk, folder, mounted, wasKept: () => kept }
    }),
    ({ disk, folder, mounted, wasKept }) =>
      Effect.gen(function* () {
        if (mounted) yield* run("umount", "-l", disk.data)
        if (!wasKept()) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      })
  ).pipe(Effect.map(({ disk }) => disk))
