// console/parts/WordDiff.tsx: two versions of an email compared word by word.
import { diffWordsWithSpace } from "diff"

export interface ComparedText {
  readonly subject: string
  readonly body: string
}

interface Props {
  readonly from: string
  readonly to: string
  /** Whether the removed words, the added words or both are shown. */
  readonly show: "removed" | "added" | "both"
}

const DiffWords = ({ from, show, to }: Props) => (
  <>
    {diffWordsWithSpace(from, to).map(({ added, removed, value }, i) => {
      if (removed) return show === "added" ? null : <del key={i}>{value}</del>
      if (added) return show === "removed" ? null : <ins key={i}>{value}</ins>
      return <span key={i}>{value}</span>
    })}
  </>
)

interface DiffProps {
  readonly from: ComparedText
  readonly to: ComparedText
  readonly show: Props["show"]
}

/** An email with the words marked that differ from another version of it. */
export const WordDiff = ({ from, show, to }: DiffProps) => (
  <div class="diff">
    <p class="subject">
      <span class="unseen">Subject: </span>
      <DiffWords from={from.subject} to={to.subject} show={show} />
    </p>
    <div class="body">
      <DiffWords from={from.body} to={to.body} show={show} />
    </div>
  </div>
)
