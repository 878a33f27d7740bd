// test/support/jumping.mjs: loaded before a program, lets a test put its clock forward or back: SIGUSR2 makes it read from
// the file CLOCK by how many milliseconds.
import { readFileSync } from "node:fs"

const Real = Date
let ahead = 0
globalThis.Date = class Date extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + ahead)
    else super(...given)
  }
  static now() {
    return Real.now() + ahead
  }
}
process.on("SIGUSR2", () => {
  ahead = Number(readFileSync(process.env.CLOCK ?? "", "utf8"))
})
