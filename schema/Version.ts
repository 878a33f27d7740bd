// schema/Version.ts: the version of the program and its API. Separate from the contract, which loads slowly.
export const version = "0.1.0"
