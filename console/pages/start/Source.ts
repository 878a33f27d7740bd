// console/pages/start/Source.ts: what the first emails are written from: a website, a document or three sentences.

export interface Source {
  readonly kind: "site" | "document" | "sentences"
  readonly url: string
  readonly file: File | undefined
  /** The name that signs the emails; empty where it was not asked for. */
  readonly sender: string
  /** What the company does, the problem that it solves, and a reason to believe it. */
  readonly sentences: readonly [does: string, problem: string, proof: string]
}

export const noSource: Source = { kind: "site", url: "", file: undefined, sender: "", sentences: ["", "", ""] }

/** What lacks to begin with, by field, in words that follow the field's label. */
export const sourceIssues = ({ file, kind, sentences, url }: Source): Readonly<Record<string, string>> => {
  switch (kind) {
    case "site":
      return url.trim() === "" ? { url: "is missing" } : {}
    case "document":
      return file === undefined ? { file: "is not chosen yet" } : {}
    case "sentences":
      return Object.fromEntries(
        sentences.flatMap((text, index) =>
          text.trim() === "" && index < 2 ? [[`sentence${index}`, "is missing"]] : []
        )
      )
  }
}

/** Chosen on the page of a first run, for the page that follows it. A file cannot be kept elsewhere. */
let chosenSource: Source | undefined

export const storeChosenSource = (source: Source) => {
  chosenSource = source
}

/** The source that was chosen before this page opened; only once. */
export const takeChosenSource = () => {
  const source = chosenSource
  chosenSource = undefined
  return source
}
