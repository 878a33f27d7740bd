// scripts/bench/Leads.ts: generated leads, the same ones in each run.

const first = ["Maria", "Jonas", "Priya", "Tom", "Aiko", "Lena", "Omar", "Grace", "Pavel", "Ines"]
const last = ["Keller", "Okafor", "Silva", "Novak", "Brandt", "Hughes", "Moreau", "Rossi", "Lind", "Chen", "Adeyemi"]
const titles = ["Head of Operations", "VP Sales", "Founder", "Marketing Director", "Operations Manager", "CFO", "COO"]
const fields = ["Logistics", "Dental", "Foods", "Energy", "Textiles", "Robotics", "Travel", "Clinics", "Software"]

export interface Lead {
  readonly email: string
  readonly name: string
  readonly title: string
  readonly company: string
  readonly company_website: string
}

const of = (from: ReadonlyArray<string>, at: number) => from[at % from.length] ?? ""

export const lead = (i: number): Lead => {
  const company = `${of(last, i * 7)} ${of(fields, i)}`
  const domain = `${company.toLowerCase().replace(" ", "-")}-${i}.example`
  return {
    email: `lead${i}@${domain}`,
    name: `${of(first, i)} ${of(last, i)}`,
    title: of(titles, i),
    company,
    company_website: `https://${domain}`
  }
}

/** The number of the lead whose site is in a text. */
export const leadIn = (text: string) => {
  const found = /-(\d+)\.example/.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

export const signatureText = "Dana Whitlock\nHead of Partnerships\nHarbour & Pine Analytics\n+1 555 0100"

export const options = { email_count: 3, email_signature: signatureText.replaceAll("\n", "\\n") }

/** The body of a request for a batch. */
export const batchOf = (count: number) =>
  JSON.stringify({ leads: Array.from({ length: count }, (_, i) => lead(i)), options })
