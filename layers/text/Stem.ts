// layers/text/Stem.ts: the stem of an English word, so that forms of one word count as the same.
import { cacheByText } from "#layers/lib/CacheByText.ts"
import { stemmer } from "stemmer"

const irregularForms: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "kept:keep built:build rebuilt:build rebuild:build found:find won:win sold:sell bought:buy paid:pay went:go gone:go " +
    "made:make took:take taken:take gave:give given:give got:get fell:fall fallen:fall rose:rise risen:rise grew:grow " +
    "grown:grow lost:lose left:leave sent:send spent:spend brought:bring began:begin begun:begin ran:run saw:see seen:see " +
    "knew:know known:know met:meet held:hold led:lead said:say thought:think wrote:write written:write chose:choose " +
    "chosen:choose drove:drive driven:drive broke:break broken:break came:come became:become shown:show fewer:few " +
    "people:person children:child women:woman men:man billed:bill booking:book analyses:analysis dentist:dental dentists:dental weekly:week monthly:month daily:day yearly:year annual:year annually:year returned:return"
  )
    .split(" ")
    .map((pair) => pair.split(":"))
)

/** The stem of a word in lower case; irregular forms and "re-" are reduced to their verb. */
export const stemWord = cacheByText((word): string => {
  const base = word.replace(/'s?$/, "").replace(/^re-/, "")
  return stemmer(irregularForms[base] ?? base)
})
