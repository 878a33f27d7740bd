// layers/generator/checker/PersonalRemarks.ts: checks what an email says to its reader as a person: private life,
// blame, a wrong job.
import {
  type EmailText,
  findingAt,
  findingInSentence,
  quoteShort,
  type Sentence
} from "#layers/generator/checker/EmailText.ts"
import { wordPattern } from "#layers/generator/checker/ClaimPatterns.ts"
import { departmentName, readTitle } from "#layers/generator/routing/ReadTitle.ts"
import { cacheByText } from "#layers/lib/CacheByText.ts"
import type { Finding } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"

/** Blame of the reader: "shame on you", "your fault". */
const blamePattern =
  /\b(?:and you know it|you should be ashamed|shame on you|you (?:clearly|obviously|evidently|apparently) (?:don't|do not|didn't|haven't|can't|aren't|have no|know nothing)|you can't afford to ignore|(?:you|your \p{L}+|they|nobody|someone|who) (?:couldn't|can't|could not|cannot) be bothered|(?:ignoring|avoiding|ghosting) (?:me|us|my|our)\b|(?:you've|you have|you) (?:\p{L}+ )?ignored (?:me|us|my|our|\p{L}+ (?:emails|messages|notes))|your silence|(?:have|has|'ve|you) (?:simply |just |clearly )?(?:stopped caring|given up on your)|(?:don't|doesn't|do not|does not|didn't) (?:seem to |really |even |actually )?care (?:about|enough|what|whether|if)|(?:you|your \p{L}+)(?: is|'s| are|'re) (?:simply |just |frankly |honestly |quite |so )?(?:embarrassing|pathetic|incompetent|negligent|careless|lazy|clueless|irresponsible|stupid|foolish|ashamed|a disgrace|a joke|failing (?:them|your|the|at your))|(?:that's|that is|it's|it is|this is|which is|how|frankly|honestly|rather|so|an?) (?:frankly |honestly |simply |just |a bit |rather |really )?(?:embarrassing|embarrassment|pathetic|disgraceful|shameful|negligent|irresponsible|unforgivable|inexcusable)|on your conscience|blood on your hands|your fault|blame yourself|only yourself to blame|have yourself to blame|you(?:'ll| will) (?:regret|be sorry)|(?:children|patients|residents|guests|people|staff|pupils|families)\b[^.?!]{0,40}\b(?:go hungry|suffer|will die|get hurt|pay the price) (?:because of you|because you|while you|and you|unless you)|(?:in|under) your care (?:go|suffer|die|deserve)|because of your (?:inaction|neglect|silence|indifference|laziness)|what (?:kind|sort) of (?:\p{L}+ ){1,3}(?:lets|ignores|leaves|allows|would|are you)|how (?:can|do) you (?:sleep|live with|look)|(?:any|every) (?:competent|responsible|serious|decent|good|real|professional|half-decent) \p{L}+(?: \p{L}+)? (?:would have|would already|already|knows|has)|(?:only|just) an? (?:fool|idiot|amateur)|a (?:five|ten|six)-year-old could|even you (?:can|could|should)|do your job|wake up\b|you(?:'re| are) (?:letting|leaving) (?:your \p{L}+|them|everyone|down) (?:down|behind|in danger|at risk))\b/giu

/** Reminders that add nothing: "just checking in", "bumping this". */
const naggingPattern =
  /\b(?:just checking in|checking in (?:on|to see|again)|bumping this|bump this|circling back|circle back|(?:to the )?top of your inbox|did you (?:see|get|read|receive|miss) my|per my (?:last|previous|earlier)|haven't heard (?:back|from)|never heard (?:back|from)|(?:no|without an?|still no|any) (?:answer|reply|response) (?:from you|yet|so far)|my (?:second|third|fourth|fifth|two|three|four|several) (?:\p{L}+ )?(?:emails|messages|email to you|attempts?|reminders?)|(?:third|fourth|fifth|final) (?:time i|try|attempt|reminder)|(?:you|you've|you have) (?:still )?(?:haven't|have not|not|didn't|never) (?:\p{L}+ )?(?:answered|replied|responded|reply|respond|answer)|(?:i|we)(?:'ve| have) (?:now |already )?(?:written|emailed|tried|called|reached out)(?: to)?(?: you)? (?:now |already )?(?:twice|three|four|several|many|\d+|a few|again)|following up (?:again|on my|once more)|just following up|i(?:'ll| will) keep (?:writing|trying|emailing|following)|(?:are|have) you (?:even )?(?:getting|reading|seen|received) (?:my|these|this))\b/giu

const patternFindings = (
  sentence: string,
  expression: RegExp,
  rule: string,
  severity: Finding["severity"],
  describe: (text: string) => string
): ReadonlyArray<Finding> =>
  [...sentence.matchAll(expression)].map((match) =>
    findingAt(
      "body",
      rule,
      severity,
      { start: match.index, end: match.index + match[0].length },
      describe(quoteShort(match[0]))
    )
  )

// To schools and other childcare, "your children" are pupils.
const childCareBusiness =
  /\b(?:schools?|nurser(?:y|ies)|kindergartens?|pupils?|child\w*|pediatric\w*|paediatric\w*|academy)\b/i

const privateLifeFindings = cacheByText((sentence) =>
  patternFindings(
    sentence,
    wordPattern.personal,
    "reader.personal",
    "fail",
    (text) => `${text} is about the reader's private life. Remove it.`
  )
)

/** Whether the sender's business or the reader's concerns what a finding quotes. */
const isAboutBusiness = ({ end, start }: Finding, sentence: string, senderText: string, lead: Lead | null): boolean => {
  const text = sentence.slice(start ?? 0, end ?? 0)
  const word = text.split(" ").at(-1)?.toLowerCase() ?? text
  return (
    senderText.includes(word) ||
    (/^(?:kids?|children)$/.test(word) &&
      childCareBusiness.test(`${senderText} ${lead?.title ?? ""} ${lead?.company ?? ""}`))
  )
}

/** The end of a role that is a kind of business or person, not a job: "As a restaurant group, you". */
const notAJob =
  /(?:group|company|compan(?:y|ies)|firm|business|practice|brand|team|restaurant|hotel|school|shop|store|clinic|lab|laboratory|agency|plant|site|department|charity|hospital|home|brewery|factory|office|supplier|retailer|customer|client|user|subscriber|person|one)$/i
/** The words by which a sentence addresses the reader in a role: "As a nurse, you". */
const addressPattern =
  /(?:^|[\s(])(?:as|being|since you're|because you're|you're) (?:an? |the |our |your )?(?<role>\p{L}[\p{L}&'/-]*(?: (?!you\b|your\b|who\b|and you\b)\p{L}[\p{L}&'/-]*){0,3}?)(?:,? (?=you(?:'re|'d|'ll|'ve|r)?\b)|, (?=who\b))/giu

/** Addresses the reader in another department's role, such as a purchasing manager as a nurse. Only if both titles are recognised. */
const wrongRoleFindings = (sentence: Sentence, lead: Lead | null): ReadonlyArray<Finding> => {
  if (lead?.title === null || lead?.title === undefined || !/\byou/i.test(sentence.normalizedText)) return []
  const { department: readerDepartment } = readTitle(lead.title)
  if (readerDepartment === null) return []
  const title = lead.title.toLowerCase()
  return [...sentence.normalizedText.matchAll(addressPattern)].flatMap((match) => {
    const role = match.groups?.role ?? ""
    const { department: roleDepartment } = readTitle(role)
    if (
      roleDepartment === null ||
      notAJob.test(role) ||
      roleDepartment === readerDepartment ||
      title.includes(role.toLowerCase()) ||
      // The head of a business may have any job in it.
      readerDepartment === "leadership"
    )
      return []
    const start = sentence.start + match.index + match[0].indexOf(role)
    return [
      findingAt(
        "body",
        "reader.role",
        "warn",
        { start, end: start + role.length },
        `${quoteShort(role)} works in ${departmentName(roleDepartment)}; the lead's title, ${quoteShort(lead.title ?? "")}, is in ${departmentName(readerDepartment)}. Write to the job that the reader has.`
      )
    ]
  })
}

/** Requests for secrets or money: "confirm your bank details". */
const sensitiveRequest =
  /\b(?:confirm|send|verify|update|share|provide|enter|give|forward|reply with|need|check)\b[^.?!]{0,25}\byour (?:\p{L}+ )?(?:bank|card|credit card|account (?:number|details)|password|login|credentials|sort code|iban|payment details|tax (?:id|number)|social security|passport|wire|invoice details)\b|\b(?:the|your|our|an?) invoice is (?:at|attached|here|below|due)\b|\b(?:wire|transfer) (?:the|your) (?:money|funds|payment|amount)\b/giu
/** Mentions of the writer's instructions or notes: "as instructed". */
const leakedInstruction =
  /\bi(?: was|'ve been| have been|'m| am) (?:told|asked|instructed|supposed|meant|not (?:allowed|supposed)) (?:not )?to (?:mention|say|write|tell|talk|use|ask|include|keep)\b|\b(?:my|the|our) (?:crm|notes?|files?|records?) (?:on you|about you|says?|tells?)\b|\bmore on you is\b|\bper (?:my|the) (?:instructions|notes?)\b|\bas instructed\b/giu

const signedName = /^(?<name>\p{Lu}[\p{L}'.-]+(?: \p{Lu}[\p{L}'.-]+){0,2}),?$/u
const closingPhrase =
  /^(?:(?:best|kind(?:est)?|warm(?:est)?|many|with)? ?(?:wishes|regards|thanks|greetings)|best|thank you|cheers|sincerely|yours(?: \w+)?|talk soon|all the best|warmly|respectfully)[,.!]?$/i

/** A name under the email that is not the sender's, if the profile names who signs. */
const wrongSignerFindings = (body: string, contact: string | null, senderText: string): ReadonlyArray<Finding> => {
  if (contact === null || contact.trim() === "") return []
  const blocks = [...body.matchAll(/[^\n](?:.|\n(?!\s*\n))*/g)].filter(
    ({ 0: text }) => !/^(?:p\.?\s?s\b|--)/i.test(text.trim())
  )
  const lastBlock = blocks.at(-1)
  if (lastBlock === undefined || blocks.length < 3) return []
  let lineStart = lastBlock.index
  for (const line of lastBlock[0].split("\n")) {
    const name = signedName.exec(line.trim())?.groups?.name
    if (name !== undefined && !closingPhrase.test(line.trim())) {
      const signerText = `${contact.toLowerCase()}\n${senderText}`
      if (name.split(" ").some((part) => signerText.includes(part.toLowerCase()))) return []
      const start = lineStart + line.indexOf(name)
      return [
        findingAt(
          "body",
          "signature.name",
          "warn",
          { start, end: start + name.length },
          `${quoteShort(name)} signs, but the profile's contact is ${quoteShort(contact)}. Sign with that name, or change the profile.`
        )
      ]
    }
    if (!closingPhrase.test(line.trim())) return []
    lineStart += line.length + 1
  }
  return []
}

const toneFindings = cacheByText((sentence): ReadonlyArray<Finding> => [
  ...patternFindings(
    sentence,
    blamePattern,
    "reader.blamed",
    "warn",
    (text) => `${text} blames the reader. Remove it.`
  ),
  ...patternFindings(
    sentence,
    naggingPattern,
    "nagging",
    "warn",
    (text) => `${text} gives the reader nothing. Bring a new reason to answer.`
  ).slice(0, 1),
  ...patternFindings(
    sentence,
    sensitiveRequest,
    "request.sensitive",
    "fail",
    (text) => `${text} asks for what no first contact asks for. Remove it.`
  ),
  ...patternFindings(
    sentence,
    leakedInstruction,
    "lead.instruction",
    "fail",
    (text) => `${text} repeats what was meant for you and not for the reader. Remove it.`
  )
])

/** Private life fails, unless the sender's business concerns families; blame, nagging and a wrong job are warnings. */
export const personalFindings = (
  email: EmailText,
  senderText: string,
  lead: Lead | null,
  contact: string | null
): ReadonlyArray<Finding> => {
  const sentenceFindings = [email.subjectSentence, ...email.sentences].flatMap((sentence) => [
    ...[
      ...privateLifeFindings(sentence.normalizedText).filter(
        (finding) => !isAboutBusiness(finding, sentence.normalizedText, senderText, lead)
      ),
      ...toneFindings(sentence.normalizedText)
    ].map((finding) => findingInSentence(sentence, finding)),
    ...wrongRoleFindings(sentence, lead)
  ])
  return [...sentenceFindings, ...wrongSignerFindings(email.body, contact, senderText)]
}
