// layers/lib/Megabytes.ts: formats a number of bytes.

/** Rounded up to whole megabytes of a million bytes. */
export const formatMegabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`
