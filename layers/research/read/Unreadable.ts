// layers/research/read/Unreadable.ts: why a document or a page could not be read, in words for its sender.

export class Unreadable extends Error {
  readonly _tag = "Unreadable"
}
