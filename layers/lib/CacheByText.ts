// layers/lib/CacheByText.ts: keeps what was computed from a text, for the next time that the same text comes.

/** Caches a function of a text. All is forgotten when the texts have `most` characters, so that memory stays bounded. */
export const cacheByText = <A extends object | string>(compute: (text: string) => A, most = 300_000) => {
  const known = new Map<string, A>()
  let size = 0
  return (text: string): A => {
    const before = known.get(text)
    if (before !== undefined) return before
    const computed = compute(text)
    size += text.length
    if (size > most) {
      known.clear()
      size = text.length
    }
    known.set(text, computed)
    return computed
  }
}
