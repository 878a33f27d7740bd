// schema/Version.ts: the version of the program and of its API. Apart from the contract, which takes longer to load than to print it.
export const version = "0.1.0"
