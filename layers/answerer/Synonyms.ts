// layers/answerer/Synonyms.ts: words that questions and texts use for the same thing.
import { stemOf } from "#layers/answerer/Vocabulary.ts"

/** Any word of a group may answer a question for another; a word may be in several groups. */
const groups = `
contract agreement commitment term | cancel quit leave terminate exit notice | refund reimburse credit |
penalty fine fee | renew extend prolong | discount rebate reduction off less cheaper saving | deposit prepayment advance |
pay payable due settle money | invoice bill | free gratis nothing complimentary | minimum smallest least lowest lower floor limit |
maximum largest most biggest cap limit | increase rise raise grow higher more held | decrease fall drop cut reduce shrink lower less |
salary wage earn pay | revenue turnover sales | book reserve booking reservation | start begin commence launch |
end finish complete done ready | quick fast rapid soon prompt | late delay overdue slow | deadline due latest |
weekend saturday sunday | holiday vacation away absent christmas easter | night overnight evening |
run lead manage | own belong share | deputy replacement substitute backup cover | lawyer solicitor attorney legal |
doctor physician clinic | farmer grower farm | train training course workshop lesson teach | clean wash hygiene |
qualified certified accredited trained licensed qualification licence | house home private domestic household residential |
office branch depot premises site | abroad foreign overseas international export | region area county district |
inside indoors indoor interior | outside outdoors outdoor exterior | store warehouse stock hold |
deliver bring send ship dispatch transport arrive | collect fetch collection | return returned | install fit mount setup |
move relocate transfer migrate switch | send submit upload | truck lorry van vehicle fleet | repair mend fix service maintain maintenance |
break broken damage fail failure fault faulty defect crush destroy | lose lost missing | steal theft |
wrong error mistake incorrect | complain complaint unhappy | accident injury hurt crash fall lose | insure insurance liability |
safe safety secure security protect | danger dangerous risk hazard | test check inspect inspection examine | die dead death kill |
emergency urgent rush express hurry | noise loud quiet noisy | recycle waste dispose disposal | environment green sustainable climate carbon |
electric electricity power energy | weight weigh heavy kilo kilogram tonne kg | temperature warm cold hot degree |
freezer freeze frozen cold minus | weather rain wind snow storm frost | data file record document |
delete wipe erase destroy keep | privacy private confidential gdpr | format pdf excel csv spreadsheet | software program app system |
connect integrate link interface import export journal | login password access | server cloud host | picture photo image photograph map |
see view look read watch | recognise identify | online internet portal website | phone call ring telephone hotline | speak language |
sign signature approve approval | permit permission licence authorisation | tell inform notify told | help support assist assistance |
answer respond response reply react | require requirement necessary condition | buy purchase | sell sale | rent hire lease lend loan |
grow growth | hospital clinic | bookkeeping bookkeeper account accounting accountant ledger | bloom blossom flower |
mouse rodent rat | advantage benefit strength | disadvantage weakness weak drawback downside short | visit appointment call-out |
trial pilot demo sample | replace replacement swap exchange | update upgrade refresh | extra additional further surcharge supplement |
stop prevent avoid | percent percentage share | machine equipment device | build manufacture produce construct | plan schedule timetable |
step stage phase process procedure | close shut closed | big large huge | small little tiny short few fewer | cheap inexpensive |
resolution dot dpi pixel | guest visitor | guarantee warranty | teacher trainer instructor | kid child | destroy shred shredding |
switch drop replace | wait queue | pause interrupt stop | far distance kilometre mile |
recruit hire join | age old | year season | crop harvest yield pick | people person tenant`

const alternatives = new Map<string, Set<string>>()
for (const group of groups.split("|")) {
  const stems = group.trim().split(/\s+/).map(stemOf)
  for (const stem of stems) {
    const others = alternatives.get(stem) ?? new Set()
    for (const other of stems) if (other !== stem) others.add(other)
    alternatives.set(stem, others)
  }
}

const none: ReadonlySet<string> = new Set()

/** The stems that may stand for a stem. */
export const alike = (stem: string): ReadonlySet<string> => alternatives.get(stem) ?? none
