// layers/lib/CacheByText.ts: memoizes functions of a text with bounded memory.

/**
 * Caches a function of a text. Clears the cache when the cached texts exceed `most` characters, so that memory stays
 * bounded.
 */
export const cacheByText = <A extends object | string>(compute: (text: string) => A, maxCharacters = 300_000) => {
  const known = new Map<string, A>()
  let size = 0
  return (text: string): A => {
    const before = known.get(text)
    if (before !== undefined) return before
    const computed = compute(text)
    size += text.length
    if (size > maxCharacters) {
      known.clear()
      size = text.length
    }
    known.set(text, computed)
    return computed
  }
}
