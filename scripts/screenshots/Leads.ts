// scripts/screenshots/Leads.ts: people and companies that do not exist, to be seen in pictures.
const givenNames =
  "Priya Jonas Amélie Tom Sofia Kenji Hanna Marek Ida Luis Grace Owen Nina Femke Ravi Clara Peter Eva".split(" ")
const family = "Nair Weber Laurent Reid Rossi Mori Lind Nowak Moreau Ortega Chen Price Vogel".split(" ")
const trades = "Foods Timber Ceramics Tools Outdoor Parts Citrus Lighting Textiles Cosmetics Seafood".split(" ")
const titles = ["Head of Logistics", "Operations Manager", "Finance Director", "Supply Chain Director", "COO"]

const cycle = (words: ReadonlyArray<string>, i: number) => words[i % words.length] ?? ""

/** So many, and of another `seed` others. */
export const leadsOf = (count: number, seed: number) =>
  Array.from({ length: count }, (_, index) => {
    const i = index + seed * 7
    const name = `${cycle(givenNames, i)} ${cycle(family, i * 5 + seed)}`
    const company = `${cycle(family, i * 3 + 1)} ${cycle(trades, i)}`
    const domain = company
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[^a-z]+/g, "-")
    return { email: `lead${i}@${domain}.example`, name, title: cycle(titles, i), company }
  })
