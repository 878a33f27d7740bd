// scripts/supply/Installed.ts: what the installed packages of production say themselves: their scripts and licences.
import { Effect, Schema } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Lock, production } from "./Lock.ts"

const Declared = Schema.fromJsonString(
  Schema.Struct({
    license: Schema.optionalKey(Schema.String),
    scripts: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
  })
)

/** Licences that ask for no more than their text and a notice, and the words their texts are known by. */
const allowed = new Map([
  ["0BSD", "Permission to use, copy, modify, and/or distribute"],
  ["Apache-2.0", "Apache License"],
  ["BSD-2-Clause", "Redistribution and use in source and binary forms"],
  ["BSD-3-Clause", "Redistribution and use in source and binary forms"],
  ["BlueOak-1.0.0", "Blue Oak Model License"],
  ["CC0-1.0", "CC0 1.0"],
  ["ISC", "Permission to use, copy, modify, and/or distribute"],
  ["MIT", "Permission is hereby granted, free of charge"],
  ["MIT-0", "Permission is hereby granted, free of charge"],
  ["OFL-1.1", "SIL OPEN FONT LICENSE"],
  ["Unlicense", "This is free and unencumbered software"]
])

/** Against `declared`, which is what a package says of itself, `texts` are the licence files it comes with. */
export const licenceFaults = (declared: string | undefined, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words = declared === undefined ? undefined : allowed.get(declared)
  if (words === undefined) return [`its licence is ${declared ?? "not told"}`]
  const plain = texts.map((text) => text.replace(/\s+/g, " "))
  return plain.length === 0 || plain.some((text) => text.includes(words))
    ? []
    : [`it says ${declared}, and its licence file does not`]
}

const atInstall = ["preinstall", "install", "postinstall"]

/** Every fault of the packages under `root`, and the names of those that another system installs. */
export const installedFaults = Effect.fnUntraced(function* (root: string, lock: Lock) {
  const faults: Array<string> = []
  const elsewhere: Array<string> = []
  for (const { license, name, optional, path } of production(lock)) {
    const folder = join(root, path)
    if (!existsSync(folder)) {
      if (optional !== true) faults.push(`${name} is not installed`)
      elsewhere.push(name)
      faults.push(...licenceFaults(license, []).map((fault) => `${name}: ${fault}`))
      continue
    }
    const declared = yield* Schema.decodeEffect(Declared)(readFileSync(join(folder, "package.json"), "utf8"))
    const files = readdirSync(folder)
    const texts = files
      .filter((file) => /^(licen[cs]e|copying)(\.(txt|md))?$/i.test(file))
      .map((file) => readFileSync(join(folder, file), "utf8"))
    const scripts = atInstall.filter((script) => declared.scripts?.[script] !== undefined)
    faults.push(
      ...licenceFaults(declared.license, texts).map((fault) => `${name}: ${fault}`),
      ...(declared.license === license ? [] : [`${name}: the lockfile says ${license}, it says ${declared.license}`]),
      ...scripts.map((script) => `${name} has a script for ${script}`),
      ...(files.includes("binding.gyp") ? [`${name} is compiled when it is installed`] : [])
    )
  }
  return { faults, elsewhere }
}, Effect.orDie)
