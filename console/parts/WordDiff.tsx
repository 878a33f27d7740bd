// console/parts/WordDiff.tsx: two versions of an email compared by paragraph, and word by word where a paragraph is similar.
import { Fragment } from "preact"
import { diffArrays, diffWordsWithSpace } from "diff"

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

interface Change {
  readonly value: string
  readonly added: boolean
  readonly removed: boolean
  /** Whether the next change replaces it as a whole. */
  readonly isReplaced?: true
}

const wordsIn = (text: string) => text.match(/\S+/g)?.length ?? 0

/** Word by word, unless most words differ: then one whole text replaces the other, since scraps of both read as neither. */
const compareWords = (from: string, to: string): ReadonlyArray<Change> => {
  const changes = diffWordsWithSpace(from, to)
  const kept = changes.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : wordsIn(value)), 0)
  if (from === "" || to === "" || kept * 2 >= Math.max(wordsIn(from), wordsIn(to))) return changes
  return [
    { value: from, added: false, removed: true, isReplaced: true },
    { value: to, added: true, removed: false }
  ]
}

/** Each line with the blank lines behind it. */
const paragraphsOf = (text: string) => text.split(/(?<=\n)(?=[^\n])/)

const compare = (from: string, to: string): ReadonlyArray<Change> => {
  const changes = diffArrays(paragraphsOf(from), paragraphsOf(to))
  return changes.flatMap(({ added, removed, value }, i): ReadonlyArray<Change> => {
    const next = changes[i + 1]
    if (removed && next?.added) {
      return value.length === next.value.length
        ? value.flatMap((text, at) => compareWords(text, next.value[at] ?? ""))
        : compareWords(value.join(""), next.value.join(""))
    }
    // Compared with the removed paragraphs before them.
    if (added && changes[i - 1]?.removed) return []
    return [{ value: value.join(""), added, removed }]
  })
}

const DiffWords = ({ from, show, to }: Props) => (
  <>
    {compare(from, to).map(({ added, isReplaced, removed, value }, i) => {
      if (removed) {
        return show === "added" ? null : (
          <Fragment key={i}>
            <del>{value}</del>
            {/* The last paragraph ends without a line break, and what replaces it is on a line of its own. */}
            {isReplaced && show === "both" && !value.endsWith("\n") && "\n"}
          </Fragment>
        )
      }
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
