// test/plain-tables.test.ts: tables of plain text, laid out by spaces or tabs, keep their columns in the text that answers come from.
import { assert, describe, it } from "@effect/vitest"
import { withTables } from "#layers/knowledge/PlainTables.ts"
import { extract } from "#layers/research/ExtractProfile.ts"

const rates = [
  "Rates per pallet",
  "",
  "Size        Chilled  Frozen  Minimum stay",
  "Euro        GBP 4    GBP 6   2 weeks",
  "Industrial  GBP 5    GBP 7   2 weeks",
  "Oversize    GBP 9            1 month"
].join("\n")

describe("a table in plain text", () => {
  it("becomes one line per row that names the column of each cell", () => {
    assert.include(extract(rates).own, "- Industrial; Chilled: GBP 5; Frozen: GBP 7; Minimum stay: 2 weeks")
    assert.include(extract(rates).own, "- Oversize; Chilled: GBP 9; Frozen: –; Minimum stay: 1 month")
  })

  it("may have a title, a cell on two lines, or no header", () => {
    const staff = [
      "Staff",
      "Name        Job                Since",
      "Lena Horn   Dispatch, night    2011",
      "            and weekends",
      "Tom Reid    Accounts           2019"
    ].join("\n")
    assert.include(extract(staff).own, "- Lena Horn; Job: Dispatch, night and weekends; Since: 2011")
    const hours = "          Gate 1   Gate 2\nMon-Fri   6-22     8-18\nSaturday  7-12     closed"
    assert.include(extract(hours).own, "- Saturday; Gate 1: 7-12; Gate 2: closed")
    const people = "Dispatch    Lena Horn   lena@weldon.example\nAccounts    Tom Reid    tom@weldon.example"
    assert.include(extract(people).own, "- Accounts; Tom Reid; tom@weldon.example")
  })

  it("may be laid out by tabs", () => {
    const table = "Pump\tFlow\tDelivery\nHM 10\t12 m3/h\t5 days\nHM 40\t48 m3/h\t2 weeks"
    assert.include(extract(table).own, "- HM 40; Flow: 48 m3/h; Delivery: 2 weeks")
  })

  it("is not found in lists, two-column prose or Markdown tables", () => {
    for (const text of [
      "- one   two   three\n- four   five   six\n- seven   eight   nine",
      "We store pallets for growers in the west     The rooms are opened at six in the morning\nof the county and ship them every night to   and closed when the last van has left the\nshops that are up to ninety miles away.       yard, which is at eleven on most days.",
      "| a | b |\n| --- | --- |\n| c | d |"
    ])
      assert.strictEqual(withTables(text), text)
  })
})
