// test/spec/Fact.ts: types of the table that maps each fact of the contract to its tests.

/** What the contract promises, in a line, and the tests that fail when it does not hold: `file: title of the test`. */
export type Fact = readonly [fact: string, ...proofs: readonly [string, ...ReadonlyArray<string>]]

/** A part of the contract, by its heading. */
export interface Chapter {
  readonly title: string
  readonly facts: ReadonlyArray<Fact>
}
