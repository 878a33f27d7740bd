// layers/generator/routing/TitleTokens.ts: splits a job title into words that can be compared. The tables for reading titles
// are gathered here too.
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

/** The separator between two words. */
type Gap = "none" | "and" | "break"

export interface Token {
  /** In lower case, without accents, abbreviations written out. */
  readonly word: string
  /** The separator before the word. */
  readonly gap: Gap
}

const letterReplacements: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ł", "l"],
  ["ø", "o"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["đ", "d"],
  ["ı", "i"]
])

/** Lower case, without accents. */
export const foldText = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßłøæœđı]/g, (letter) => letterReplacements.get(letter) ?? letter)

// "(m/w/d)", "H/F" and "(gn)" state the genders that a job is open to.
const genderSuffix =
  /(?<![\p{L}\p{N}])(?:[mwfdhvxkiu](?:\s?[/|*]\s?[mwfdhvxkiu]){1,3}|all genders|gn|divers)(?![\p{L}\p{N}])/gu
// "Leiter/in", "Leiter*in", "Directeur·trice", "Ingénieur(e)", "Kierownik/czka": the feminine form of the word before.
const feminineSuffix =
  /(?<=\p{L})(?:[/*:_·•]-?|\(-?)(?:in|innen|e|es|ne|se|trice|rice|ice|euse|iere|ere|ienne|a|as|essa|ora|ra|ka|czka|rka|niczka|yni|ster)\)?(?![\p{L}\p{N}])/gu

const wordPattern = /(\p{L}(?:\p{L}|\p{N}|\p{M})*|\p{N}[\p{L}\p{N}]*)/gu

const parseGap = (between: string): Gap =>
  /[,;|()[\]\u2013\u2014:•·@]|\s-|-\s/.test(between) ? "break" : /[&/+\\]/.test(between) ? "and" : "none"

const conjunctions: ReadonlySet<string> = new Set(["and", "und", "et", "y", "e", "ed", "i", "oraz", "sowie"])

export const isConjunction = (word: string): boolean => conjunctions.has(word)

const isSpaced = (text: string, index: number, word: string): boolean =>
  text[index - 1] === " " && text[index + word.length] === " "

/** The word that replaces every conjunction, so that "R&D", "R & D" and "R and D" are equal. */
export const conjunction = "and"

/** The words of a title or of a phrase of the table, in order. A conjunction is a word too, written as "and". */
export const tokenizeTitle = (title: string): ReadonlyArray<Token> => {
  const text = foldText(title)
    // "E-Commerce" is one word; its "e" is not the Italian "and".
    .replace(/(?<!\p{L})e[ -]?(?=commerce|business|learning|shop|mail)/gu, "e")
    .replace(genderSuffix, " ")
    .replace(feminineSuffix, "")
    // "Ad interim" does not describe the work.
    .replace(/(?<!\p{L})(?:a\.\s?i\.|ad interim)(?!\p{L})/gu, " ")
    // "V.P." and "C.E.O." are one word each.
    .replace(/(?<!\p{L})(?:\p{L}\.){2,}(?:\p{L}(?!\p{L}))?/gu, (abbreviation) => `${abbreviation.replaceAll(".", "")} `)
  const tokens: Array<Token> = []
  let end = 0
  let gap: Gap = "none"
  for (const match of text.matchAll(wordPattern)) {
    const word = match[0]
    const separator = parseGap(text.slice(end, match.index))
    end = match.index + word.length
    if (separator !== "none" && tokens.length > 0) {
      gap = separator
      if (separator === "and") tokens.push({ word: conjunction, gap: "and" })
    }
    if (conjunctions.has(word) && tokens.length > 0 && gap === "none" && isSpaced(text, match.index, word)) {
      tokens.push({ word: conjunction, gap: "and" })
      gap = "and"
      continue
    }
    tokens.push({ word: abbreviations.get(word) ?? word, gap })
    gap = "none"
  }
  return tokens
}

/** The words without their separators. */
export const titleWords = (title: string): ReadonlyArray<string> => tokenizeTitle(title).map(({ word }) => word)
