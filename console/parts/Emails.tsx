// console/parts/Emails.tsx: the emails of one lead, side by side: as they will be read, with what is to be said of them.
import { Fragment } from "preact"
import type { Finding } from "#schema/Findings.ts"
import type { Grounds } from "#schema/ListLeads.ts"
import { labelOf } from "#console/parts/Labels.ts"
import { FindingList, findingsWithin, Marked } from "#console/parts/Findings.tsx"

interface Shown {
  readonly subject: string
  readonly body: string
  readonly findings?: ReadonlyArray<Finding>
  readonly grounds?: ReadonlyArray<Grounds>
  /** The version of the playbook that it was made from. */
  readonly playbook_version?: number | null
}

const suppliers: Readonly<Record<Grounds["sources"][number]["from"], string>> = {
  profile: "Your profile",
  audience: "The target audience",
  campaign: "The campaign",
  lead: "The lead file",
  remark: "Your remarks",
  research: "The company’s site"
}

export const isSite = (at: string) => /^https?:/.test(at)

/** A page that was read for a lead, by its host and path. */
export const PageLink = ({ url }: { readonly url: string }) => {
  const parsed = URL.parse(url)
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {parsed === null ? url : `${parsed.host}${parsed.pathname}${parsed.search}`.replace(/\/$/, "")}
    </a>
  )
}

interface Piece {
  readonly text: string
  /** Where in the body it starts. */
  readonly at: number
  /** Which of the grounds it is, from 1. */
  readonly ground?: number
}

/** Splits the body into sentences that have a source and the text between them. */
const piecesOf = (body: string, grounds: ReadonlyArray<Grounds>): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let at = 0
  grounds.forEach(({ sentence }, i) => {
    const found = body.indexOf(sentence, at)
    if (found === -1) return
    if (found > at) pieces.push({ text: body.slice(at, found), at })
    pieces.push({ text: sentence, at: found, ground: i + 1 })
    at = found + sentence.length
  })
  return [...pieces, { text: body.slice(at), at }]
}

const Sources = ({ grounds }: { readonly grounds: ReadonlyArray<Grounds> }) => (
  <div class="sources">
    <h3>Sources</h3>
    {grounds.length === 0 ? (
      <p class="quiet">No sentence that needs one.</p>
    ) : (
      <ol>
        {grounds.map(({ sentence, sources }) => (
          <li key={sentence}>
            <span class="unseen">{sentence} </span>
            {sources.map(({ at, from }, i) => (
              <Fragment key={`${from} ${at}`}>
                {i > 0 && "; "}
                {suppliers[from]}
                {": "}
                {from === "research" && isSite(at) ? <PageLink url={at} /> : labelOf(at)}
              </Fragment>
            ))}
          </li>
        ))}
      </ol>
    )}
  </div>
)

const Findings = ({ body, findings, subject }: Shown & { readonly findings: ReadonlyArray<Finding> }) => (
  <div class="findings">
    <h3>Findings</h3>
    {findings.length === 0 ? (
      <p class="quiet">None.</p>
    ) : (
      <FindingList
        findings={findings}
        textOf={(place) => (place === "subject" ? subject : place === "body" ? body : "")}
      />
    )}
  </div>
)

interface BodyProps {
  readonly email: Shown
  readonly sourced: boolean
}

const noFindings: ReadonlyArray<Finding> = []

/** The body, with marks where findings are, and with the sentences that rest on a source. */
const Body = ({ email: { body, findings = noFindings, grounds }, sourced }: BodyProps) => {
  const marks = findings.filter(({ place }) => place === "body")
  const pieces = sourced && grounds !== undefined ? piecesOf(body, grounds) : [{ text: body, at: 0 }]
  return (
    <div class="body">
      {pieces.map(({ at, ground, text }: Piece) => {
        const marked = <Marked text={text} findings={findingsWithin(marks, at, at + text.length)} />
        if (ground === undefined) return <Fragment key={at}>{marked}</Fragment>
        return (
          <Fragment key={at}>
            <span class="grounded">{marked}</span>
            <sup aria-hidden="true">{ground}</sup>
          </Fragment>
        )
      })}
    </div>
  )
}

interface Props {
  readonly emails: ReadonlyArray<Shown>
  /** Whether sentences are marked, with what they rest on below. */
  readonly sourced: boolean
}

export const Emails = ({ emails, sourced }: Props) => (
  <ol class="emails">
    {emails.map((email, i) => {
      const { findings, grounds, playbook_version, subject } = email
      return (
        <li key={i} class="email">
          <div class="email-head">
            <h2>
              Email {i + 1} of {emails.length}
            </h2>
          </div>
          <p class="subject">
            <span class="unseen">Subject: </span>
            <Marked text={subject} findings={(findings ?? noFindings).filter(({ place }) => place === "subject")} />
          </p>
          <Body email={email} sourced={sourced} />
          {findings !== undefined && <Findings {...email} findings={findings} />}
          {sourced && grounds !== undefined && <Sources grounds={grounds} />}
          {playbook_version != null && (
            <p class="quiet made-from">Made from version {playbook_version} of the emails.</p>
          )}
        </li>
      )
    })}
  </ol>
)
