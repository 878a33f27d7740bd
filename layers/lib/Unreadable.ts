// layers/lib/Unreadable.ts: why a document, a page or a lead file could not be read, in words for its sender.

export class Unreadable extends Error {
  readonly _tag = "Unreadable"
}
