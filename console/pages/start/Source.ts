// console/pages/start/Source.ts: what the first emails are written from: a website, a document or three sentences.

export interface Source {
  readonly kind: "site" | "document" | "sentences"
  readonly url: string
  readonly file: File | undefined
  /** The sender's name for the signature; empty if the form did not ask for it. */
  readonly sender: string
  /** What the company does, the problem that it solves, and a reason to believe it. */
  readonly sentences: readonly [does: string, problem: string, proof: string]
}

export const noSource: Source = { kind: "site", url: "", file: undefined, sender: "", sentences: ["", "", ""] }

/** Messages about missing input, by field, each worded to follow the field's label. */
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

/** Passes the source from the first-run page to the next page. In memory, because a file cannot be stored. */
let chosenSource: Source | undefined

export const storeChosenSource = (source: Source) => {
  chosenSource = source
}

/** Returns the source that the first-run page stored, and clears it. */
export const takeChosenSource = () => {
  const source = chosenSource
  chosenSource = undefined
  return source
}
