// layers/database/postgres/Text.ts: text as PostgreSQL can hold it.

/** Text in PostgreSQL has no U+0000, which SQLite keeps: what is read from strangers' sites and files may have one. */
export const storable = (text: string) => text.replaceAll("\0", "\uFFFD")
