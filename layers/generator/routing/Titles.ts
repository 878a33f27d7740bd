// layers/generator/routing/Titles.ts: the table that job titles are read with, and how to extend it.
import type { Department, Seniority } from "#layers/generator/routing/Departments.ts"
import { english } from "#layers/generator/routing/titles/English.ts"

/**
 * The words of one language. Phrases are separated by commas; case, accents, hyphens and apostrophes do not matter, and
 * of two phrases that overlap the longer one counts. A `*` at the end or start of a word stands for the rest of the
 * word ("instandhalt*" also reads "Instandhaltungsleiter"); a `*` of its own stands for one to three words.
 */
export interface TitleTable {
  /** Whole jobs, such as "buyer". They outrank fields: a "marketing recruiter" recruits. */
  readonly jobs: Partial<Record<Department, string>>
  /** What a job is about, such as "marketing". */
  readonly fields: Partial<Record<Department, string>>
  /** Words that give way to any job or field, such as "operations" in "warehouse operations". */
  readonly general: Partial<Record<Department, string>>
  /** Words for seniority. */
  readonly ranks: Partial<Record<Seniority, string>>
}

/** Short forms, and what they stand for. They are replaced before a title is read. */
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

/** The later ones do not override the earlier: the first to name a phrase has it. */
export const tables: ReadonlyArray<{ readonly language: string; readonly table: TitleTable }> = [
  { language: "en", table: english }
]
