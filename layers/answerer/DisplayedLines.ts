// layers/answerer/DisplayedLines.ts: selects the lines of a passage that answer a question, and those shown with them.
import { leadsToNext, type Line, type Passage } from "#layers/answerer/Passages.ts"
import { sum } from "#layers/answerer/Weights.ts"

/** Most points shown, and most when several answer equally well. */
const maxPoints = 3
const maxAlikePoints = 6
/** Most characters of prose shown; one sentence is always shown. */
const maxProseLength = 320

/** The best line of prose with its neighbours in the paragraph, up to the maximum length. */
const addNeighbours = (lines: ReadonlyArray<Line>, best: Line): ReadonlyArray<Line> => {
  let [from, to] = [lines.indexOf(best), lines.indexOf(best)]
  const fits = (index: number) => {
    const line = lines[index]
    const length = sum(lines.slice(Math.min(from, index), Math.max(to, index) + 1).map(({ text }) => text.length))
    return line?.paragraph === best.paragraph && length <= maxProseLength
  }
  while (fits(to + 1) || fits(from - 1)) {
    if (fits(to + 1)) to++
    if (fits(from - 1)) from--
  }
  return lines.slice(from, to + 1)
}

/** The lines of a passage that answer: the best one, in prose with its neighbours and in a list with those as good. */
export const selectAnswerLines = (
  { lines }: Passage,
  matches: ReadonlyArray<readonly [Line, number]>
): ReadonlyArray<Line> => {
  const [best] = matches
  if (best === undefined) return []
  const [bestLine, score] = best
  const introducedPoints = /[.!?]$/.test(bestLine.text)
    ? []
    : matches.filter(([line]) => line.isPoint && line.precedingText === bestLine.text)
  if (!bestLine.isPoint && introducedPoints.length === 0) return addNeighbours(lines, bestLine)
  if (!bestLine.isPoint) {
    const [[, bestScore] = [bestLine, 0]] = introducedPoints
    const bestPoints = new Set(introducedPoints.filter(([, each]) => each >= 0.9 * bestScore).map(([line]) => line))
    return [bestLine, ...lines.filter((line) => bestPoints.has(line)).slice(0, maxPoints)]
  }
  const scores = new Map(matches)
  const pointsAbove = (share: number) =>
    lines.filter((line) => line.isPoint && (scores.get(line) ?? 0) >= share * score)
  const similarPoints = pointsAbove(0.9)
  // The best one is never cut off.
  if (similarPoints.length >= maxPoints)
    return similarPoints
      .filter((line, index) => index < maxAlikePoints - 1 || line === bestLine)
      .slice(0, maxAlikePoints)
  const nearest = new Set([...similarPoints, ...matches.map(([line]) => line)].slice(0, maxPoints))
  return pointsAbove(0.75).filter((line) => nearest.has(line))
}

/** A passage up to this many lines and characters is shown whole, because its deciding line may not be the best match. */
const maxWholeLines = 8
const maxWholeLength = 700

/** Most lines shown besides those that answer, with this part of the best score. */
const maxExtraLines = 3
const minExtraLineShare = 0.75
/** Lines shown behind a question, and behind the header of a message. */
const replyLines = 3
const bodyLines = 8

/**
 * The lines of a passage that are shown: all of a short one, else those that match, with the line before and after each, the reply to
 * a question and the text below the header of a message.
 */
export const selectDisplayedLines = (
  { lines }: Passage,
  answer: ReadonlyArray<Line>,
  matches: ReadonlyArray<readonly [Line, number]>
): ReadonlyArray<Line> => {
  if (lines.length <= maxWholeLines && sum(lines.map(({ text }) => text.length)) <= maxWholeLength) return lines
  const [[, bestScore] = [undefined, 0]] = matches
  const extraMatches = matches.filter(([, score]) => score >= minExtraLineShare * bestScore).slice(0, maxExtraLines)
  const selectedLines = new Set([...answer, ...extraMatches.map(([line]) => line)])
  const followsLeadIn = (index: number) =>
    lines
      .slice(Math.max(0, index - bodyLines), index)
      .some(
        (line, precedingIndex, { length }) =>
          selectedLines.has(line) &&
          leadsToNext(line.text) &&
          (length - precedingIndex <= replyLines || !/\?\W*$/.test(line.text))
      )
  return lines.filter(
    (_, index) =>
      followsLeadIn(index) || lines.slice(Math.max(0, index - 1), index + 2).some((line) => selectedLines.has(line))
  )
}
