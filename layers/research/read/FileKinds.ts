// layers/research/read/FileKinds.ts: detects the kind of a document by its name and, because names may be wrong, by its bytes.

export const kinds = ["txt", "md", "csv", "pdf", "docx"] as const
export type Kind = (typeof kinds)[number]

const startsWith = (bytes: Uint8Array, text: string) =>
  Buffer.from(bytes.subarray(0, text.length)).toString("latin1") === text

/** What binary files begin with, and what a person calls them. */
const signatures: ReadonlyArray<readonly [start: string, name: string]> = [
  ["%PDF-", "a PDF"],
  ["PK\u0003\u0004", "a ZIP or Office file"],
  ["PK\u0005\u0006", "an empty ZIP file"],
  ["\u00d0\u00cf\u0011\u00e0", "an old Office file or a password-protected one"],
  ["\u0089PNG", "an image"],
  ["\u00ff\u00d8\u00ff", "an image"],
  ["GIF8", "an image"],
  ["{\\rtf", "an RTF file"],
  ["\u001f\u008b", "a compressed file"],
  ["MZ", "a program"],
  ["\u007fELF", "a program"]
]

const signatureOf = (bytes: Uint8Array) => signatures.find(([start]) => startsWith(bytes, start))

/** The extension of a file's name in lower case. */
export const extensionOf = (name: string) => /\.([^./\\]{1,10})$/.exec(name)?.[1]?.toLowerCase()

/** What a person calls a binary file that begins with these bytes; undefined for what may be text. */
export const binaryName = (bytes: Uint8Array) => signatureOf(bytes)?.[1]

/** The encoding of a text that begins with the mark of one whose characters take two bytes. */
export const wideEncoding = (bytes: Uint8Array) => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined
}

/** Text has no NUL and next to no other control characters, unless each character takes two bytes. */
const isText = (bytes: Uint8Array) => {
  if (wideEncoding(bytes) !== undefined) return true
  let controlCount = 0
  for (const byte of bytes) {
    if (byte === 0) return false
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c) controlCount++
  }
  return controlCount * 100 <= bytes.length
}

/** The kind of a file, or the reason why it cannot be read. */
export const detectKind = (name: string, bytes: Uint8Array): { readonly kind: Kind } | { readonly refusal: string } => {
  const extension = extensionOf(name)
  const kind = kinds.find((each) => each === extension)
  if (kind === undefined) return { refusal: "must be a .txt, .md, .csv, .pdf or .docx file" }
  if (bytes.length === 0) return { refusal: "is empty" }
  const signature = signatureOf(bytes)
  const advice = /Office|RTF/.test(signature?.[1] ?? "") ? "; save it as .docx or .pdf and send that" : ""
  const refusal = { refusal: `is named .${kind} but is ${signature?.[1] ?? "something else"}${advice}` }
  // A PDF may have a little before its head; readers look for it in the first KiB.
  if (kind === "pdf") return Buffer.from(bytes.subarray(0, 1024)).includes("%PDF-") ? { kind } : refusal
  if (kind === "docx") return startsWith(bytes, "PK\u0003\u0004") ? { kind } : refusal
  return (signature === undefined || signature[1] === "a program") && isText(bytes) ? { kind } : refusal
}
