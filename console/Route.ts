// console/Route.ts: where one is in the page, as the part of its address after the `#`.
import { useEffect, useRef, useState } from "preact/hooks"
import { mayLeave } from "#console/Leaving.ts"

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

let cameFrom = ""

/** The address before this one, with what replaced it meanwhile; empty on the first page of a tab. */
export const previous = () => cameFrom

export const useRoute = () => {
  const [hash, setHash] = useState(location.hash)
  const shown = useRef(hash)
  useEffect(() => {
    const changed = ({ oldURL }: HashChangeEvent) => {
      if (location.hash === shown.current) return
      if (!mayLeave()) {
        // An address that was replaced meanwhile is the one to stay at.
        history.pushState(null, "", oldURL === "" ? shown.current : new URL(oldURL).hash)
        return
      }
      if (oldURL !== "") cameFrom = new URL(oldURL).hash
      shown.current = location.hash
      setHash(location.hash)
    }
    addEventListener("hashchange", changed)
    return () => removeEventListener("hashchange", changed)
  }, [])
  return partsOf(hash)
}
