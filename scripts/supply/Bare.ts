// scripts/supply/Bare.ts: the program with nothing but its production packages, no script of which was run.
import { Effect, FileSystem } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { npm } from "./Npm.ts"

const parts = ["package.json", "package-lock.json", "test/client/package.json", "schema", "client", "layers", "src"]

const run = (cwd: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<string | undefined>((resume) => {
    // The pinned Node where there is one for this system, as scripts/run.sh finds it.
    const env = { ...process.env, PATH: `${join(cwd, "node_modules/.bin")}:${process.env["PATH"]}` }
    execFile("node", args, { cwd, env, timeout: 60_000 }, (error, _, stderr) =>
      resume(Effect.succeed(error === null ? undefined : `${error.message} ${stderr}`.slice(0, 500)))
    )
  })

/** A workspace made and checked by such an installation, which needs the store, the writer and the command line. */
export const bareFaults = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const project = yield* fs.makeTempDirectoryScoped({ prefix: "overture-bare-" })
  yield* fs.makeDirectory(join(project, "test/client"), { recursive: true })
  for (const part of parts) yield* fs.copy(join(root, part), join(project, part))
  const { code, stderr } = yield* npm(project, "ci", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit")
  if (code !== 0) return [`npm ci ended with ${code}: ${stderr.slice(0, 500)}`]
  const data = ["--data-dir", join(project, "data")]
  const made = ["workspace", "create", "--name", "Bare", "--profile", "src/demo/profile.json", ...data]
  const failed =
    (yield* run(project, "src/main.ts", ...made)) ?? (yield* run(project, "src/main.ts", "verify", ...data))
  return failed === undefined ? [] : [failed]
}, Effect.scoped)
