// layers/generator/routing/Departments.ts: the departments and seniorities of job titles.

/** The department that a title belongs to, by the work its holder does. */
export const departments = [
  "leadership", // owner, founder, CEO, president, managing director, general manager
  "operations", // COO, head of operations, operations manager, branch manager
  "production", // plant manager, production, manufacturing, head brewer
  "maintenance", // maintenance, reliability, rotating equipment, service technician
  "facilities", // facility, property, building, custodial, housekeeping
  "logistics", // supply chain, logistics, warehouse, fulfilment, fleet
  "procurement", // purchasing, sourcing, category, buyer
  "quality", // quality, HSE, safety, regulatory affairs
  "engineering", // mechanical, electrical, process, civil, project and design engineers, R&D
  "construction", // site manager, construction, contracts, building architect
  "software", // software, data, DevOps, SRE, platform, CTO, software architect
  "it", // IT, CIO, system administration, security, ERP
  "product", // CPO, product manager, UX
  "finance", // CFO, controller, accounting, treasury, FinOps
  "hr", // people, recruiting, training, payroll
  "legal", // counsel, compliance, privacy
  "marketing", // CMO, growth, brand, content, communications, PR, events
  "sales", // sales, business development, partnerships, account executive
  "ecommerce", // e-commerce, online shop, marketplace
  "support", // customer service, customer experience, customer success, care
  "administration", // office or practice manager, executive assistant, reception, secretary
  "healthcare", // physician, dentist, nurse, pharmacist, clinical director, therapist
  "education", // teacher, school principal, dean, professor
  "research", // scientist, laboratory
  "hospitality", // chef, hotel, restaurant, catering
  "creative", // editor, art or creative director, photographer, journalist
  "investment", // investor, venture or private equity partner, fund manager
  "public", // mayor, town clerk, officer of a public body, clergy and charity director
  "agriculture" // farm, vineyard, forestry
] as const
export type Department = (typeof departments)[number]

/** The decision power of a title's holder. */
export const seniorities = [
  "owner", // owns or founded the business
  "executive", // chief, president, managing director
  "director", // vice president, director, head of
  "manager", // manager, lead, supervisor
  "specialist", // engineer, dentist, buyer: does the work
  "assistant" // assistant, junior, trainee, intern
] as const
export type Seniority = (typeof seniorities)[number]

/** How a title was read; both are null if nothing in it was recognised. */
export interface TitleReading {
  readonly department: Department | null
  readonly seniority: Seniority | null
  /** One plain sentence for each decision, with the words of the title that led to it. */
  readonly reasons: ReadonlyArray<string>
}

/**
 * The words of one language. Phrases are separated by commas; case, accents, hyphens and apostrophes are ignored, and the
 * longer of two overlapping phrases counts. A `*` at the start or end of a word matches the rest of the word
 * ("instandhalt*" matches "Instandhaltungsleiter"); a `*` of its own matches one to three words.
 */
export interface TitleTable {
  /** Phrases that do not show the department and hide a word that would. */
  readonly silent?: string
  /** Complete jobs, such as "buyer". They outrank fields: a "marketing recruiter" recruits. */
  readonly jobs: Partial<Record<Department, string>>
  /** Fields of work, such as "marketing". */
  readonly fields: Partial<Record<Department, string>>
  /** Words that any job or field outranks, such as "operations" in "warehouse operations". */
  readonly general: Partial<Record<Department, string>>
  /** Words for seniority. */
  readonly ranks: Partial<Record<Seniority, string>>
}
