// layers/text/Texts.ts: what is said in something, wherever in it.

/** Every text and number in it. */
export const textsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "number"
      ? [String(value)]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(textsOf)
        : []
