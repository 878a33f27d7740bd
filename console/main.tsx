// console/main.tsx: puts the page in its place.
import { render } from "preact"
import { Console } from "#console/Console.tsx"

const place = document.getElementById("console")
if (place !== null) render(<Console />, place)
