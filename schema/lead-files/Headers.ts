// schema/lead-files/Headers.ts: the usual headers of lead files, in eight languages.

/**
 * The meanings of a header: a field of a lead, or a part of its name. `anyName` is a word like "Name" or "Nom", which
 * is the whole name in one file and half of it in another; `contact` may also be a telephone number.
 */
export type HeaderMeaning =
  | "email"
  | "name"
  | "firstName"
  | "infix"
  | "lastName"
  | "anyName"
  | "contact"
  | "title"
  | "company"
  | "linkedin_url"
  | "company_website"
  | "exclude"

// Better words come first: in a file with both "Job Title" and "Title", the second is often "Mr".
const headerVocabulary: Readonly<Record<HeaderMeaning, string>> = {
  email: `email, email address, e-mail, work email, work email address, business email, business email address,
    corporate email, company email address, professional email, mail, mail address, email id, electronic mail, emails,
    direct email, adresse e-mail, adresse mail, adresse électronique, e-mail-adresse, e-mail adresse, mailadresse,
    geschäftliche e-mail, geschaeftliche e-mail, courriel, mél, email professionnel, e-mail professionnel,
    correo electrónico, correo, dirección de correo, dirección de correo electrónico, email de trabajo,
    correo de trabajo, e-mailadres, emailadres, mailadres, zakelijk e-mailadres, zakelijke e-mail, adres e-mail,
    adres email, adres mailowy, e-mail służbowy, poczta elektroniczna, poczta, correio eletrônico, correio,
    endereço de e-mail, endereço de email, e-mail profissional, posta elettronica, indirizzo email, indirizzo e-mail,
    indirizzo mail, indirizzo di posta elettronica, e-mail aziendale, company email, private email, personal email,
    personal email address`,
  name: `full name, fullname, complete name, contact full name, contact name, person name, name of contact,
    vollständiger name, vor- und nachname, vorname und nachname, vorname nachname, name vorname, vor- und zuname,
    name des ansprechpartners, name ansprechpartner, nom complet, nom et prénom, prénom et nom, nom prénom, prénom nom,
    nom du contact, nombre completo, nombre y apellido, nombre y apellidos, nombre del contacto, nombre de contacto,
    volledige naam, voor- en achternaam, naam contactpersoon, imię i nazwisko, nazwisko i imię, pełne imię i nazwisko,
    nome completo, nome e sobrenome, nome e apelido, nome do contato, nome do contacto, nome e cognome,
    cognome e nome, nominativo, nome contatto`,
  firstName: `first name, given name, forename, first, fname, vorname, prénom, primer nombre, nombre de pila, voornaam,
    pierwsze imię, primeiro nome, nome próprio, nome di battesimo`,
  infix: `tussenvoegsel, tussenvoegsels, voorvoegsel, infix, name infix, namensvorsatz, namenszusatz`,
  lastName: `last name, surname, family name, second name, last, lname, nachname, familienname, zuname, nom de famille,
    apellido, apellidos, achternaam, familienaam, nazwisko, sobrenome, apelido, último nome, cognome`,
  anyName: `name, nom, naam, nombre, imię, nome`,
  contact: `contact, contact person, person, lead, prospect, decision maker, kontakt, kontaktperson, ansprechpartner,
    ansprechperson, personne de contact, interlocuteur, contacto, persona de contacto, contactpersoon,
    osoba kontaktowa, osoba do kontaktu, contato, pessoa de contato, contatto, persona di contatto, referente`,
  title: `job title, jobtitle, position title, current title, current position, title / position, title, position, role,
    job role, job, job position, job function, function, occupation, designation, organization title, role title, headline,
    jobtitel, stellenbezeichnung, berufsbezeichnung, positionsbezeichnung, funktion, rolle, stelle, tätigkeit,
    berufstitel, titel, intitulé du poste, intitulé de poste, titre du poste, titre de poste, poste, fonction, titre,
    métier, puesto de trabajo, puesto, cargo, título del puesto, función, posición, ocupación, título, functietitel,
    functienaam, functieomschrijving, functie, beroep, rol, stanowisko pracy, stanowisko, funkcja, tytuł zawodowy,
    tytuł, função, ocupação, posição, posizione lavorativa, posizione, ruolo, ruolo aziendale, qualifica, mansione,
    carica, incarico, titolo`,
  company: `company name, company, organization name, organisation name, organization, organisation, account name, account,
    company / account, current company, associated company, primary company, business name, business, employer,
    employer name, firm, firm name, legal name, company legal name, customer name, client name, trading name,
    company name for emails, firmenname, firma, name der firma, unternehmensname, unternehmen, name des unternehmens,
    betrieb, arbeitgeber, gesellschaft, nom de l'entreprise, nom entreprise, entreprise, nom de la société, nom société,
    société, raison sociale, compagnie, employeur, établissement, nombre de la empresa, nombre de empresa,
    nombre empresa, empresa, compañía, organización, razón social, sociedad, empleador, bedrijfsnaam,
    naam bedrijf, bedrijf, naam organisatie, organisatie, onderneming, werkgever, nazwa firmy, nazwa przedsiębiorstwa,
    przedsiębiorstwo, organizacja, spółka, pracodawca, nome da empresa, nome empresa, companhia, organização,
    razão social, sociedade, empregador, nome azienda, nome dell'azienda, nome dell'impresa, azienda, società, impresa,
    ditta, ragione sociale, organizzazione, datore di lavoro`,
  linkedin_url: `linkedin url, person linkedin url, person linkedin, linkedin profile url, linkedin profile,
    linkedin contact profile url, linkedin person url, linkedin member url, linkedin link, linkedin profile link, linkedin,
    linkedin page, linkedin id, linkedin address, li url, li profile, profile url, profile link, linkedin-profil,
    linkedin profil, profil linkedin, profil-url, linkedin adresse, lien linkedin, lien du profil linkedin, url linkedin,
    adresse linkedin, perfil de linkedin, perfil linkedin, perfil do linkedin, enlace de linkedin, linkedin-profiel,
    linkedin profiel, link do linkedin, link do profilu linkedin, profilo linkedin, link linkedin`,
  company_website: `company website, company website url, company url, website, website url, web site, company site,
    corporate website, business website, organization website, organisation website, account website, web address, company web, web,
    homepage, home page, web page, company domain, company domain name, email domain, domain, domain name, site, site url, url,
    unternehmenswebsite, firmenwebsite, firmenwebseite, firmenhomepage, webseite, internetseite, internetadresse,
    internet, webadresse, webauftritt, domäne, site web, site internet, site web de l'entreprise, site de l'entreprise,
    adresse web, domaine, sitio web, sitio web de la empresa, página web, página web de la empresa, página, dominio,
    sitio, bedrijfswebsite, website bedrijf, bedrijfssite, webpagina, webadres, domein, strona www, strona internetowa,
    strona firmy, adres strony, adres www, www, strona, witryna, domena, site da empresa, website da empresa, página da web,
    domínio, endereço web, sito web, sito internet, sito aziendale, sito web aziendale, sito, indirizzo web`,
  exclude: `exclude, excluded, exclusion, leave out, skip, do not contact, don't contact, do not email, don't email, do not mail, do not send,
    no contact, no email, dnc, opt out, opted out, email opt out, opt out of email, opted out of email, has opted out,
    has opted out of email, marketing opt out, opt-out status, unsubscribe, unsubscribed, email unsubscribed, is unsubscribed,
    unsubscribed from email, unsubscribed from all email, unsubscribed at, unsubscribed on, unsubscribe date, opt out date,
    suppress, suppressed, blocklist, blocklisted, blacklist, blacklisted, ausschließen, ausgeschlossen, auslassen, abgemeldet,
    nicht kontaktieren, nicht anschreiben, kontaktsperre, werbesperre, mailsperre, werbewiderspruch, ne pas contacter,
    exclure, exclu, désabonné, désinscrit, désabonnement, no contactar, excluir, excluido, excluído, dado de baja,
    darse de baja, niet contacteren, niet benaderen, niet mailen, uitsluiten, uitgesloten, uitgeschreven, afgemeld, nie kontaktować,
    nie pisać, wykluczyć, wykluczony, wyklucz, wypisany, rezygnacja, não contatar, não contactar, descadastrado, non contattare,
    escludi, escluso, escludere, disiscritto, disiscrizione`
}

// Letters that Unicode normalization does not decompose.
const plainLetters: Readonly<Record<string, string>> = { ß: "ss", ł: "l", ø: "o", æ: "ae", œ: "oe", đ: "d", ı: "i" }

/** Lower case, and Latin letters without their accents. */
export const unaccented = (text: string) =>
  text
    .toLowerCase()
    .replace(/[ßłøæœđı]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")

/** A header without case, accents, spaces and punctuation, so that "E-mail Address" equals "EMAIL_ADDRESS". */
const headerKey = (header: string) => unaccented(header).replace(/[^\p{L}\p{N}]/gu, "")

interface HeaderSense {
  readonly meaning: HeaderMeaning
  /** 0 is the best word for this meaning. */
  readonly rank: number
}

const headerSenses = (meaning: HeaderMeaning) =>
  headerVocabulary[meaning].split(",").map((word, rank): [string, HeaderSense] => [headerKey(word), { meaning, rank }])

const sensesByKey: ReadonlyMap<string, HeaderSense> = new Map([
  ...headerSenses("email"),
  ...headerSenses("name"),
  ...headerSenses("firstName"),
  ...headerSenses("infix"),
  ...headerSenses("lastName"),
  ...headerSenses("anyName"),
  ...headerSenses("contact"),
  ...headerSenses("title"),
  ...headerSenses("company"),
  ...headerSenses("linkedin_url"),
  ...headerSenses("company_website"),
  ...headerSenses("exclude")
])

// Words that leave a lead out of this file's list. All others say that the person must not be written to at all.
const listOnlySenses = new Set(
  `exclude, excluded, exclusion, leave out, skip, no email, ausschließen, ausgeschlossen, auslassen, exclure, exclu, excluir, excluido,
    excluído, uitsluiten, uitgesloten, wykluczyć, wykluczony, wyklucz, escludi, escluso, escludere`
    .split(",")
    .map((word) => sensesByKey.get(headerKey(word)))
)

// Remarks in brackets that do not change a header's meaning, unlike "(company)".
const remarkSuffix =
  /[([]\s*(?:required|mandatory|optional|work|business|primary|full|pflichtfeld|obligatoire|obligatorio|verplicht)\s*[)\]]/gi

/**
 * The meaning of a header, looked up in this order: as it is, without a remark in brackets, without a leading word
 * such as "Contact" or "Lead", without a trailing "1" or "1 - Value".
 */
export const recogniseHeader = (header: string): HeaderSense | undefined => {
  const withoutRemark = headerKey(header.replace(remarkSuffix, ""))
  return (
    sensesByKey.get(headerKey(header)) ??
    sensesByKey.get(withoutRemark) ??
    sensesByKey.get(withoutRemark.replace(/^(?:contact|person|lead|prospect|primary|main)/, "")) ??
    sensesByKey.get(withoutRemark.replace(/1(?:value)?$/, ""))
  )
}

// Further words of the eight languages for "no", and of people who agreed to be written to.
const keepingWords = new Set(
  "no n false f 0 off none null nil na nein nee non nie nao falso faux falsch falsz unknown subscribed optedin optin active allowed ok".split(
    " "
  )
)

/**
 * Whether the cell of a column such as "Opt out" says to leave the lead out. Any text but a no does: a mark, a date or a reason.
 */
export const isExcludingCell = (cell: string) => {
  const key = headerKey(cell)
  return key === "" ? /[✓✔☑✗✘☒]/u.test(cell) : !keepingWords.has(key)
}

/** Whether a column records that people must not be written to at all, such as "Unsubscribed", and not only "Exclude". */
export const isOptOutColumn = (header: string) => {
  const sense = recogniseHeader(header)
  return sense?.meaning === "exclude" && !listOnlySenses.has(sense)
}

/** Columns with addresses of the sender's own staff: "Account Owner Email". */
export const isSenderColumn = (header: string) =>
  /owner|sender|assign|createdby|modifiedby|salesrep/.test(headerKey(header))
