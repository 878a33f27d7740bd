// layers/research/ExtractProfile.ts: extracts the detail fields that a document or a site certainly states. Every other field is
// listed as missing, with the sentences or values that may answer it.
import { Predicate } from "effect"
import { withTables } from "#layers/knowledge/PlainTables.ts"
import { addressesIn, contactsIn } from "#layers/research/extract/Addresses.ts"
import { type Block, isThirdParty, parseBlocks } from "#layers/research/extract/Blocks.ts"
import { missingFields } from "#layers/research/extract/Candidates.ts"
import {
  domainOf,
  hostsIn,
  mailboxAt,
  mailboxesIn,
  onlyPhone,
  sharedMailbox,
  sitesIn
} from "#layers/research/extract/Contacts.ts"
import {
  clientTopics,
  type Fact,
  factOf,
  labelledFacts,
  maxSizes,
  sectionFacts
} from "#layers/research/extract/Labelled.ts"
import {
  type Field,
  isList,
  type Label,
  parseLabelled,
  nameListFields,
  isOneLine,
  headingTopic
} from "#layers/research/extract/Labels.ts"
import { hasColumns } from "#layers/research/extract/Lines.ts"
import {
  toMixedCase,
  isAboutCompany,
  isSpelled,
  maxHosts,
  findCompanyName,
  findSharedName,
  namesCompany,
  findOwner,
  peopleNamedIn,
  startsWithName,
  removeLegalForm
} from "#layers/research/extract/Names.ts"
import { type OfferMatch, findOffers } from "#layers/research/extract/Prices.ts"
import { isPromise, isReadable, ownCondition } from "#layers/research/extract/Statements.ts"
import { isDamaged, usableFacts } from "#layers/research/extract/UsableFacts.ts"
import type { PageData } from "#layers/research/read/Html.ts"
import type { Organization } from "#layers/research/read/Organization.ts"
import { classifyShape } from "#layers/text/Sentences.ts"
import { looksEnglish, splitParagraph } from "#layers/text/Words.ts"
import type { DetailsPatch } from "#schema/Details.ts"
import type { ImportSource, MissingField } from "#schema/Imports.ts"

/** The fields that a text states; the others are absent. */
export type Findings = {
  readonly [K in keyof DetailsPatch]: NonNullable<DetailsPatch[K]>
}

export interface ExtractedProfile {
  readonly findings: Findings
  readonly sources: ReadonlyArray<ImportSource>
  readonly missing: ReadonlyArray<MissingField>
  /**
   * The text in Markdown, for answers to questions: with what it says about clients and quotations, which the headings name, but
   * without what is struck out, and without lines about competitors that no heading names as such.
   */
  readonly own: string
  /** A sentence for a person, where the text is not in English or the model that should have read it did not. */
  readonly notice?: string
}

/** A site that was read: its address, and what each of its pages states for machines, the home page first. */
export interface Site {
  readonly url: string
  readonly pages: ReadonlyArray<PageData>
}

/** Most characters of a text that are read. */
const maxTextLength = 400_000

/** Characters of a text that are read to detect its language. */
const languageSampleLength = 20_000
const foreignNotice =
  "The text is not in English. Its sentences are offered to pick from and not filled in, because the emails are in English: write there in English what they should say."

/** Longest title, in characters. */
const maxTitleLength = 100
/** First lines of documents that are also about other companies: "Minutes of", "Invoice". */
const thirdPartyHeading =
  /\b(?:minutes (?:of|from)|meeting|acta|reunión|réunion|procès-verbal|notulen|verslag|verbale|call script|agenda|invoice|rechnung|facture|analysis|protokoll|compte[ -]rendu|notes?|notizen|chat|thread|re:|fwd:|aw:|wg:|tender(?:er)?s?|RF[TPQ]|partners?|suppliers?(?! (?:profile|registration|information))|quotation for|(?:angebot|proposal|prepared|offer|devis) (?:für|for|pour|n[°r]))(?!\p{L})/iu
/** The header of an email, a reply or a chat message. Anyone may have written what follows. */
const messageHeader =
  /^[> ]*(?:From|Von|De|Da|Van): .*@|^[> ]*(?:On|Am|Le) .{6,80} (?:wrote|schrieb.{0,60}|a écrit) ?:|^\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}:\d\d.{0,12}[\]-]? [^:]{2,40}: |^\[?\d{1,2}:\d\d(?::\d\d)?\]? [^:]{2,30}: /mu
/** Filler text. */
const placeholderProse = /\blorem ipsum\b/i
/** A text with this was made from a template, and its names and numbers may still be the template's. */
const placeholderText =
  /\b(?:Muster(?:mann|frau|firma|stra(?:ß|ss)e|stadt)|MUSTER(?:MANN|FIRMA)|Anytown|Your Company(?!['’])|YOUR COMPANY)\b/

/** Labels whose values are addresses of other companies. */
const thirdPartyLabels: ReadonlySet<Label | undefined> = new Set([
  "competitors",
  "ideal_client_urls",
  "case_studies"
] as const)
/** A line that says who made or hosts the text, or who answers the press. */
const siteMakerLine =
  /^(?:press|media|presse|investors?)(?: (?:contact|enquiries|inquiries|office))?\s?[:,]|(?<!\p{L})(?:(?:website|site|theme|designed|developed|built|powered|made) by|site réalisé|réalis(?:é|ation)|héberg\p{L}+|hosted|hosting|web ?design|umsetzung|realisierung)(?!\p{L})/iu

const linesAboutBusiness = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.filter(
    ({ text, topic }) =>
      topic !== "others" && !thirdPartyLabels.has(parseLabelled(text)?.label) && !siteMakerLine.test(text)
  )

const blockTexts = (blocks: ReadonlyArray<Block>): ReadonlyArray<string> =>
  blocks.map(({ cells, kind, text }) => (kind === "row" ? cells.join(" | ") : text))

/** Where a text invites applications, a mailbox is not the one for customers. */
const invitesApplications =
  /(?<![\p{L}@.])(?:appl(?:y|ication|ications|icants?)|CV|résumés?|vacanc(?:y|ies)|careers?|join (?:us|our team)|bewerb\p{L}*|lebenslauf|karriere|stellenangebote?|candidatures?|recrutement|postuler|solicitudes?|currículum)(?![\p{L}@])/iu

/** The text of a business without the sentences that invite applications, and what stands below those. */
const generalLines = (ownBlocks: ReadonlyArray<Block>): string =>
  ownBlocks
    .filter(({ under }, index) => {
      const previousText = ownBlocks[index - 1]?.text ?? ""
      return (
        !invitesApplications.test(under.at(-1) ?? "") &&
        !(previousText.endsWith(":") && invitesApplications.test(previousText))
      )
    })
    .flatMap((block) => blockTexts([block]).flatMap(splitParagraph))
    .filter((sentence) => !invitesApplications.test(sentence))
    .join("\n")

/** A value with the first block that holds it. */
const findSourceFact = (
  blocks: ReadonlyArray<Block>,
  field: Field,
  value: string | undefined,
  part = value
): ReadonlyArray<Fact> => {
  const block = blocks.find(({ text }) => part !== undefined && text.includes(part))
  return value === undefined || block === undefined ? [] : [factOf(field, value, block)]
}

/** Who the business is and how it is reached: facts that a text with addresses of two companies cannot be trusted with. */
const isIdentity = ({ field }: Fact): boolean => isOneLine(field)

const addressPattern = /\S+@\S+|(?:https?:\/\/|www\.)\S+|(?<![\w@-])(?:[\w-]+\.)+[a-z]{2,}(?![\w-])(?:\/\S*)?/gi

/**
 * The domain of the company whose text this is. A text may name clients, suppliers and partners with their addresses: only
 * where it names one domain and its company, or begins or is signed with the name that one of them spells, is that known.
 */
const businessHost = (hosts: ReadonlyArray<string>, ownBlocks: ReadonlyArray<Block>): string | undefined => {
  const [firstHost = "", ...otherHosts] = hosts
  const prose = ownBlocks.map(({ text }) => text.replace(addressPattern, " "))
  if (otherHosts.length === 0 && (namesCompany(prose, firstHost) || findSharedName(firstHost, ownBlocks) !== undefined))
    return firstHost
  return hosts.length > maxHosts ? undefined : findOwner(hosts, ownBlocks)
}

const isCompany = ({ field }: Fact): boolean => field === "company_name"

/** The domain that a label such as "Email" or "Website" gives, if it is the only one or that of the name in a label. */
const labelledHost = (
  hosts: ReadonlyArray<string>,
  ownBlocks: ReadonlyArray<Block>,
  labels: ReadonlyArray<Fact>
): string | undefined => {
  const names = labels.filter(isCompany).map(({ value }) => value)
  const isLabelled = (host: string) =>
    ownBlocks.some(({ text }) => {
      const { label, value = "" } = parseLabelled(text) ?? {}
      return (label === "contact_email" || label === "website_url") && value.toLowerCase().includes(host)
    })
  return names.length === 0
    ? undefined
    : hosts.find((host) => isLabelled(host) && (hosts.length === 1 || namesCompany(names, host)))
}

/** Jobs of people who have no customers. */
const notForCustomers =
  /\b(?:accounts|accounting|payable|assistant\p{L}*|HR|buchhaltung|compta\p{L}*|personal\p{L}*)\b/iu

/** Distance in blocks up to which a line belongs to the contact of a mailbox or site of the company. */
const maxFromContact = 3

/**
 * The lines of a text that stand with a mailbox or a site at the company's own domain: near it under the same heading, or in the
 * same run of labels. Near a label that names another company they may be that one's.
 */
const contactLines = (ownBlocks: ReadonlyArray<Block>, host: string): ReadonlyArray<Block> => {
  const hasHost = ownBlocks.map((block) => hostsIn(blockTexts([block]).join("")).includes(host))
  const labels = ownBlocks.map(({ text }) => parseLabelled(text))
  const namesOtherCompany = (index: number) => {
    const { label, value = "" } = labels[index] ?? {}
    return (
      label === "company_name" &&
      !namesCompany([value], host) &&
      findSharedName(host, ownBlocks.slice(index, index + 1)) === undefined
    )
  }
  // A sheet may be one run of thousands of labels: each run is gone through once.
  const runs: Array<Set<string | undefined>> = []
  const runOf = labels.map((label, index) => {
    const isNew = label === undefined || labels[index - 1] === undefined
    const run = isNew ? new Set<string | undefined>() : (runs[index - 1] ?? new Set())
    if (hasHost[index] === true) run.add(ownBlocks[index]?.under.at(-1))
    runs.push(run)
    return run
  })
  return ownBlocks.filter((block, index) => {
    const heading = block.under.at(-1)
    const nearbyIndexes = [...Array(2 * maxFromContact + 1).keys()].map((step) => index + step - maxFromContact)
    const isNear =
      runOf[index]?.has(heading) === true ||
      nearbyIndexes.some((other) => hasHost[other] === true && ownBlocks[other]?.under.at(-1) === heading)
    const isNearOther = nearbyIndexes.some(namesOtherCompany)
    return (
      !clientTopics.has(block.topic) &&
      !block.under.some((heading) => invitesApplications.test(heading)) &&
      (block.topic === "contact" || isNear) &&
      (hasHost[index] === true || !isNearOther)
    )
  })
}

/** Whether a mailbox has a word of a person's name. */
const isMailboxOf = (mailbox: string, name: string): boolean =>
  name
    .toLowerCase()
    .split(" ")
    .some((word) => word.length > 2 && mailbox.toLowerCase().slice(0, mailbox.indexOf("@")).includes(word))

/** The only address of a text with its town, and its only contact, where they stand with a mailbox or a site of its own. */
const letterheadFacts = (ownBlocks: ReadonlyArray<Block>, host: string): ReadonlyArray<Fact> => {
  const lines = contactLines(ownBlocks, host)
  const [address, ...otherAddresses] = addressesIn(ownBlocks)
  const [firstPart = "", ...otherParts] = address?.value.split(", ") ?? []
  const mailboxes = mailboxesIn(blockTexts(lines).join("\n").toLowerCase()).filter((mailbox) =>
    mailbox.endsWith(`@${host}`)
  )
  const hasMailbox = (name: string) => mailboxes.some((mailbox) => isMailboxOf(mailbox, name))
  const people = contactsIn(lines).filter(
    ({ block, isToContact, name, title }) =>
      !invitesApplications.test(block.text) && !notForCustomers.test(title) && (isToContact || hasMailbox(name))
  )
  // With a second mailbox of a person, the first may be for investors or for the press.
  const personalMailboxes = mailboxes.filter((mailbox) => !sharedMailbox.test(mailbox))
  const [person, ...otherPeople] = new Set(personalMailboxes).size > 1 ? [] : people
  return [
    ...(address === undefined || otherAddresses.length > 0 || !lines.includes(address.block)
      ? []
      : [
          // Its own name stands above an address.
          factOf("business_address", isSpelled(firstPart, host) ? otherParts.join(", ") : address.value, address.block),
          factOf("city_region", address.town, address.block)
        ]),
    ...(person === undefined || otherPeople.length > 0
      ? []
      : [
          factOf("contact_name", person.name, person.block),
          ...(person.title === "" ? [] : [factOf("contact_title", person.title, person.block)])
        ])
  ]
}

/** Facts for the fields that no other has. */
const excludeFields = (facts: ReadonlyArray<Fact>, existing: ReadonlyArray<Fact>): ReadonlyArray<Fact> =>
  facts.filter(({ field }) => !existing.some((fact) => fact.field === field))

/** Without the contact where the mailbox stands beside another person whose name it has: a sender has one of the two. */
const dropMismatchedContact = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  const sender = facts.find(({ field }) => field === "contact_name")?.value ?? ""
  const isMailboxOfOther = ({ field, source, value }: Fact) =>
    field === "contact_email" &&
    peopleNamedIn(source.text).some(({ name }) => name !== sender && isMailboxOf(value, name)) &&
    !isMailboxOf(value, sender)
  return sender !== "" && facts.some(isMailboxOfOther)
    ? facts.filter(({ field }) => field !== "contact_name" && field !== "contact_title")
    : facts
}

/** The facts of a document. Of mailboxes and numbers, only the one that is alone is surely the company's. */
const documentFacts = (blocks: ReadonlyArray<Block>, isInColumns: boolean): ReadonlyArray<Fact> => {
  const labels = labelledFacts(blocks)
  const ownBlocks = linesAboutBusiness(blocks)
  const texts = blockTexts(ownBlocks)
  const text = texts.join("\n")
  const hosts = hostsIn(text)
  // Without an address in the text, its only number is sure where a label says whose it is.
  const isLabelled = ({ text }: Block) => parseLabelled(text)?.label === "contact_phone"
  if (hosts.length === 0)
    return [...labels, ...findSourceFact(ownBlocks.filter(isLabelled), "contact_phone", onlyPhone(texts))]
  const declaredHost = labelledHost(hosts, ownBlocks, labels)
  const host = businessHost(hosts, ownBlocks) ?? declaredHost
  if (host === undefined) return []
  const nameMatch = findCompanyName(host, ownBlocks)
  const companyName = nameMatch && { ...nameMatch, value: toMixedCase(nameMatch.value, ownBlocks) }
  // With addresses of others in the text, a label may name theirs.
  const lines = contactLines(ownBlocks, host)
  const ownTexts = new Set(lines.map((line) => factOf("company_name", "", line).source.text))
  const isOwn = ({ source }: Fact) => ownTexts.has(source.text)
  const labelFacts = labels.filter(
    (fact) => !isIdentity(fact) || ((hosts.length === 1 || host === declaredHost) && (isCompany(fact) || isOwn(fact)))
  )
  const address = labelFacts.find(({ field }) => field === "business_address")?.value
  const townAddress = addressesIn(ownBlocks).find(({ value }) => value === address)
  const isNamed = labelFacts.some(({ field }) => field === "company_name")
  // Of columns side by side a heading may belong to what stands beside it.
  const sections = (isInColumns ? [] : sectionFacts(ownBlocks)).filter(
    ({ field }) => isList(field) || !labelFacts.some((fact) => fact.field === field)
  )
  const isDescribed = [...labelFacts, ...sections].some(({ field }) => field === "business_description")
  const site = sitesIn(text).find((url) => domainOf(url.origin) === host)
  return dropMismatchedContact([
    ...(isNamed || companyName === undefined ? [] : [factOf("company_name", companyName.value, companyName.block)]),
    ...labelFacts,
    ...sections,
    ...(townAddress === undefined ||
    declaredHost === undefined ||
    labelFacts.some(({ field }) => field === "city_region")
      ? []
      : [factOf("city_region", townAddress.town, townAddress.block)]),
    ...excludeFields(letterheadFacts(ownBlocks, host), labelFacts),
    ...(isDescribed ? [] : introductionFacts(ownBlocks, companyName?.value, host)),
    ...(isInColumns ? [] : excludeFields(promiseFacts(ownBlocks), [...labelFacts, ...sections])),
    ...findSourceFact(ownBlocks, "contact_email", mailboxAt(generalLines(ownBlocks), host)),
    ...findSourceFact(lines, "contact_phone", onlyPhone(texts)),
    ...findSourceFact(ownBlocks, "website_url", site?.origin, host)
  ])
}

/** Whether the labels of a form name a company with its own domain: whatever its title says, that company filled it in. */
const declaresCompany = (blocks: ReadonlyArray<Block>): boolean => {
  const labels = labelledFacts(blocks)
  const ownBlocks = linesAboutBusiness(blocks)
  const host = labelledHost(hostsIn(blockTexts(ownBlocks).join("\n")), ownBlocks, labels)
  return (
    host !== undefined &&
    namesCompany(
      labels.filter(isCompany).map(({ value }) => value),
      host
    )
  )
}

/** Whether structured data is about the company at a domain, and not about the makers of its site or its theme. */
const isAtDomain =
  (host: string) =>
  ({ email, name, url }: Organization): boolean =>
    isSpelled(name, host) || email.toLowerCase().endsWith(`@${host}`) || domainOf(url) === host

/** A slogan or a title for search engines has more words, or marks that separate its parts. */
const isCompanyName = (name: string): boolean =>
  name.length <= 60 && name.split(" ").length <= 6 && !/[|:•·@]| [-–—] |&\w+;/.test(name)

const structuredDataBlock = { under: ["Structured data of the page"] }
const structuredDataFact = (field: Field, value: string): Fact =>
  factOf(field, value, { ...structuredDataBlock, text: value })

/** The address in one line; empty where street or town is missing. */
const postalAddress = ({ city, code, region, street }: Organization): string =>
  !/\p{L}.*\d|\d.*\p{L}/u.test(street) || city === "" || code === ""
    ? ""
    : /^\d{4,5}$/.test(code) && region === ""
      ? `${street}, ${code} ${city}`
      : `${street}, ${city}, ${[region, code].filter((part) => part !== "").join(" ")}`

/** A sentence that asks, shouts, counts or wants to be called says nothing of what a company does. */
const advertPattern =
  /[?!★☎|@#<€£$…]|\d[\d ().-]{6,}\d|\b(?:call|case study|coming soon|excellence|passion|under construction|website|free)\b/iu

/** The subject of a sentence, by its capitals, and what is said of it, with a verb in its form: "Vantage Roofing installs". */
const subjectAndVerb =
  /^(?:(?:We|(?:The )?[\p{Lu}\d&][^\s]*(?: [\p{Lu}\d&]\S*)*) (?=(?:is|are) (?:an? |\p{Ll}+ \p{Ll}+ for )|(?!(?:is|are|was|has|does)\b)\p{Ll}+))(?<said>\p{Ll}.*)$/u
/** What a company thinks is nothing that it does. */
const opinionVerb = /^(?:believe|care|feel|hate|hope|know|love|need|put|stand|strive|think|understand|want)s?\b/
const saysWhatItDoes = (sentence: string): boolean => {
  const { said = "" } = subjectAndVerb.exec(sentence)?.groups ?? {}
  const isOurs = sentence.startsWith("We ")
  return (
    (isOurs ? said !== "" : /^(?:are |\p{Ll}+s[, ])/u.test(said)) &&
    !opinionVerb.test(said) &&
    classifyShape(`${isOurs ? "We" : "It"} ${said.replace(/^are /, "is ")}`) === "sentence"
  )
}
/** A shorter sentence is a slogan. */
const minStatementWords = 7

/** Whole sentences of a description, in English, of which the company, by its name, or "we" is the subject of the first. */
const companyStatement = (description: string, name: string | undefined, host: string): string | undefined => {
  const sentences = splitParagraph(description.replace(/ \((?:https?:\/\/|www\.)[^()]*\)/, ""))
  const [firstSentence = ""] = sentences
  const isOurs =
    firstSentence.startsWith("We ") ||
    (name !== undefined &&
      (firstSentence.startsWith(`${removeLegalForm(name)} `) || startsWithName(firstSentence, name))) ||
    isAboutCompany(firstSentence, host)
  const isStated = (sentence: string) =>
    /[^.…]\.$/.test(sentence) &&
    !advertPattern.test(sentence) &&
    (sentence === firstSentence ? saysWhatItDoes(sentence) : classifyShape(sentence) === "sentence")
  return isOurs && firstSentence.split(" ").length >= minStatementWords && sentences.every(isStated)
    ? sentences.join(" ")
    : undefined
}

/** A sentence about the past is a history, and one with "not" may be about what the company leaves to others. */
const unfitIntroduction =
  /\b(?:not|never|since (?:19|20)\d\d|was|were|began|founded|started|opened|took over|grew up|set up (?:in|by))\b|n['’]t\b/i
/** Up to which block a text says what the company does, and in how many characters. */
const maxIntroduction = 15
const maxStatement = 500

/** A sentence about clients says nothing of what the company does for them. */
const clientSentence = /^\S+(?: \S+){0,4}? (?:sells? to|serves?|works? (?:for|with)) /

/** The first paragraph near the top of a text, or right under "About us", whose sentences say what the company does. */
const introductionFacts = (
  ownBlocks: ReadonlyArray<Block>,
  name: string | undefined,
  host: string
): ReadonlyArray<Fact> =>
  ownBlocks
    .flatMap((block, index) => {
      const { isJoined, kind, text, topic } = block
      const isNearTop =
        index < maxIntroduction
          ? topic === undefined || topic === "business_description"
          : ownBlocks[index - 1]?.kind === "heading" && topic === "business_description"
      const isProse = kind === "paragraph" && !isJoined && text.length <= maxStatement && /[.!?]$/.test(text)
      // The sentences of a paragraph up to the first that says something else.
      const sentences = splitParagraph(text)
      const end = sentences.findIndex((sentence) => unfitIntroduction.test(sentence))
      const leadSentences = sentences.slice(0, end === -1 ? undefined : end)
      const value =
        isNearTop && isProse && !clientSentence.test(text)
          ? leadSentences
              .map((_, cut) =>
                companyStatement(leadSentences.slice(0, leadSentences.length - cut).join(" "), name, host)
              )
              .find(Predicate.isNotUndefined)
          : undefined
      return value === undefined ? [] : [factOf("business_description", value, block)]
    })
    .slice(0, 1)

/** Terms of business state what the law asks for, and are no reason to buy. */
const termsHeading = /\b(?:terms|conditions|cancell?ation|complaints?|privacy|AGB|conditions générales)\b/i
/** More promises are terms too. */
const maxPromises = 2

/** The sentences that promise something at the company's cost if it fails: "If we are late, you pay nothing." */
const promiseFacts = (ownBlocks: ReadonlyArray<Block>): ReadonlyArray<Fact> => {
  const facts = ownBlocks.flatMap((block) => {
    const isProse = (block.kind === "paragraph" || block.kind === "point") && !block.isJoined
    return !isProse || isThirdParty(block) || block.under.some((heading) => termsHeading.test(heading))
      ? []
      : splitParagraph(block.text)
          .filter((text) => ownCondition.test(text) && isPromise(text) && text.endsWith(".") && isReadable(text))
          .map((text) => factOf("guarantee", text, block))
  })
  return facts.length > maxPromises ? [] : facts
}

/** A number for emergencies is not the one to call with an enquiry. */
const emergencyNumber = /\bnotdienst\b|\bnotruf\b|\bemergenc|\burgences?\b|\bout of hours\b/i

/** What structured data states of a company, sure or not. */
const structuredDataFacts = (company: Organization): ReadonlyArray<Fact> =>
  (
    [
      ["company_name", isCompanyName(company.name) ? company.name : ""],
      ["contact_email", mailboxesIn(company.email)[0] ?? ""],
      ["contact_phone", onlyPhone([`Tel. ${company.telephone}`]) === undefined ? "" : company.telephone],
      ["business_address", postalAddress(company)],
      [
        "city_region",
        /\d/.test(company.city) ? "" : [company.city, company.region].filter((part) => part !== "").join(", ")
      ]
    ] as const
  ).flatMap(([field, value]) =>
    value === "" || (company.city === "" && field === "city_region") ? [] : [structuredDataFact(field, value)]
  )

/** The facts of a site: what its data states of the company at its domain, its only mailbox there, and its only number. */
const siteFacts = (blocks: ReadonlyArray<Block>, { pages, url }: Site): ReadonlyArray<Fact> => {
  const ownBlocks = linesAboutBusiness(blocks)
  const texts = blockTexts(ownBlocks)
  // A site of a local network is known by the addresses that it names.
  const statedHost = pages.map(({ address }) => domainOf(address)).find(Predicate.isNotUndefined)
  const host = domainOf(url) ?? statedHost ?? businessHost(hostsIn(texts.join("\n")), ownBlocks)
  if (host === undefined) return []
  const companies = pages.flatMap(({ organizations }) => organizations).filter(isAtDomain(host))
  const data = companies.flatMap(structuredDataFacts)
  const hasField = (field: Field) => data.some((fact) => fact.field === field)
  const nameMatch = findCompanyName(host, ownBlocks)
  const site = pages.map(({ siteName }) => siteName).find((name) => isCompanyName(name) && isSpelled(name, host))
  const name = data.find(({ field }) => field === "company_name")?.value ?? nameMatch?.value ?? site
  const descriptions = [...companies.map(({ description }) => description), pages[0]?.description ?? ""]
  const statement = descriptions.map((text) => companyStatement(text, name, host)).find(Predicate.isNotUndefined)
  // A question is asked of the business; other labels of a page may be a client's or a job's.
  const questionFacts = labelledFacts(
    ownBlocks.filter(({ text }) => /^(?:Who|What|How|Are|Is|Why)\b[^.:]{4,80}\?/.test(text))
  )
  const sections = [...sectionFacts(ownBlocks), ...questionFacts]
  // What search engines show of a page may be of one product.
  const visibleBlocks = ownBlocks.filter(({ text }) => !pages.some(({ description }) => description === text))
  return [
    ...data,
    ...(hasField("company_name") || name === undefined
      ? []
      : [
          nameMatch === undefined
            ? structuredDataFact("company_name", name)
            : factOf("company_name", name, nameMatch.block)
        ]),
    ...(statement === undefined ? [] : [structuredDataFact("business_description", statement)]),
    ...sections.filter(({ field }) => field !== "business_description" || statement === undefined),
    ...(statement !== undefined || sections.some(({ field }) => field === "business_description")
      ? []
      : introductionFacts(visibleBlocks, name, host)),
    ...excludeFields(letterheadFacts(ownBlocks, host), data),
    ...(hasField("contact_email")
      ? []
      : findSourceFact(ownBlocks, "contact_email", mailboxAt(generalLines(ownBlocks), host))),
    ...(hasField("contact_phone")
      ? []
      : findSourceFact(ownBlocks, "contact_phone", onlyPhone(texts.filter((line) => !emergencyNumber.test(line)))))
  ]
}

/** What the data of a site states of any company, to pick from. */
const statedFacts = ({ pages }: Site): ReadonlyArray<Fact> =>
  pages.flatMap(({ description, organizations, siteName }) => [
    ...organizations.flatMap(structuredDataFacts),
    ...(isCompanyName(siteName) && siteName !== "" ? [structuredDataFact("company_name", siteName)] : []),
    ...[...organizations.map((company) => company.description), description]
      .filter((text) => text.length > 20 && text.length <= 400 && !/(?:\.{3}|…)$/.test(text))
      .map((text) => structuredDataFact("business_description", text))
  ])

const normalizedValue = ({ field, value }: Fact): string =>
  field === "contact_phone" ? value.replace(/\D/g, "").slice(-8) : value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")

/** Texts that a sheet may give line by line, each behind the same label. */
const multiLineFields: ReadonlySet<Field> = new Set([
  "pain_points",
  "problems_solved",
  "unique_differentiators"
] as const)

/** The facts that count: of a field that holds one value, only where the text gives one and not two that differ. */
const unambiguousFacts = (facts: ReadonlyArray<Fact>): ReadonlyArray<Fact> =>
  [...Map.groupBy(facts, ({ field }) => field)].flatMap(([field, fieldFacts]) => {
    const distinctFacts = [...Map.groupBy(fieldFacts, normalizedValue).values()].flatMap(([first]) => first ?? [])
    const holdsMany = isList(field) || nameListFields.has(field) || multiLineFields.has(field)
    if (holdsMany) return distinctFacts.slice(0, maxSizes.list)
    // "Halden" is the trading name of "Halden Guarding Limited".
    const [longest] = distinctFacts.toSorted((a, b) => b.value.length - a.value.length)
    const isOneName =
      field === "company_name" && distinctFacts.every(({ value }) => longest?.value.startsWith(removeLegalForm(value)))
    return longest !== undefined && (distinctFacts.length === 1 || isOneName) ? [longest] : []
  })

const toFindings = (facts: ReadonlyArray<Fact>, offers: ReadonlyArray<OfferMatch>): Findings => ({
  ...Object.fromEntries(
    [...Map.groupBy(facts, ({ field }) => field)].map(([field, fieldFacts]) => {
      const values = fieldFacts.map(({ value }) => value)
      return [field, isList(field) ? values : values.join(nameListFields.has(field) ? ", " : "\n")]
    })
  ),
  ...(offers.length === 0 ? {} : { core_products: offers.map(({ offer }) => offer) })
})

/** Most characters of a text that are kept for answers to questions. */
const maxOwnText = 100_000

const toMarkdown = ({ cells, columns, kind, text }: Block): string => {
  if (kind === "heading") return `\n# ${text}\n`
  if (kind === "paragraph") return `\n${text}\n`
  const row = cells.map((cell, index) =>
    (columns[index] ?? "") === "" || index === 0 ? cell : `${columns[index]}: ${cell}`
  )
  return `- ${kind === "row" ? row.filter((cell) => /[^:\s]/.test(cell)).join("; ") : text}`
}

/** Whether a heading right above, which is kept with it, says that a text is about rivals. */
const isUnderCompetitors = ({ kind, topic, under }: Block): boolean =>
  topic === "competitors" && (kind === "heading" || headingTopic(under.at(-1) ?? "") === "competitors")

/** A salesperson asks about clients too, so that minutes of a meeting with one are kept whole. */
const ownText = (blocks: ReadonlyArray<Block>): string => {
  let remainingLength = maxOwnText
  return blocks
    .filter((block) => block.topic !== "competitors" || isUnderCompetitors(block))
    .map(toMarkdown)
    .filter((line) => (remainingLength -= line.length + 1) > 0)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}

/**
 * Reads a text: a document, or the pages of a site, which is then where its facts are to be found, whichever other
 * addresses they name. Pure, and quick enough for any text that a person might send.
 */
export const extract = (fullText: string, site?: Site): ExtractedProfile => {
  const text = fullText.slice(0, maxTextLength)
  const blocks = parseBlocks(text)
  // A card of a site may be empty; a document with such a text is a template.
  const readableBlocks = site === undefined ? blocks : blocks.filter((block) => !placeholderProse.test(block.text))
  // A title says what a text is about; prose below it may name partners and suppliers.
  const titleLines = readableBlocks
    .slice(0, 3)
    .flatMap(({ text }, index) => (index === 0 || text.length < maxTitleLength ? [text.slice(0, 200)] : []))
  const isUnsure =
    placeholderText.test(text) ||
    (site === undefined &&
      (placeholderProse.test(text) ||
        messageHeader.test(text) ||
        (thirdPartyHeading.test(titleLines.join("\n")) && !declaresCompany(readableBlocks))))
  const extractedFacts = isUnsure
    ? []
    : unambiguousFacts(
        site === undefined ? documentFacts(readableBlocks, hasColumns(text)) : siteFacts(readableBlocks, site)
      )
  const { doubtful, usable: readFacts } = usableFacts(extractedFacts, readableBlocks)
  const offers = (isUnsure ? [] : findOffers(readableBlocks))
    .filter(({ offer }) => !isDamaged(offer.product) && !isDamaged(offer.pricing))
    .slice(0, maxSizes.list)
  // Of a site whose pages state nothing, its address alone is no finding.
  const omitsWebsite = site === undefined || (extractedFacts.length === 0 && offers.length === 0)
  const facts = omitsWebsite
    ? readFacts
    : [...readFacts, structuredDataFact("website_url", URL.parse(site.url)?.origin ?? site.url)]
  const findings = toFindings(facts, offers)
  const filledFields = new Set(Object.keys(findings))
  return {
    findings,
    ...(looksEnglish(text.slice(0, languageSampleLength)) ? {} : { notice: foreignNotice }),
    sources: [
      ...facts.map(({ source }) => source),
      ...offers.map(({ block }) => factOf("core_products", "", block).source)
    ],
    missing: missingFields(readableBlocks, (field) => filledFields.has(field), [
      ...doubtful,
      ...(site === undefined ? [] : statedFacts(site))
    ]),
    own: ownText(site === undefined ? parseBlocks(withTables(text)) : readableBlocks)
  }
}
