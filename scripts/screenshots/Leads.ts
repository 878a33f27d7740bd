// scripts/screenshots/Leads.ts: people and companies that do not exist, to be seen in pictures.
const given =
  "Priya Jonas Amélie Tom Sofia Kenji Hanna Marek Ida Luis Grace Owen Nina Femke Ravi Clara Peter Eva".split(" ")
const family = "Nair Weber Laurent Reid Rossi Mori Lind Nowak Moreau Ortega Chen Price Vogel".split(" ")
const trades = "Foods Timber Ceramics Tools Outdoor Parts Citrus Lighting Textiles Cosmetics Seafood".split(" ")
const titles = ["Head of Logistics", "Operations Manager", "Finance Director", "Supply Chain Director", "COO"]

const at = (words: ReadonlyArray<string>, i: number) => words[i % words.length] ?? ""

/** So many, and of another `seed` others. */
export const leadsOf = (count: number, seed: number) =>
  Array.from({ length: count }, (_, each) => {
    const i = each + seed * 7
    const name = `${at(given, i)} ${at(family, i * 5 + seed)}`
    const company = `${at(family, i * 3 + 1)} ${at(trades, i)}`
    const domain = company
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[^a-z]+/g, "-")
    return { email: `lead${i}@${domain}.example`, name, title: at(titles, i), company }
  })
