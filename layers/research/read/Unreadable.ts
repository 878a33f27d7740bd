// layers/research/read/Unreadable.ts: why a document or a page could not be read, in words for whoever sent it.

export class Unreadable extends Error {
  readonly _tag = "Unreadable"
}
