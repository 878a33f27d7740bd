// layers/generator/builtin/grammar/Articles.ts: which nouns take an article, and which one.
import { words } from "#layers/text/Words.ts"

const mass =
  /(?:ing|ware|ment|ance|ence|ship|support|advice|equipment|access|delivery|expertise|help|data|work|care|cover|stock|visibility|transparency|accuracy|quality|time|money|capacity|maintenance|law|safety|security|flexibility|matching|energy|turnover|cash|paperwork|admin|traffic|growth|knowledge|evidence|staff|people|bread|food|coffee|tea|wine|beer|milk|meat|fruit|paper|steel|wood|furniture|clothing|insurance|content|payroll|freight|research|design|storage|labour|labor|overtime|demurrage|waste|debt|churn|demand|supply|production|distribution|protection|communication|automation|documentation|administration|retention|compliance|hygiene|fraud|shrinkage|software|fuel|power|heat|gas|water|oil|law|rent|stock)$/

/** "audit of your invoices" → "an audit of your invoices"; nothing for plurals, masses and what has an article already. */
export const withArticle = (text: string): string => {
  const lower = text.toLowerCase()
  if (
    /^(?:a|an|the|your|our|my|its|their|no|one|two|three|all|every|each|any|some|more|less|fewer|this|that|\d+(?!-[a-z]|\d))\b/.test(
      lower
    )
  )
    return text
  const head =
    words(
      lower.split(
        / (?:of|for|to|in|on|at|with|from|by|that|which|who|between|about|against|within|without|under|before|after|until|since)\b|,/
      )[0] ?? ""
    ).at(-1) ?? ""
  if ((head.endsWith("s") && !/(?:ss|is|us|analysis)$/.test(head)) || mass.test(head)) return text
  const vowel =
    /^(?:[aeio]|u(?!ni|se|sa|ti|ser)|hour|honest|heir|[FHLMNRSX][A-Z]{1,4}\b|8|11|18)/.test(text) ||
    /^[aeio]/i.test(lower)
  return `${vowel && !/^(?:one|eu|uni|use)/.test(lower) ? "an" : "a"} ${text}`
}
