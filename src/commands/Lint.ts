// src/commands/Lint.ts: checks an email or template in a file, and prints the position of each problem.
import { Effect, FileSystem, Option, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Finding } from "#schema/Findings.ts"
import { Id } from "#schema/Fields.ts"
import { Step } from "#schema/Playbook.ts"
import { toggle } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { print } from "#src/commands/Root.ts"

const file = Argument.String("file").pipe(
  Argument.withDescription('A text file; a first line "Subject: ..." is the subject. Standard input when omitted or -'),
  Argument.optional
)

const readText = Effect.fnUntraced(function* (path: Option.Option<string>) {
  if (Option.isNone(path) || path.value === "-") {
    const { stdin } = yield* Stdio.Stdio
    return yield* stdin.pipe(
      Stream.decodeText(),
      Stream.mkString,
      Effect.mapError(() => userError("Cannot read standard input"))
    )
  }
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.mapError(fs.readFileString(path.value), () => userError(`Cannot read ${path.value}`))
})

interface EmailFile {
  readonly subject: string | undefined
  readonly body: string
  /** Lines of the file before the body. */
  readonly linesBefore: number
}

const subjectLine = /^\uFEFF?subject:[ \t]*([^\r\n]*)(?:\r?\n)+/i

const splitSubject = (text: string): EmailFile => {
  const match = subjectLine.exec(text)
  return match === null
    ? { subject: undefined, body: text, linesBefore: 0 }
    : { subject: match[1] ?? "", body: text.slice(match[0].length), linesBefore: match[0].split("\n").length - 1 }
}

/** Line and column in the file, counted from 1 as in editors. */
const lineAndColumn = ({ place, start }: Finding, { linesBefore, body, subject }: EmailFile): string => {
  if (place === "sequence" || start === null) return place
  const linesUpToFinding = (place === "subject" ? (subject ?? "") : body).slice(0, start).split("\n")
  const column = (linesUpToFinding.at(-1) ?? "").length + 1
  return place === "subject" ? `1:${column + "Subject: ".length}` : `${linesBefore + linesUpToFinding.length}:${column}`
}

/** The email of a text file, or of standard input without a path or with "-". */
export const readEmailFile = (path: Option.Option<string>) => Effect.map(readText(path), splitSubject)

export const lint = Command.make(
  "lint",
  {
    file,
    campaign: Flag.String("campaign").pipe(
      Flag.withSchema(Id),
      Flag.withDescription("The campaign whose facts the text is compared with"),
      Flag.optional
    ),
    step: Flag.Int("step").pipe(
      Flag.withSchema(Step),
      Flag.withDescription("Its place in the sequence, 1 to 4"),
      Flag.withDefault(1)
    ),
    template: toggle("template", "The text is a Liquid template")
  },
  ({ campaign, file, step, template }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const text = yield* readEmailFile(file)
        const { body, subject } = text
        const result = yield* client.lint.lint({
          payload: {
            body,
            step,
            template,
            ...(subject === undefined ? {} : { subject }),
            ...(Option.isSome(campaign) ? { campaign_id: campaign.value } : {})
          }
        })
        yield* print(result, [
          ...result.findings.map(
            (finding) => `${lineAndColumn(finding, text)}  ${finding.severity}  ${finding.rule}  ${finding.message}`
          ),
          ...(result.passes ? ["Passes"] : [])
        ])
        const failing = result.findings.filter(({ severity }) => severity === "fail").length
        if (!result.passes)
          return yield* userError(`The text fails: ${failing} ${failing === 1 ? "problem" : "problems"} to correct`)
      })
    )
).pipe(remoteEnvironment)
