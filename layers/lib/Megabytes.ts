// layers/lib/Megabytes.ts: bytes as a person reads them.

/** In whole megabytes, of a million bytes each. */
export const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`
