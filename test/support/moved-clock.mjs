// test/support/moved-clock.mjs: preloaded into a program so that a test can move its clock. On SIGUSR2 it reads the offset in
// milliseconds from the file named by CLOCK.
import { readFileSync } from "node:fs"

const RealDate = Date
let offsetMillis = 0
globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offsetMillis)
    else super(...given)
  }
  static now() {
    return RealDate.now() + offsetMillis
  }
}
process.on("SIGUSR2", () => {
  offsetMillis = Number(readFileSync(process.env.CLOCK ?? "", "utf8"))
})
