// layers/answerer/Synonyms.ts: synonyms and phrases in the texts of a business and in questions about it.
import { wordSet } from "#layers/text/Words.ts"

/** Words of questions that name no subject, also in German. */
export const fillers = wordSet(
  "tell know please explain give show say says said describe information info detail details thing things kind kinds type sort " +
    "possible available happen happens work works worked use uses used using company campaign business find question questions " +
    "answer help want like let mean means exactly actually hello hey hi good morning thanks thank okay ok anything something " +
    "reply respond response thinks reckons usually normally generally typically today now currently isnt arent wasnt wont cant doesnt didnt havent hasnt weve theyre youre im ive thats " +
    "want wants wanted someones everyones got getting gotten bit couple sort sorts instead itself themselves werent hadnt shouldnt wouldnt couldnt arent dare wondering know knows try trying tried cant ie eg " +
    "another others several various multiple different certain full whole entire existing current now new " +
    "everything someone somebody anybody anyone lot pls plz btw guys guy already thx whom whose dont till til do doing come comes " +
    "think sure maybe roughly really quite far able ask asked asking yes again else whats wats hows wheres whens whos theres firm great helped stuff somewhere afterwards himself peoples ppl " +
    "der die das den dem des ein eine einen einem einer ist sind war gibt es wir ihr sie habt haben hat hatte unser unsere unseren " +
    "unserer und oder für von mit bei beim am im als zu zum zur ich er man wenn dass aus um kann können muss noch auch ihnen ihre " +
    "cual que es la el los las como para ausgewählt gewählt geschrieben previous " +
    "against moment policy policies compared versus maybe somewhere till done " +
    "around myself yourself ourselves theirs ours yours mine hers bunch old ahead pull back " +
    "was wie wer wem wo wann welche welcher welches welchen viele viel wieviele lange dauert"
)

/**
 * Words that stand for each other. Behind ">" stand words of texts that may answer a question for those before it, without
 * meaning the same.
 */
export const synonyms =
  "price cost charge fee rate tariff expensive cheap cheaper pricey dear dearer quid pay due kosten kostet preis " +
  "honorar gebühr precio prix prezzo tarif, discount rebate reduction cheaper concession rabatt descuento remise " +
  "sconto, guarantee warranty promise pledge garantie garantía gewährleistung garanzia > cover, refund rebate " +
  "reversal reimburse repay erstatten erstattet erstattung reembolso > guarantee, penalty compensation compensate " +
  "liable > guarantee, founder found founded establish gründer gegründet fundador fondateur, boss ceo chief leader " +
  "> director manager head owner, owner own belong rights inhaber, cancel terminate notice quit leave withdraw " +
  "resign kündigung kündigungsfrist gestrichen storniert, early soon premature, postpone reschedule defer shift, " +
  "late delay overdue, client customer buyer kunde auftraggeber cliente, guest visitor caller, starter newcomer " +
  "hire joiner > employee, online portal web website wifi wlan internet offline network connectivity, lend loan " +
  "borrow, setup startup onboarding installation implementation rollout deployment kickoff install begin start " +
  "launch live > mount fit, certificate certified certification accredited accreditation licence licensed " +
  "qualified, mount install installation fit fitted assemble erect, paperwork papers documentation > record certs " +
  "document certificate report file, staff employee employ team headcount crew mitarbeiter worker payroll personnel " +
  "empleado employé > people, people folk folks person attendee participant > staff employ team, store storage keep " +
  "kept host held retain retention stay archive warehouse stock lager, stay remain continue > still, integrate " +
  "integration connect connector plug interface link sync, office headquarters based located location standort " +
  "sitz, competitor rival alternative compete competition wettbewerber, proof reference testimonial evidence " +
  "example, trial pilot try test sample demo prototype muster, contract agreement commitment term tied vertrag " +
  "contrato contrat, fail fault mistake error wrong, break broken damage defect fault fail, repair fix mend revive " +
  "regenerate restore refurbish rebuild recondition, deliver delivery ship freight transport carry shipment " +
  "consignment lieferung liefern lieferzeit entrega livraison, minimum smallest least lowest mindest mínimo > " +
  "below, maximum max biggest largest highest limit cap most, fast quick soon turnaround speed express urgent rush, " +
  "phone telephone telefon call ring dial telefonisch anruf anrufen, invoice bill rechnung factura facture, private " +
  "home house, ill sick, holiday vacation hols > deputy cover, year annual annum jahr jahre jahren año, reserve " +
  "book, weight heavy heaviest load, weak weakness, feed fed, catch caught, area region cover serve, child kid " +
  "pupil, vehicle van truck lorry, medicine drug > dose prescription, chef cook, photo picture image, freezer " +
  "frozen freeze cold chill, train training teach course workshop, insurance insure liability indemnity, security " +
  "secure safe safety protect guard watch, stop shut close halt end finish, disable deactivate, buy purchase order, " +
  "audit inspection check checkup test review assess assessment survey examine inspector auditor, risk risky " +
  "danger, switch change changeover migrate, worry concern doubt fear > hesitate, refuse reject decline exclude > " +
  "turn, supplier provider vendor, noise noisy loud quiet, save reduce cut spend, power electricity energy, supply " +
  "bring provide, weekend saturday sunday, payback roi breakeven, turnover revenue umsatz, profit margin earnings, " +
  "confirm approve agree accept sign, arrears underpay underpaid unpaid owed outstanding, delete erase wipe remove " +
  "destroy, record recording audio sound clip, rent rental hire lease, portal dashboard platform, extra surcharge " +
  "additional supplement, salary wage earn income gehalt lohn remuneration, accommodation lodging housing quarters " +
  "> house room bed, visa sponsor sponsorship immigration, abroad foreign overseas international, language speak " +
  "spoken, fair show expo exhibition tradeshow messe feria salon, visit tour, prefer want favour favourite, exact " +
  "precise precision accurate accuracy tolerance, warn alert alarm notify, allow permit permission accept allowed, " +
  "forbid forbidden prohibit ban, poach headhunt, mail email message, accountant bookkeeper, lawyer solicitor, " +
  "weekday monday friday, expand grow enlarge extend bigger increase rise raise, segment target prospect, offer > " +
  "magnet, deposit downpayment prepayment upfront instalment anzahlung acompte anticipo advance > payment, magnet " +
  "giveaway freebie, result outcome success, deadline cutoff frist plazo délai, expire lapse renew, xmas christmas, " +
  "kilo kilogram kg, laboratory lab, normal standard regular usual, mileage mile, carton cardboard, balance " +
  "remainder remaining, outside beyond, system software, percent percentage proportion share prozent quota, waste " +
  "scrap discard loss lost, charity nonprofit, talk speak speech present presentation lecture keynote, mold mould " +
  "tool tooling die, millimeter millimetre mm, week woche wochen semana semaine, month monat monate monaten mes " +
  "mois, day tag tage tagen día jour, quote quotation cite zitat, quote quotation estimate offer bid angebot, " +
  "battery storage bess batterie, candidate applicant kandidat bewerber person personen, technician mechanic fitter " +
  "techniker monteur, overload overloaded overweight, empty vacant vacancy unfilled open offen, post position role " +
  "job vacancy stelle, spreadsheet excel csv, press newspaper media papers, shelf shelves rack racking, mum dad " +
  "parent mother father family, material raw > plastic steel metal wood fabric resin, become became convert " +
  "conversion, payment zahlung zahlen zahlt pago paiement, contact ansprechpartner, travel reise reisekosten, hour " +
  "stunde stunden hora heure, material werkstoff, cheque check, colour color, tyre tire, grey gray, aluminium " +
  "aluminum, centre center, catalogue catalog, logo brand, hurry rush urgent, photo video film, strike outage " +
  "downtime, temperature warm hot heat degree celsius, foot feet ft, inch inches, litre liter, clean wash cleaning " +
  "hygiene, small little tiny compact, large big huge, size dimension measurement, apprentice trainee intern, " +
  "machine equipment device kit, collect collection pickup pick, complaint complain unhappy gripe, rating stars " +
  "score, wholesaler distributor reseller dealer agent, factory plant workshop works, doctor physician gp, money " +
  "cash pay, drop fell fall decrease lower reduce, drawing sketch plan, open opening hours, noshow absent, january " +
  "januar enero janvier, february februar, march märz marzo mars, may mai mayo, june juni junio, july juli julio, " +
  "august agosto, september septiembre, october oktober octubre, average mean typical durchschnitt, medium mid midsize midsized middle, door panel leaf, megawatt mw mwp, kilowatt kw kwp kwh, " +
  "doctor vet veterinary veterinarian, site location branch premises, dislike complain hate, language languages, handle manage process, december dezember diciembre"

/** Nouns that a text seldom says where it answers: "the noise level". */
export const lightNouns = wordSet(
  "level levels amount amounts number numbers way ways part parts site place situation position point points case cases issue " +
    "time times range form rule rules condition conditions process term terms option options figure figures total sum value " +
    "share shares version versions care outside normal standard day days week weeks month months year years reason reasons name names list overview status state story background basis purpose idea side end kind group groups"
)

/** Phrases, and the word that stands for each in texts and questions; "how long" is a kind and no word. */
export const phrases: ReadonlyArray<readonly [RegExp, string]> = [
  [/[\u2018\u2019]/g, "'"],
  [/\bhow (?:much|many|long|soon|fast|quick\w*|often|high|tall|big|large|old|heavy|far|early|late)\b/g, " "],
  [/\bwho (?:started|began|set(?: \S+){0,3} up)\b|\bwas (?:\S+ ){0,2}(?:set up|started)\b/g, "founder"],
  [/\bwho(?:'?s| is)? (?:now |really )?(?:runs|running|heads|leads)\b|\bin charge\b/g, "boss"],
  [/\be-?mail address(?:es)?\b/g, "email"],
  [/\blead magnets?\b/g, "magnet"],
  [/\bgiv(?:e|es|ing) away\b/g, "giveaway"],
  [/\bpain points?\b/g, "pain"],
  [/\b(?:thr[eo]w(?:s|n|ing)?(?: \S+)? away|wr(?:i|o)te?(?:s|ten|ing)?[- ]offs?)\b/g, "waste"],
  [/\b(?:go(?:es|ing)?|went) up\b/g, "increase"],
  [/\bup[- ]front\b/g, "deposit"],
  [/\bturn(?:s|ed|ing)? into\b/g, "become"],
  [/\b(?:ring|call)(?:s|ing)? up\b|\brang up\b/g, "call"],
  [/\bhalf an? (?=millimet|mm|inch|hour|day|year|kilo|ton)/g, "0.5 "],
  [/\bg[eo]t(?:s|ting)? out of\b/g, "cancel"],
  [/\b(?:what|which) (?:year|day|date|month)\b/g, " "],
  [/\u00b0 ?[cf]?\b/g, " degree"],
  [/\b(?:going|go|goes) for\b|\bsets? (?:\S+ )?back\b/g, "price"],
  [/\bfor nothing\b|\bfree of charge\b|\bat no (?:cost|charge)\b/g, "free"],
  [/\bhand(?:s|ed|ing)? out\b/g, "giveaway"],
  [/\b(?:not|n't) (?:turn|show) up\b|\bno[- ]shows?\b/g, "noshow"],
  [/\bup against\b/g, "competitor"],
  [/\blos(?:e|es|t|ing)((?: \S+){0,3}) (?:against|to)\b/g, "lost$1 competitor"],
  [/\bcall(?:s|ed|ing)?( \S+)? off\b/g, "cancel$1"],
  [/\b(?:money|fees?|cash|deposit|payments?)[- ]back\b|\bgets? (?:it |them |that )?back\b/g, "refund"],
  [/\bwhat(?:'?s| is) the damage\b/g, "price"],
  [/\bsa(?:y|ys|id) yes\b/g, "confirm"],
  [/\bturn(?:s|ed|ing)?( \S+)? (?:down|away)\b|\bsa(?:y|id) no\b/g, "refuse$1"],
  [/\b(?:turn|switch)(?:s|es|ed|ing)?( \S+)? off\b/g, "disable$1"],
  [/\b(?:plug|hook|tie|link)(?:s|ed)? (?:in|up)?(?: ?to| with)\b/g, "integrate"],
  [
    /\bnot go well\b|\bwent badly\b|\b(?:screw|mess|slip)(?:s|ed)? up\b|\b(?:go|goes|went|gets?|got) (?:\S+ )?wrong\b|\b(?:conks?|breaks?) (?:down|out)\b|\bpack(?:s|ed) (?:up|in)\b/g,
    "fail"
  ],
  [/\bpush(?:es|ed)?((?: \S+){0,2}) back\b|\bput(?:s|ting)?((?: \S+){0,2}) off\b/g, "postpone$1$2"],
  // "At least a year" asks for no minimum.
  [/\bat least(?= an? | \d)/g, " "],
  [/\bat least\b/g, "minimum"],
  [/\b(?:in|on) time\b/g, "late"],
  [/\bset(?:s|ting)? (?:it |this )?up\b|\bset-up\b|\bgo(?:es|ing)? live\b/g, "setup"],
  [/\b(?:until|till|by) when\b|\bcut[- ]?offs?\b/g, "deadline"],
  [/\breturn (?:of|on) (?:the )?investment\b|\bpa(?:y|ys|id) (?:for itself|back)\b|\bbreak[- ]even\b/g, "payback"],
  [/\bback[- ]?pay\b/g, "arrears"],
  [/\b(?:shell|fork)(?:s|ed|ing)? out\b/g, "pay"],
  [/(?<=\d ?%|percent|points) off\b/g, " discount"],
  [/\b(?:go|come|goes|comes)(?: \S+)? (?:to |and )?see\b/g, "visit"],
  [/\bon top\b/g, "extra"],
  [/\b(?:sooner|earlier) than (?:agreed|planned|expected)\b/g, "early"],
  [/\b(?:twelve|12) months\b/g, "$& year"],
  [/\b(?:two|2) months\b/g, "$& 60 day"],
  [/\b(?:three|3) months\b/g, "$& 90 day"],
  [/\bmid-?sized\b/g, "medium"],
  [
    /\block(?:s|ed)?[- ](?:us |them |me |you )?in(?:to)?\b|\btie[sd]? (?:us |them |me |you )?in(?:to)?\b|\bmonth[- ]to[- ]month\b/g,
    "contract"
  ],
  // "40ft" is 40 feet.
  [/(?<=\d)(?=\p{L}{2,}\b)(?!st\b|nd\b|rd\b|th\b)/gu, " "]
]
