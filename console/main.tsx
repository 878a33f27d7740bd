// console/main.tsx: puts the page in its place.
import { render } from "preact"
import { Console } from "#console/Console.tsx"

const root = document.getElementById("console")
if (root !== null) render(<Console />, root)
