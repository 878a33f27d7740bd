// console/main.tsx: mounts the page.
import { render } from "preact"
import { Console } from "#console/Console.tsx"

const root = document.getElementById("console")
if (root !== null) render(<Console />, root)
