// console/parts/Emails.tsx: the emails of one lead, side by side: as they will be read, with what is to be said of them.
import { Fragment } from "preact"
import type { Grounds, ListFinding as Finding } from "#schema/ListLeads.ts"

interface Shown {
  readonly subject: string
  readonly body: string
  readonly score?: number | null
  readonly findings?: ReadonlyArray<Finding>
  readonly grounds?: ReadonlyArray<Grounds>
}

const suppliers: Readonly<Record<Grounds["sources"][number]["from"], string>> = {
  profile: "Your profile",
  audience: "The target audience",
  campaign: "The campaign",
  lead: "The lead file",
  remark: "Your remarks",
  research: "The company’s site"
}

const placeOf = (at: string) => at.replaceAll("_", " ")

export const isSite = (at: string) => /^https?:/.test(at)

/** A page that was read for a lead. */
export const Site = ({ url }: { readonly url: string }) => (
  <a href={url} rel="noreferrer noopener" target="_blank">
    {URL.canParse(url) ? new URL(url).hostname : url}
  </a>
)

const toneOf = (score: number) => (score >= 85 ? "good" : score >= 70 ? "busy" : "bad")

export const Score = ({ of }: { readonly of: number | null }) =>
  of === null ? null : (
    <span class={`score ${toneOf(of)}`}>
      <span class="unseen">Score </span>
      {of}
    </span>
  )

interface Piece {
  readonly text: string
  /** Which of the grounds it is, from 1. */
  readonly ground?: number
}

/** The body in pieces, each of which is a sentence that rests on something, or what is between two of them. */
const piecesOf = (body: string, grounds: ReadonlyArray<Grounds>): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let at = 0
  grounds.forEach(({ sentence }, i) => {
    const found = body.indexOf(sentence, at)
    if (found === -1) return
    if (found > at) pieces.push({ text: body.slice(at, found) })
    pieces.push({ text: sentence, ground: i + 1 })
    at = found + sentence.length
  })
  return [...pieces, { text: body.slice(at) }]
}

const Sources = ({ grounds }: { readonly grounds: ReadonlyArray<Grounds> }) => (
  <div class="sources">
    <h3>What it rests on</h3>
    {grounds.length === 0 ? (
      <p class="quiet">Nothing that would need a source.</p>
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
                {from === "research" && isSite(at) ? <Site url={at} /> : placeOf(at)}
              </Fragment>
            ))}
          </li>
        ))}
      </ol>
    )}
  </div>
)

const Findings = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) => (
  <div class="findings">
    <h3>What the checker says</h3>
    {findings.length === 0 ? (
      <p class="quiet">Nothing to say against it.</p>
    ) : (
      <ul>
        {findings.map(({ message, place, rule, severity }, i) => (
          <li key={i} class={severity}>
            <strong>{severity === "fail" ? "Must change" : "Could be better"}</strong> ({place}, rule {rule}): {message}
          </li>
        ))}
      </ul>
    )}
  </div>
)

interface Props {
  readonly emails: ReadonlyArray<Shown>
  /** Whether sentences are marked, with what they rest on below. */
  readonly sourced: boolean
}

export const Emails = ({ emails, sourced }: Props) => (
  <ol class="emails">
    {emails.map(({ body, findings, grounds, score, subject }, i) => (
      <li key={i} class="email">
        <div class="email-head">
          <h2>
            Email {i + 1} of {emails.length}
          </h2>
          {score !== undefined && <Score of={score} />}
        </div>
        <p class="subject">
          <span class="unseen">Subject: </span>
          {subject}
        </p>
        <div class="body">
          {sourced && grounds !== undefined
            ? piecesOf(body, grounds).map(({ ground, text }, at) =>
                ground === undefined ? (
                  text
                ) : (
                  <Fragment key={at}>
                    <span class="grounded">{text}</span>
                    <sup aria-hidden="true">{ground}</sup>
                  </Fragment>
                )
              )
            : body}
        </div>
        {findings !== undefined && <Findings findings={findings} />}
        {sourced && grounds !== undefined && <Sources grounds={grounds} />}
      </li>
    ))}
  </ol>
)
