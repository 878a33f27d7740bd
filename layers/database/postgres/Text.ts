// layers/database/postgres/Text.ts: text that PostgreSQL can store.

/** PostgreSQL's text cannot hold U+0000, which SQLite keeps; imported sites and files may contain it. */
export const storable = (text: string) => text.replaceAll("\0", "\uFFFD")
