// scripts/bench/Leads.ts: generated leads, the same ones in each run.

const firstNames = ["Maria", "Jonas", "Priya", "Tom", "Aiko", "Lena", "Omar", "Grace", "Pavel", "Ines"]
const lastNames = [
  "Keller",
  "Okafor",
  "Silva",
  "Novak",
  "Brandt",
  "Hughes",
  "Moreau",
  "Rossi",
  "Lind",
  "Chen",
  "Adeyemi"
]
const titles = ["Head of Operations", "VP Sales", "Founder", "Marketing Director", "Operations Manager", "CFO", "COO"]
const industries = ["Logistics", "Dental", "Foods", "Energy", "Textiles", "Robotics", "Travel", "Clinics", "Software"]

export interface Lead {
  readonly email: string
  readonly name: string
  readonly title: string
  readonly company: string
  readonly company_website: string
}

const cycle = (values: ReadonlyArray<string>, index: number) => values[index % values.length] ?? ""

export const leadAt = (i: number): Lead => {
  const company = `${cycle(lastNames, i * 7)} ${cycle(industries, i)}`
  const domain = `${company.toLowerCase().replace(" ", "-")}-${i}.example`
  return {
    email: `lead${i}@${domain}`,
    name: `${cycle(firstNames, i)} ${cycle(lastNames, i)}`,
    title: cycle(titles, i),
    company,
    company_website: `https://${domain}`
  }
}

/** The number of the lead whose site is in a text. */
export const leadIndexIn = (text: string) => {
  const digits = /-(\d+)\.example/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export const signatureText = "Dana Whitlock\nHead of Partnerships\nHarbour & Pine Analytics\n+1 555 0100"

export const writingOptions = { email_count: 3, email_signature: signatureText.replaceAll("\n", "\\n") }

/** The body of a request for a batch. */
export const batchBody = (count: number) =>
  JSON.stringify({ leads: Array.from({ length: count }, (_, i) => leadAt(i)), options: writingOptions })
