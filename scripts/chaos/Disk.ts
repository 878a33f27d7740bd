// scripts/chaos/Disk.ts: a data directory whose disk can be filled: a small mounted disk if the system permits it, or else a
// limit on the size of files that the server may write.
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Disk {
  /** The server's data directory. */
  readonly data: string
  /** The file with the clock's offset, outside the data directory. */
  readonly clockFile: string
  readonly kind: "a small disk" | "a limit on file sizes"
  readonly fill: (pid: number | undefined) => Effect.Effect<void>
  readonly clear: (pid: number | undefined) => Effect.Effect<void>
  /** Keeps the data directory after the run, and returns its path. */
  readonly keep: () => string
}

const megabytes = 256

const runCommand = (command: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<boolean>((resume) => {
    execFile(command, args, (error) => resume(Effect.succeed(error === null)))
  })

export const make = (limitFileSize: boolean) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "overture-chaos-"))
      const data = join(folder, "data")
      mkdirSync(data)
      const isMounted =
        !limitFileSize && (yield* runCommand("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", data))
      const fillerFile = join(data, "ballast")
      let isKept = false

      const fill = Effect.sync(() => {
        const file = openSync(fillerFile, "a")
        try {
          for (const size of [1 << 20, 1 << 12]) {
            const block = Buffer.alloc(size)
            for (let blocksLeft = statfsSync(data).bavail; blocksLeft > 0; blocksLeft--)
              if (writeSync(file, block) < size) break
          }
        } catch {
          // The disk is full, as intended.
        }
        closeSync(file)
      })
      // A process may lower its soft limit and raise it again up to the hard limit, which is not changed.
      const setFileSizeLimit = (pid: number | undefined, bytes: string) =>
        pid === undefined
          ? Effect.void
          : Effect.asVoid(runCommand("prlimit", "--pid", String(pid), `--fsize=${bytes}:`))

      const disk: Disk = {
        data,
        clockFile: join(folder, "clock"),
        kind: isMounted ? "a small disk" : "a limit on file sizes",
        fill: (pid) => (isMounted ? fill : setFileSizeLimit(pid, "1")),
        clear: (pid) =>
          isMounted ? Effect.sync(() => rmSync(fillerFile, { force: true })) : setFileSizeLimit(pid, "unlimited"),
        keep: () => {
          const keptPath = isMounted ? join(folder, "kept") : data
          if (isMounted && !isKept) cpSync(data, keptPath, { recursive: true, filter: (path) => path !== fillerFile })
          isKept = true
          return keptPath
        }
      }
      return { disk, folder, mounted: isMounted, wasKept: () => isKept }
    }),
    ({ disk, folder, mounted: isMounted, wasKept }) =>
      Effect.gen(function* () {
        if (isMounted) yield* runCommand("umount", "-l", disk.data)
        if (!wasKept()) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      })
  ).pipe(Effect.map(({ disk }) => disk))
