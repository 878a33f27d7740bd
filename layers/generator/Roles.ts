// layers/generator/Roles.ts: which part of a company a job title speaks for, in the languages titles come in.

export const roles = [
  "logistics",
  "finance",
  "operations",
  "purchasing",
  "owner",
  "sales",
  "marketing",
  "it",
  "hr",
  "legal",
  "maintenance",
  "education",
  "health",
  "other"
] as const
export type Role = (typeof roles)[number]

// The most telling first: a "Finance Director" is finance before a director, a "VP Sales" is sales before an owner.
const families: ReadonlyArray<readonly [Role, RegExp]> = [
  [
    "logistics",
    /logist|logíst|supply[ -]?chain|freight|shipping|shipment|transport|warehous|customs|\bimports?\b|\bexports?\b|importa|fulfil|dispatch|distribution|fleet|lieferkette|spedition|magazyn|spedyc|\blager|cadena de suministro|approvisionnement|物流/u
  ],
  [
    "finance",
    /\bcfo\b|financ|finanz|finans|finanse|account(?:ing|ant|s)\b|controll|treasur|bookkeep|comptab|contab|buchhalt|księgow|ksiegow|\bdaf\b|billing|audit|財務/u
  ],
  [
    "purchasing",
    /purchas|procure|buyer|buying|sourcing|category manager|einkauf|inkoop|achat|compras|acquisti|zakup|indkøb|inköp|innkjøp|調達/u
  ],
  [
    "maintenance",
    /mainten|reliability|\bplant\b|instandhalt|utrzyman|wartung|mantenimiento|manutenzione|facilit|onderhoud/u
  ],
  [
    "sales",
    /\bsales\b|account (?:executive|manager)|business develop|\bcro\b|revenue|vertrieb|verkoop|ventes|commercial|ventas|vendite|sprzeda|\bbdr\b|\bsdr\b|partnerships?/u
  ],
  ["marketing", /marketing|\bcmo\b|brand|growth|communicat|content|\bseo\b|\bpr\b|advertis|märkte/u],
  ["hr", /\bhr\b|human|\bpeople\b|talent|recruit|personal(?:leiter|chef)|recursos|ressources|kadry|payroll/u],
  ["legal", /legal|counsel|lawyer|attorney|solicitor|complian|jurid|rechts|paralegal/u],
  [
    "it",
    /\bit\b|\bcto\b|\bcio\b|\bciso\b|information|technolog|software|developer|engineer|\bdata\b|security|devops|system|informati/u
  ],
  [
    "education",
    /head ?teacher|teacher|principal|school|dean\b|bursar|academ|faculty|curriculum|safeguard|attendance|superintendent|pupil|student|lecturer/u
  ],
  [
    "health",
    /dentist|dental|doctor|nurse|practice|clinic|surgeon|physician|hygien|pharma|hospital|medical|patient|therap/u
  ],
  [
    "operations",
    /\bcoo\b|operati|operaci|opérati|operaz|operac|production|produktion|produkc|manufactur|works manager|\bquality\b|betrieb|produzione|producción|project|delivery|process/u
  ],
  [
    "owner",
    /owner|founder|\bceo\b|president|managing|\bchief executive|\bpdg\b|direct(?:or|eur|rice)\b|general|geschäftsf|geschaeftsf|inhaber|eigenaar|dueñ|propriet|gérant|gerant|właściciel|prezes|partner|principal|executive|chair|\bmd\b|gründer|driver|proprietor|titolare|direktør|daglig leder|社長/u
  ]
]

/** The family of a title; "other" for what says nothing or is no title. */
export const roleOf = (title: string | null | undefined): Role => {
  if (typeof title !== "string" || title.length > 160) return "other"
  const lower = title.normalize("NFC").toLowerCase().replace(/\s+/g, " ")
  if (/[{}<>[\]=]|https?:|ignore|instruction|prompt/.test(lower)) return "other"
  // A vice president of something is no owner; one of nothing is.
  const bare = lower.replace(/vice[ -]president/g, "vp")
  for (const [role, pattern] of families) if (pattern.test(bare)) return role
  return /\bvp\b|\bhead\b/.test(bare) ? "owner" : "other"
}
