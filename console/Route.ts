// console/Route.ts: where one is in the page, as the part of its address after the `#`.
import { useEffect, useState } from "preact/hooks"

/** `#/lists/ID/3` is `["lists", "ID", "3"]`. */
const partsOf = (hash: string): ReadonlyArray<string> =>
  hash
    .replace(/^#\/?/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        return part
      }
    })

export const to = (...parts: ReadonlyArray<string | number>) =>
  `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`

export const go = (...parts: ReadonlyArray<string | number>) => {
  location.hash = to(...parts)
}

/** The same place under another address: "back" does not lead through it. */
export const replace = (...parts: ReadonlyArray<string | number>) => {
  history.replaceState(null, "", to(...parts))
  dispatchEvent(new HashChangeEvent("hashchange"))
}

export const useRoute = () => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = () => setHash(location.hash)
    addEventListener("hashchange", changed)
    return () => removeEventListener("hashchange", changed)
  }, [])
  return partsOf(hash)
}
