// layers/research/extract/CandidateValues.ts: values other than sentences that may fill a detail field: names, addresses, numbers, columns of tables.
import { addressesIn, contactsIn, streetsIn } from "#layers/research/extract/Addresses.ts"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import { hostsIn, mailboxesIn, phonesIn, possiblePhonesIn, sitesIn } from "#layers/research/extract/Contacts.ts"
import { type Field, isList, isText, knownLabel, parseLabelled, headingTopic } from "#layers/research/extract/Labels.ts"
import { companiesIn, isJob, peopleNamedIn } from "#layers/research/extract/Names.ts"
import { findAllOffers } from "#layers/research/extract/Prices.ts"
import {
  failureQuestion,
  isReadable,
  maxSentenceLength,
  ownCondition,
  type Statement
} from "#layers/research/extract/Statements.ts"
import { namedGift } from "#layers/research/extract/Labelled.ts"
import { figurePattern, isOneCase } from "#layers/research/extract/StatementScores.ts"

/** The cells of tables that `isWanted` accepts, in one line: the titles under "Who signs". */
const joinColumn = (
  ownBlocks: ReadonlyArray<Block>,
  isWanted: (block: Block, index: number) => boolean
): ReadonlyArray<string> => {
  const cells = ownBlocks.flatMap((block) =>
    block.columns.length < 2 ? [] : block.cells.filter((_, index) => isWanted(block, index))
  )
  const text = cells.filter((cell) => cell !== "").join(", ")
  return cells.length > 1 && text.length <= maxSentenceLength ? [text] : []
}

/** A column's name behind a colon or a comma. */
const lowerForSentence = (column: string) => column.replace(/^(?:Before|After)\b/, (word) => word.toLowerCase())

/** A row of results with the names of its columns: "Breakdowns per lift: year before 8.7, first full year 3.1". */
const resultRows = (ownBlocks: ReadonlyArray<Block>): ReadonlyArray<string> =>
  ownBlocks
    .filter(({ topic }) => topic === "case_studies")
    .flatMap(({ cells: [name = "", ...otherCells], columns: [, ...columns] }) => {
      const cells = otherCells.filter((cell) => cell !== "")
      const names = columns.filter((column) => column !== "")
      return names.length > 1 && cells.length === names.length && cells.every((cell) => figurePattern.test(cell))
        ? [`${name}: ${cells.map((cell, index) => `${lowerForSentence(names[index] ?? "")} ${cell}`).join(", ")}`]
        : []
    })

/** Rivals that a table compares the company with, by its columns or its rows. */
const findComparedRivals = (ownBlocks: ReadonlyArray<Block>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isOwn = (text: string) => names.some((name) => name.toLowerCase().startsWith(text.toLowerCase()))
  const tables = ownBlocks.filter(({ kind, topic }) => kind === "row" && topic === "competitors")
  const columns = tables.flatMap(({ columns }) => {
    const otherColumns = columns.slice(1).filter((column) => !isOwn(column))
    return columns.length > 2 && otherColumns.length < columns.length - 1 ? [otherColumns.join(", ")] : []
  })
  const rows = tables.flatMap(({ cells: [name = ""], columns: [head = ""] }) => (head === "" ? [name] : []))
  return [
    ...columns,
    ...(columns.length === 0 && rows.length > 1 ? [rows.filter((row) => !isOwn(row)).join(", ")] : [])
  ]
}

const locationPattern =
  /\b(?:based|located|headquartered|offices? in|in \p{Lu}\p{L}+, \p{Lu}|(?:from|roast|yard|workshop|showroom|works?|made|cooked|cuisinés?|plant|planta) (?:\p{Ll}+ )?(?:in|at|à|en) \p{Lu})/u

const contactWords = /(?<!\p{L})(?:contact|ansprech\p{L}*|interlocuteur|contacto|sales|ventas|vertrieb)(?!\p{L})/iu

/** People to contact first, then those whom a mailbox names, then all others who have a job. */
const findPeople = (ownBlocks: ReadonlyArray<Block>, mailboxes: ReadonlyArray<string>) => {
  const people = contactsIn(ownBlocks)
  const parts = new Set(mailboxes.flatMap((each) => each.toLowerCase().split("@")[0]?.split(/[._-]/) ?? []))
  const namedPeople = ownBlocks.flatMap(({ text }, index) => {
    const isOfContact = contactWords.test(text)
    const nextLine = ownBlocks[index + 1]?.text ?? ""
    const job = isJob(nextLine) && nextLine.split(" ").length < 6 ? nextLine : ""
    const linePeople = text.length <= maxSentenceLength ? peopleNamedIn(text) : []
    return linePeople
      .filter(
        ({ name }) =>
          isOfContact ||
          name
            .toLowerCase()
            .split(" ")
            .some((word) => word.length > 2 && parts.has(word))
      )
      .map((each) => (each.title === "" ? { ...each, title: job } : each))
  })
  return [...people.filter(({ isToContact }) => isToContact), ...namedPeople, ...people]
}

/** "Website by Acme Studio" in a line: what follows is not about the business. */
const supplierCreditPattern =
  /(?<!\p{L})(?:(?:web ?site|site|theme|page|designed|developed|built(?: with love)?|powered|hosted|printed|managed|template) by|web ?design|umsetzung|hébergement|diseño web|underwrites?)(?!\p{L}).*/isu

/** Candidate values that are not sentences. All are offered, because only the business knows which is its own. */
export const candidateValues = (
  ownBlocks: ReadonlyArray<Block>,
  statements: ReadonlyArray<Statement>
): ReadonlyArray<readonly [field: Field, values: ReadonlyArray<string>]> => {
  // A number or a mailbox under "Contact" is likelier the company's than one in a text.
  const lines = ownBlocks
    .toSorted((a, b) => Number(b.topic === "contact") - Number(a.topic === "contact"))
    .flatMap(({ text }) => text.split(/\s+[|·•]\s+|(?<=\p{L}{2}[.!])\s+(?=\p{Lu}\p{L}+:)/u))
    .map((line) => line.replace(supplierCreditPattern, ""))
  const mailboxes = lines.flatMap(mailboxesIn)
  const people = findPeople(
    ownBlocks.filter((block) => !isThirdParty(block) || /^contact\b/i.test(block.text)),
    mailboxes
  )
  const addresses = addressesIn(ownBlocks)
  const streets = streetsIn(ownBlocks)
  const labels = ownBlocks.flatMap((block) => {
    const { cells, kind, text } = block
    const { label, value = "" } = parseLabelled(text) ?? {}
    // Of a row each cell behind the label may be a value, up to another label.
    const [name = "", ...otherCells] = kind === "row" ? cells : []
    const field = knownLabel(name) ?? label
    const end = otherCells.findIndex((cell) => knownLabel(cell) !== undefined)
    // "Company = Acme Payroll, Leeds. ann@acme.example"
    const fieldValue =
      field === "company_name" && value.includes("@")
        ? (value.split(/[,.;] /)[0] ?? "")
        : field === "lead_magnets" && namedGift.test(text)
          ? text
          : value
    // "We replace it free" says nothing without "What if a blade breaks?"
    if (failureQuestion.test(text) && !ownCondition.test(fieldValue)) return []
    if ((field === "pain_points" || field === "problems_solved") && isOneCase(fieldValue, block)) return []
    const values = (
      knownLabel(name) === undefined ? [fieldValue] : otherCells.slice(0, end === -1 ? undefined : end)
    ).filter(isReadable)
    return kind !== "heading" && field !== undefined && (isText(field) || isList(field)) && values.length > 0
      ? [[field, values] as const]
      : []
  })
  const names = companiesIn(ownBlocks, hostsIn(lines.join("\n")))
  return [
    ...labels,
    ["company_name", names],
    ["city_region", addresses.map(({ town }) => town)],
    [
      "city_region",
      statements.map(({ text }) => text).filter((text) => locationPattern.test(text) && isReadable(text))
    ],
    ["city_region", addresses.length > 0 ? [] : streets],
    ["contact_name", people.map(({ name }) => name)],
    ["contact_title", people.map(({ title }) => title).filter(isJob)],
    ["contact_email", mailboxes],
    ["contact_phone", [...lines.flatMap(phonesIn), ...lines.flatMap(possiblePhonesIn)]],
    ["business_address", [...addresses.map(({ value }) => value), ...streets]],
    ["website_url", lines.flatMap(sitesIn).map(({ origin }) => origin)],
    [
      "target_job_titles",
      joinColumn(ownBlocks, ({ columns }, index) => headingTopic(columns[index] ?? "") === "target_job_titles")
    ],
    ["case_studies", resultRows(ownBlocks)],
    ["competitors", findComparedRivals(ownBlocks, names)],
    [
      "core_products",
      findAllOffers(ownBlocks).map(({ pricing, product }) => (pricing === "" ? product : `${product} | ${pricing}`))
    ]
  ]
}
