// src/main.ts: the entry point of the CLI.
import { version } from "#schema/Version.ts"

const [firstArgument, ...otherArguments] = process.argv.slice(2)

// The version is printed without loading the program, which takes most of a short command.
if ((firstArgument === "--version" || firstArgument === "-v") && otherArguments.length === 0)
  console.log(`overture v${version}`)
else void import("#src/start.ts")
