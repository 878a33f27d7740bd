// layers/lib/CacheByText.ts: memoizes functions of a text with bounded memory.

/**
 * Caches a function of a text. Clears the cache when the cached texts exceed `maxCharacters`, so that memory stays
 * bounded.
 */
export const cacheByText = <A extends object | string>(compute: (text: string) => A, maxCharacters = 300_000) => {
  const cache = new Map<string, A>()
  let size = 0
  return (text: string): A => {
    const cachedValue = cache.get(text)
    if (cachedValue !== undefined) return cachedValue
    const computed = compute(text)
    size += text.length
    if (size > maxCharacters) {
      cache.clear()
      size = text.length
    }
    cache.set(text, computed)
    return computed
  }
}
