// layers/generator/rules/RoleWords.ts: the words that tell that an email was written for a certain role.
import type { Role } from "#layers/generator/Roles.ts"
import { stem } from "#layers/text/Text.ts"

const set = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(" ")
      .filter((word) => word !== "")
      .map(stem)
  )

export const roleWords: Record<Role, ReadonlySet<string>> = {
  logistics: set(
    "logistics freight shipment shipments shipping carrier carriers supply chain container containers import imports customs warehouse delivery deliveries transport goods"
  ),
  finance: set(
    "finance figures numbers books month close budget cash cost costs margin invoice invoices ledger audit spend accounts forecast"
  ),
  operations: set("operations floor shift shifts schedule output plant process day rework downtime work running crew"),
  purchasing: set(
    "purchasing supplier suppliers buying contract contracts price prices terms order orders quote quotes spend buyer"
  ),
  owner: set("business owner margin company running run desk growth profit cash firm payroll books"),
  sales: set("sales deals deal pipeline customers quota revenue selling sell buyers quarter"),
  marketing: set("marketing campaign campaigns brand leads audience pipeline budget"),
  it: set("systems system ticket tickets support security data tools users"),
  hr: set("people staff hiring hire team turnover payroll employees hr"),
  legal: set("legal contracts contract risk compliance matter matters clause counsel"),
  maintenance: set(
    "maintenance plant downtime repair repairs breakdown breakdowns shift machine machines equipment crew"
  ),
  education: set("school schools pupils students teachers parents classroom term staff lessons timetable office"),
  health: set("practice patients patient chair clinic appointments surgery staff team day"),
  other: set("")
}
