// layers/generator/routing/TitleTables.ts: the table for reading job titles, and how to extend it.
import type { TitleTable } from "#layers/generator/routing/Departments.ts"
import { english } from "#layers/generator/routing/titles/English.ts"
import { german } from "#layers/generator/routing/titles/German.ts"
import { french } from "#layers/generator/routing/titles/French.ts"
import { spanish } from "#layers/generator/routing/titles/Spanish.ts"
import { italian } from "#layers/generator/routing/titles/Italian.ts"
import { dutch } from "#layers/generator/routing/titles/Dutch.ts"
import { polish } from "#layers/generator/routing/titles/Polish.ts"

/** Abbreviations, replaced before a title is read. */
export const abbreviations: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mgr: "manager",
    mngr: "manager",
    mgmt: "management",
    dir: "director",
    asst: "assistant",
    assoc: "associate",
    maint: "maintenance",
    mktg: "marketing",
    mkt: "marketing",
    mktng: "marketing",
    acct: "account",
    acctg: "accounting",
    eng: "engineering",
    engr: "engineer",
    engg: "engineering",
    mfg: "manufacturing",
    mech: "mechanical",
    elec: "electrical",
    dept: "department",
    coord: "coordinator",
    supv: "supervisor",
    spvr: "supervisor",
    supt: "superintendent",
    pres: "president",
    exec: "executive",
    admin: "administrative",
    ops: "operations",
    proj: "project",
    sr: "senior",
    snr: "senior",
    jnr: "junior",
    jr: "junior",
    rep: "representative",
    reps: "representative",
    svp: "vp",
    evp: "vp",
    avp: "vp",
    gf: "geschaftsfuhrer",
    gl: "geschaftsleitung",
    dyr: "dyrektor",
    kier: "kierownik",
    ltg: "leitung",
    ltr: "leiter",
    hfd: "hoofd",
    mdw: "medewerker",
    alg: "algemeen",
    amm: "amministratore",
    uff: "ufficio",
    spec: "specialist",
    fin: "finance",
    accts: "accounts",
    operns: "operations",
    opns: "operations",
    resp: "responsable",
    tech: "technology",
    qual: "quality",
    proc: "procurement",
    purch: "purchasing",
    whse: "warehouse",
    biz: "business",
    intl: "international",
    natl: "national",
    govt: "government",
    dev: "development",
    mntce: "maintenance"
  })
)

/** Titles of people without a job. A single word counts only if it is the whole title. */
export const notJobTitles = `retired, pensioner, student, unemployed, job seeker, looking for work, looking for opportunities, open to work, seeking opportunities,
  between jobs, career break, freelance, freelancer, self employed, n/a, none, na, homemaker, housewife, stay at home, various, other, unknown,
  rentner, rentnerin, pensionär, pensionärin, im ruhestand, ruhestand, studentin, arbeitslos, arbeitssuchend, auf jobsuche, hausfrau, elternzeit, freiberufler, freiberuflerin, selbständig, selbstständig, privatier, schüler, schülerin,
  retraité, retraitée, étudiant, étudiante, sans emploi, en recherche d emploi, à la recherche d un emploi, demandeur d emploi, demandeuse d emploi, en transition professionnelle, au chômage, indépendant, indépendante, lycéen, lycéenne,
  jubilado, jubilada, estudiante, desempleado, desempleada, en búsqueda de empleo, en búsqueda activa, en paro, ama de casa, autónomo, autónoma,
  pensionato, pensionata, in pensione, studente, studentessa, disoccupato, disoccupata, in cerca di lavoro, in cerca di occupazione, casalinga, libero professionista, libera professionista,
  gepensioneerd, met pensioen, studente, werkloos, werkzoekend, op zoek naar werk, huisvrouw, zzp er, zzp, zelfstandige, scholier,
  emeryt, emerytka, na emeryturze, rencista, studentka, bezrobotny, bezrobotna, szukam pracy, poszukuję pracy, w trakcie poszukiwania pracy, gospodyni domowa, wolny zawód`

/** The first language that defines a phrase wins. */
export const titleTables: ReadonlyArray<{ readonly language: string; readonly table: TitleTable }> = [
  { language: "en", table: english },
  { language: "de", table: german },
  { language: "fr", table: french },
  { language: "es", table: spanish },
  { language: "it", table: italian },
  { language: "nl", table: dutch },
  { language: "pl", table: polish }
]
