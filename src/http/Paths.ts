// src/http/Paths.ts: which addresses name the same endpoint, where the library's router would take more of them.

/** Another case is another path. */
export const routerConfig = { caseSensitive: true }

/** The router would read what follows a `;` as a query, and so answer for paths that are none. */
export const hasParameters = (url: string) => {
  const at = url.indexOf(";")
  return at !== -1 && !url.slice(0, at).includes("?")
}
