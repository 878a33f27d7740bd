// scripts/eval/Diversity.ts: how much emails differ from each other once names are masked, measured as in the literature.
import { gzipSync } from "node:zlib"
import { RegExp as Pattern } from "effect"
import type { Draft } from "#layers/Generator.ts"
import type { Lead } from "#schema/Lead.ts"

export interface Diversity {
  readonly emails: number
  /** Emails of which no other is a copy. */
  readonly distinct: number
  /** Size of the emails, one after the other, divided by their size after gzip -9. */
  readonly gzip: number
  /** Mean BLEU-4 of each email against all others; 1 when each has a copy. */
  readonly selfBleu: number
  /** Share of emails with ten words in a row that another email has as well. */
  readonly sharedRun: number
}

/** More would take gzip beyond its window of 32 KB many times over, and the figure would depend on the number of leads. */
const sampleSize = 200

/** The email without what a merge would fill in, so that other names alone do not count as other words. */
export const maskNames = ({ body, subject }: Draft, { company, name, title }: Lead): string => {
  const words = (name ?? "").split(/\s+/).filter((word) => word.length > 1)
  const replacements = [
    ...[company, title].map((value) => [value?.trim() ?? "", "X"] as const),
    // Suffixes such as GmbH are left out when a company is written.
    [(company ?? "").split(/\s+/).slice(0, 2).join(" "), "X"] as const,
    ...words.map((word) => [word, "X"] as const)
  ].filter(([value]) => value.length > 1)
  return replacements.reduce(
    (text, [value, replacement]) =>
      text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${Pattern.escape(value)}(?![\\p{L}\\p{N}])`, "giu"), replacement),
    `${subject}\n${body}`
  )
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{M}\p{N}']+/gu) ?? []

const countNgrams = (words: ReadonlyArray<string>, n: number): Map<string, number> => {
  const counts = new Map<string, number>()
  for (let index = 0; index + n <= words.length; index++) {
    const gram = words.slice(index, index + n).join(" ")
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

/** The highest count of each n-gram in any text, and in any text but the one that has the highest. */
const highestCounts = (countsByText: ReadonlyArray<Map<string, number>>) => {
  const highest = new Map<string, { highestCount: number; textIndex: number; nextHighest: number }>()
  for (const [by, counts] of countsByText.entries())
    for (const [gram, count] of counts) {
      const previous = highest.get(gram)
      if (previous === undefined) highest.set(gram, { highestCount: count, textIndex: by, nextHighest: 0 })
      else if (count > previous.highestCount)
        highest.set(gram, { highestCount: count, textIndex: by, nextHighest: previous.highestCount })
      else if (count > previous.nextHighest) previous.nextHighest = count
    }
  return highest
}

/** Self-BLEU (Zhu et al., 2018): each text is the hypothesis once, with all others as references. */
export const selfBleu = (texts: ReadonlyArray<string>): number => {
  const wordsByText = texts.map(wordsOf)
  if (texts.length < 2) return 0
  const logs = wordsByText.map(() => 0)
  for (const n of [1, 2, 3, 4]) {
    const countsByText = wordsByText.map((words) => countNgrams(words, n))
    const best = highestCounts(countsByText)
    for (const [index, counts] of countsByText.entries()) {
      let matched = 0
      let total = 0
      for (const [gram, count] of counts) {
        const reference = best.get(gram)
        total += count
        matched += Math.min(
          count,
          reference === undefined ? 0 : reference.textIndex === index ? reference.nextHighest : reference.highestCount
        )
      }
      // No match at all is smoothed, as without it the product is nought.
      logs[index] = (logs[index] ?? 0) + Math.log(Math.max(matched, 0.1) / Math.max(total, 1)) / 4
    }
  }
  const penalty = (textIndex: number) => {
    const ownLength = wordsByText[textIndex]?.length ?? 0
    const otherLengths = wordsByText.flatMap((each, other) => (other === textIndex ? [] : [each.length]))
    const closestLength = otherLengths.reduce((best, length) =>
      Math.abs(length - ownLength) < Math.abs(best - ownLength) ? length : best
    )
    return ownLength >= closestLength ? 1 : Math.exp(1 - closestLength / Math.max(ownLength, 1))
  }
  return logs.reduce((sum, log, index) => sum + Math.exp(log) * penalty(index), 0) / logs.length
}

export const gzipRatio = (texts: ReadonlyArray<string>): number => {
  const allText = Buffer.from(texts.join("\n\n"))
  return allText.length === 0 ? 1 : allText.length / gzipSync(allText, { level: 9 }).length
}

const runLength = 10

export const sharedRun = (texts: ReadonlyArray<string>): number => {
  const runs = texts.map((text) => [...countNgrams(wordsOf(text), runLength).keys()])
  const holders = new Map<string, number>()
  for (const run of runs) for (const gram of run) holders.set(gram, (holders.get(gram) ?? 0) + 1)
  const runsWithShared = runs.filter((each) => each.some((gram) => (holders.get(gram) ?? 0) > 1))
  return texts.length === 0 ? 0 : runsWithShared.length / texts.length
}

export const diversity = (texts: ReadonlyArray<string>): Diversity => {
  const sample = texts.slice(0, sampleSize)
  return {
    emails: sample.length,
    distinct: new Set(sample).size,
    gzip: gzipRatio(sample),
    selfBleu: selfBleu(sample),
    sharedRun: sharedRun(sample)
  }
}
