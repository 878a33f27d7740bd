// layers/generator/RoleWords.ts: the words that tell that an email was written for a certain role.
import type { Role } from "#layers/generator/Roles.ts"
import { content, stem, words } from "#layers/text/Words.ts"

const stems = (list: string): ReadonlySet<string> => new Set(list.split(" ").map(stem))

export const roleWords: Record<Role, ReadonlySet<string>> = {
  logistics: stems(
    "logistics freight shipment shipments shipping carrier carriers supply chain container containers import imports customs warehouse delivery deliveries transport goods"
  ),
  finance: stems(
    "finance figures numbers books month close budget cash cost costs margin invoice invoices ledger audit spend accounts forecast"
  ),
  operations: stems(
    "operations floor shift shifts schedule output plant process day rework downtime work running crew"
  ),
  purchasing: stems(
    "purchasing supplier suppliers buying contract contracts price prices terms order orders quote quotes spend buyer"
  ),
  owner: stems("business owner margin company running run desk growth profit cash firm payroll books"),
  sales: stems("sales deals deal pipeline customers quota revenue selling sell buyers quarter"),
  marketing: stems("marketing campaign campaigns brand leads audience pipeline budget"),
  it: stems("systems system ticket tickets support security data tools users"),
  hr: stems("people staff hiring hire team turnover payroll employees hr"),
  legal: stems("legal contracts contract risk compliance matter matters clause counsel"),
  maintenance: stems(
    "maintenance plant downtime repair repairs breakdown breakdowns shift machine machines equipment crew"
  ),
  education: stems("school schools pupils students teachers parents classroom term staff lessons timetable office"),
  health: stems("practice patients patient chair clinic appointments surgery staff team day"),
  other: new Set()
}

/** Whether a text has a word that a role cares about. */
export const touches = (text: string, role: Role): boolean =>
  !content(words(text.toLowerCase())).isDisjointFrom(roleWords[role])
