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
  const marks = [
    ...[company, title].map((value) => [value?.trim() ?? "", "X"] as const),
    // Suffixes such as GmbH are left out when a company is written.
    [(company ?? "").split(/\s+/).slice(0, 2).join(" "), "X"] as const,
    ...words.map((word) => [word, "X"] as const)
  ].filter(([value]) => value.length > 1)
  return marks.reduce(
    (text, [value, mark]) =>
      text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${Pattern.escape(value)}(?![\\p{L}\\p{N}])`, "giu"), mark),
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
const highestCounts = (all: ReadonlyArray<Map<string, number>>) => {
  const found = new Map<string, { most: number; by: number; next: number }>()
  for (const [by, counts] of all.entries())
    for (const [gram, count] of counts) {
      const known = found.get(gram)
      if (known === undefined) found.set(gram, { most: count, by, next: 0 })
      else if (count > known.most) found.set(gram, { most: count, by, next: known.most })
      else if (count > known.next) known.next = count
    }
  return found
}

/** Self-BLEU (Zhu et al., 2018): each text is the hypothesis once, with all others as references. */
export const selfBleu = (texts: ReadonlyArray<string>): number => {
  const words = texts.map(wordsOf)
  if (texts.length < 2) return 0
  const logs = words.map(() => 0)
  for (const n of [1, 2, 3, 4]) {
    const all = words.map((each) => countNgrams(each, n))
    const best = highestCounts(all)
    for (const [index, counts] of all.entries()) {
      let matched = 0
      let total = 0
      for (const [gram, count] of counts) {
        const known = best.get(gram)
        total += count
        matched += Math.min(count, known === undefined ? 0 : known.by === index ? known.next : known.most)
      }
      // No match at all is smoothed, as without it the product is nought.
      logs[index] = (logs[index] ?? 0) + Math.log(Math.max(matched, 0.1) / Math.max(total, 1)) / 4
    }
  }
  const penalty = (at: number) => {
    const own = words[at]?.length ?? 0
    const others = words.flatMap((each, other) => (other === at ? [] : [each.length]))
    const closestLength = others.reduce((best, length) =>
      Math.abs(length - own) < Math.abs(best - own) ? length : best
    )
    return own >= closestLength ? 1 : Math.exp(1 - closestLength / Math.max(own, 1))
  }
  return logs.reduce((sum, log, index) => sum + Math.exp(log) * penalty(index), 0) / logs.length
}

export const gzipRatio = (texts: ReadonlyArray<string>): number => {
  const all = Buffer.from(texts.join("\n\n"))
  return all.length === 0 ? 1 : all.length / gzipSync(all, { level: 9 }).length
}

const runLength = 10

export const sharedRun = (texts: ReadonlyArray<string>): number => {
  const runs = texts.map((text) => [...countNgrams(wordsOf(text), runLength).keys()])
  const holders = new Map<string, number>()
  for (const each of runs) for (const gram of each) holders.set(gram, (holders.get(gram) ?? 0) + 1)
  const sharing = runs.filter((each) => each.some((gram) => (holders.get(gram) ?? 0) > 1))
  return texts.length === 0 ? 0 : sharing.length / texts.length
}

export const diversity = (texts: ReadonlyArray<string>): Diversity => {
  const some = texts.slice(0, sampleSize)
  return {
    emails: some.length,
    distinct: new Set(some).size,
    gzip: gzipRatio(some),
    selfBleu: selfBleu(some),
    sharedRun: sharedRun(some)
  }
}
