// console/pages/start/SourceFields.tsx: chooses what the first emails are written from.
import type { Source } from "#console/pages/start/Source.ts"
import { FileField, RadioGroup, TextInput } from "#console/parts/Fields.tsx"

const kinds = [
  ["site", "Your website"],
  ["document", "A document"],
  ["sentences", "Three sentences"]
] as const

const questions = [
  [
    "What your company does",
    "In one sentence: what, and for whom.",
    "We service slurry pumps for quarries and cement works."
  ],
  [
    "The problem that you solve",
    "As your customers would put it.",
    "A pump that stops on a Friday stops the plant until Monday."
  ],
  [
    "A result that proves it",
    "A customer and a number. Leave it empty if you have none.",
    "Harbour Cement cut unplanned stops from nine a year to two."
  ]
] as const

interface Props {
  readonly source: Source
  readonly onChange: (source: Source) => void
  /** Error messages by field. */
  readonly issues: Readonly<Record<string, string>>
}

export const SourceFields = ({ issues, onChange, source }: Props) => (
  <>
    <RadioGroup
      label="Write from"
      value={source.kind}
      options={kinds}
      onChange={(kind) => onChange({ ...source, kind })}
    />
    {source.kind === "site" && (
      <TextInput
        label="Address of your website"
        type="url"
        placeholder="https://"
        hint="Up to six pages of it are read. Nothing is sent to it."
        value={source.url}
        onInput={(url) => onChange({ ...source, url })}
        issue={issues["url"]}
      />
    )}
    {source.kind === "document" && (
      <FileField
        label="Document"
        hint="Such as a brochure: .txt, .md, .csv, .pdf or .docx, at most 10 MB."
        accept=".txt,.md,.csv,.pdf,.docx"
        file={source.file}
        onChoose={(file) => onChange({ ...source, file })}
        issue={issues["file"]}
      />
    )}
    {source.kind === "sentences" &&
      questions.map(([label, hint, example], index) => (
        <TextInput
          key={label}
          label={label}
          hint={hint}
          rows={2}
          placeholder={example}
          value={source.sentences[index] ?? ""}
          onInput={(text) => {
            const [does, problem, proof] = source.sentences
            onChange({
              ...source,
              sentences: [index === 0 ? text : does, index === 1 ? text : problem, index === 2 ? text : proof]
            })
          }}
          issue={issues[`sentence${index}`]}
        />
      ))}
  </>
)
