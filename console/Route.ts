// console/Route.ts: the current route: the part of the address after the `#`.
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { confirmLeave } from "#console/UnsavedChanges.ts"

/** `#/lists/ID/3` is `["lists", "ID", "3"]`. */
const routeParts = (hash: string): ReadonlyArray<string> =>
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

export const routeTo = (...parts: ReadonlyArray<string | number>) =>
  `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`

export const navigate = (...parts: ReadonlyArray<string | number>) => {
  location.hash = routeTo(...parts)
}

/** Replaces the address without adding to the history, so that "back" skips it. */
export const replaceRoute = (...parts: ReadonlyArray<string | number>) => {
  history.replaceState(null, "", routeTo(...parts))
  dispatchEvent(new HashChangeEvent("hashchange"))
}

let cameFrom = ""

/** The previous address; empty on the first page of a tab. */
export const previousRoute = () => cameFrom

export const useRoute = () => {
  const [hash, setHash] = useState(location.hash)
  const currentHash = useRef(hash)
  // An effect runs only after the first paint, which would miss a change of the address before it.
  useLayoutEffect(() => {
    const changed = ({ oldURL }: HashChangeEvent) => {
      if (location.hash === currentHash.current) return
      if (!confirmLeave()) {
        // Restores the address that was shown, including one that `replaceRoute` set.
        history.pushState(null, "", oldURL === "" ? currentHash.current : new URL(oldURL).hash)
        return
      }
      if (oldURL !== "") cameFrom = new URL(oldURL).hash
      currentHash.current = location.hash
      setHash(location.hash)
    }
    addEventListener("hashchange", changed)
    return () => removeEventListener("hashchange", changed)
  }, [])
  return routeParts(hash)
}
