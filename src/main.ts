// src/main.ts: the entry point of the CLI.
import { version } from "#schema/Version.ts"

const [first, ...others] = process.argv.slice(2)

// The version is printed without loading the program, which takes most of a short command.
if ((first === "--version" || first === "-v") && others.length === 0) console.log(`overture v${version}`)
else void import("#src/start.ts")
