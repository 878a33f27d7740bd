// src/commands/Suppressions.ts: shows and edits the suppression list of a workspace on a server.
import { Effect, FileSystem, Option, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Id } from "#schema/Fields.ts"
import { isCompanyName, kindOf, normalized, type SuppressionEntry, SuppressionKind } from "#schema/Suppressions.ts"
import { saveAs } from "#client/Export.ts"
import { addSuppressions, describeExportedList } from "#client/Suppressions.ts"
import { refuseToOverwrite } from "#src/commands/Files.ts"
import { toggle, wholeNumber } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { print, wantsJson } from "#src/commands/Root.ts"
import { countOf, alignColumns } from "#src/commands/TerminalText.ts"

const reason = Flag.String("reason").pipe(Flag.withDescription("Why, for your own records"), Flag.optional)

const isValid = ({ kind, value }: SuppressionEntry) =>
  kind === "company" ? isCompanyName(value) : kindOf(value) !== undefined

/**
 * The first cell of each line; a first line that is no value is a header. A second cell `company`, as in an exported list, or
 * the flag makes it the name of a company.
 */
const readEntries = Effect.fnUntraced(function* (path: string, areCompanies: boolean) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(fs.readFileString(path), () => userError(`Cannot read ${path}`))
  const lines = text.split(/\r\n|\r|\n/).map((line, index) => {
    const [, value = "", kind = ""] = /^\s*"?([^",;\t]*)"?[,;\t]?([^,;\t]*)/.exec(line.replace(/^\uFEFF/, "")) ?? []
    const isCompany = areCompanies || kind.trim() === "company"
    return { line: index + 1, value: value.trim(), ...(isCompany ? { kind: "company" as const } : {}) }
  })
  const entries = lines.filter((entry) => entry.value !== "" && (entry.line > 1 || isValid(entry)))
  const invalid = entries.filter((entry) => !isValid(entry))
  if (invalid.length > 0) {
    return yield* userError(
      `${path}: ${countOf(invalid.length, "line")} ${invalid.length === 1 ? "is" : "are"} neither an email address nor a domain, the first is line ${invalid[0]?.line}`
    )
  }
  return entries.map(({ line: _line, value, ...entry }): SuppressionEntry => ({
    ...entry,
    value: value.replace(/^'/, "")
  }))
})

const add = Command.make(
  "add",
  {
    values: Argument.String("value").pipe(
      Argument.withDescription("Email addresses, and domains, which stand for their subdomains too"),
      Argument.variadic()
    ),
    file: Flag.File("file").pipe(
      Flag.withDescription("A file with one value on each line; of a CSV, the first column counts"),
      Flag.optional
    ),
    company: toggle("company", "The values are names of companies: leads whose company has exactly this name"),
    reason
  },
  ({ company, file, reason, values }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const fromArguments = values.map((value): SuppressionEntry =>
          company ? { value, kind: "company" } : { value }
        )
        const fromFile = Option.isSome(file) ? yield* readEntries(file.value, company) : []
        const reasonField = Option.isSome(reason) ? { reason: reason.value } : {}
        const entries = [...fromArguments, ...fromFile].map((entry) => ({ ...entry, ...reasonField }))
        if (entries.length === 0) return yield* userError("Give an email address, a domain or a --file of them")
        const { added, already, exported_lists } = yield* addSuppressions(client, entries)
        yield* print({ added, already, ...(exported_lists.length > 0 && { exported_lists }) }, [
          `${added} added, ${already} on the list already`,
          ...exported_lists.map(describeExportedList)
        ])
      })
    )
).pipe(Command.withDescription("Add addresses, domains and companies that must not be written to"), remoteEnvironment)

const remove = Command.make(
  "delete",
  {
    entry: Argument.String("entry").pipe(Argument.withDescription("The entry's id, or its value as the list shows it"))
  },
  ({ entry }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const value = normalized(entry)
        const query = { q: value, limit: 100, offset: 0 }
        const matches = (yield* client.suppressions.listSuppressions({ query })).data
        const id = matches.find((suppression) => suppression.value === value)?.id ?? entry
        if (!/^[0-9a-f-]{36}$/i.test(id)) return yield* userError(`${entry} is not on the suppression list`)
        yield* client.suppressions.deleteSuppression({ params: { id: Id.make(id) } })
        yield* print({ id, deleted: true }, [`Removed ${entry}`])
      })
    )
).pipe(Command.withDescription("Remove an entry from the suppression list"), remoteEnvironment)

const exportAll = Command.make(
  "export",
  {
    out: Flag.File("out").pipe(Flag.withDescription("The CSV to make; standard output without it"), Flag.optional)
  },
  ({ out }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        if ((yield* wantsJson) && Option.isNone(out)) return yield* userError("With --json, give --out FILE")
        if (Option.isSome(out)) yield* refuseToOverwrite(out.value)
        const content = Stream.encodeText(Stream.make(yield* client.suppressions.exportSuppressions()))
        if (Option.isSome(out)) {
          yield* saveAs(content, out.value)
          return yield* print({ file: out.value }, [out.value])
        }
        yield* Stream.run(content, (yield* Stdio.Stdio).stdout())
      })
    )
).pipe(Command.withDescription("Export the suppression list as CSV"), remoteEnvironment)

export const suppressions = Command.make(
  "suppressions",
  {
    query: Flag.String("query").pipe(Flag.withDescription("Only entries that contain this text"), Flag.optional),
    kind: Flag.Literals("kind", SuppressionKind.literals).pipe(Flag.withDescription("Only this kind"), Flag.optional),
    limit: wholeNumber("limit", "How many, newest first, 1 to 100 (50)", 1, 100).pipe(Flag.withDefault(50))
  },
  ({ kind, limit, query }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const { data, has_more, total } = yield* client.suppressions.listSuppressions({
          query: {
            limit,
            offset: 0,
            ...(Option.isSome(query) ? { q: query.value } : {}),
            ...(Option.isSome(kind) ? { kind: kind.value } : {})
          }
        })
        yield* print(
          { suppressions: data, has_more, total },
          alignColumns(
            ["ID", "KIND", "VALUE", "CREATED", "REASON"],
            data.map(({ created_at, id, kind, reason, value }) => [id, kind, value, created_at, reason ?? ""])
          )
        )
      })
    )
).pipe(remoteEnvironment, Command.withSubcommands([add, remove, exportAll]))
