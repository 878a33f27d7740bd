// console/parts/Emails.tsx: the emails of one lead side by side, with their findings and sources.
import { Fragment } from "preact"
import type { Finding } from "#schema/Findings.ts"
import type { Grounds } from "#schema/ListLeads.ts"
import { fieldLabel } from "#console/parts/Labels.ts"
import { FindingList, findingsWithin, MarkedText } from "#console/parts/Findings.tsx"

interface ShownEmail {
  readonly subject: string
  readonly body: string
  readonly findings?: ReadonlyArray<Finding>
  readonly grounds?: ReadonlyArray<Grounds>
  /** Sentences that state a fact which no source supports. */
  readonly unsupported?: ReadonlyArray<string>
  /** The version of the playbook that it was made from. */
  readonly playbook_version?: number | null
}

const sourceLabels: Readonly<Record<Grounds["sources"][number]["from"], string>> = {
  profile: "Your profile",
  audience: "The target audience",
  campaign: "The campaign",
  lead: "The lead file",
  remark: "Your remarks",
  research: "The company’s site"
}

export const isUrl = (field: string) => /^https?:/.test(field)

/** A page that was read for a lead, by its host and path. */
export const PageLink = ({ url }: { readonly url: string }) => {
  const parsed = URL.parse(url)
  return (
    <a href={url} rel="noreferrer noopener" target="_blank">
      {parsed === null ? url : `${parsed.host}${parsed.pathname}${parsed.search}`.replace(/\/$/, "")}
    </a>
  )
}

interface TextPiece {
  readonly text: string
  /** The offset in the body at which it starts. */
  readonly start: number
  /** The number of its source, from 1. */
  readonly ground?: number
}

/** Splits the body into sentences that have a source and the text between them. */
const splitAtLinks = (body: string, grounds: ReadonlyArray<Grounds>): ReadonlyArray<TextPiece> => {
  const pieces: Array<TextPiece> = []
  let start = 0
  grounds.forEach(({ sentence }, i) => {
    const found = body.indexOf(sentence, start)
    if (found === -1) return
    if (found > start) pieces.push({ text: body.slice(start, found), start })
    pieces.push({ text: sentence, start: found, ground: i + 1 })
    start = found + sentence.length
  })
  return [...pieces, { text: body.slice(start), start }]
}

const noFindings: ReadonlyArray<Finding> = []

interface TextProps {
  readonly email: ShownEmail
  /** Whether sentences that have a source are marked and their sources listed. */
  readonly showSources: boolean
}

interface SourcesProps {
  readonly grounds: ReadonlyArray<Grounds>
  readonly unsupported: ReadonlyArray<string>
}

const Sources = ({ grounds, unsupported }: SourcesProps) => (
  <div class="sources">
    <h3>Sources</h3>
    {grounds.length === 0 && unsupported.length === 0 && (
      <p class="quiet">No sentence states a fact, so none needs a source.</p>
    )}
    {unsupported.map((sentence) => (
      <p key={sentence} class="failed">
        No source supports “{sentence}”
      </p>
    ))}
    {grounds.length > 0 && (
      <ol>
        {grounds.map(({ sentence, sources }) => (
          <li key={sentence}>
            <span class="unseen">{sentence} </span>
            {sources.map(({ at, from }, i) => (
              <Fragment key={`${from} ${at}`}>
                {i > 0 && "; "}
                {sourceLabels[from]}
                {": "}
                {from === "research" && isUrl(at) ? <PageLink url={at} /> : fieldLabel(at)}
              </Fragment>
            ))}
          </li>
        ))}
      </ol>
    )}
  </div>
)

const Findings = ({ body, findings, subject }: ShownEmail & { readonly findings: ReadonlyArray<Finding> }) => (
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

/** The body with its findings marked and, if `showSources` is set, with numbers that refer to the sources. */
const Body = ({ email: { body, findings = noFindings, grounds }, showSources }: TextProps) => {
  const bodyFindings = findings.filter(({ place }) => place === "body")
  const pieces = showSources && grounds !== undefined ? splitAtLinks(body, grounds) : [{ text: body, start: 0 }]
  return (
    <div class="body">
      {pieces.map(({ start, ground, text }: TextPiece) => {
        const marked = <MarkedText text={text} findings={findingsWithin(bodyFindings, start, start + text.length)} />
        if (ground === undefined) return <Fragment key={start}>{marked}</Fragment>
        return (
          <Fragment key={start}>
            <span class="grounded">{marked}</span>
            <sup aria-hidden="true">{ground}</sup>
          </Fragment>
        )
      })}
    </div>
  )
}

export const EmailText = ({ email, showSources }: TextProps) => {
  const { findings, grounds, playbook_version, subject, unsupported = [] } = email
  return (
    <>
      <p class="subject">
        <span class="unseen">Subject: </span>
        <MarkedText text={subject} findings={(findings ?? noFindings).filter(({ place }) => place === "subject")} />
      </p>
      <Body email={email} showSources={showSources} />
      {findings !== undefined && <Findings {...email} findings={findings} />}
      {showSources && grounds !== undefined && <Sources grounds={grounds} unsupported={unsupported} />}
      {playbook_version != null && (
        <p class="quiet made-from">Written from version {playbook_version} of the templates.</p>
      )}
    </>
  )
}

interface Props {
  readonly emails: ReadonlyArray<ShownEmail>
  readonly showSources: boolean
}

export const Emails = ({ emails, showSources }: Props) => (
  <ol class="emails">
    {emails.map((email, i) => (
      <li key={i} class="email">
        <div class="email-head">
          <h2>
            Email {i + 1} of {emails.length}
          </h2>
        </div>
        <EmailText email={email} showSources={showSources} />
      </li>
    ))}
  </ol>
)
