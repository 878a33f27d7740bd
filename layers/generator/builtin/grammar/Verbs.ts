// layers/generator/builtin/grammar/Verbs.ts: enough English verbs to tell a clause from a fragment.

const list = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const auxiliaries = new Set(
  list(`is are was were isn't aren't wasn't weren't am has have had hasn't haven't hadn't does do did doesn't don't didn't can can't cannot
    could couldn't will won't would wouldn't should shouldn't must may might never always it's that's there's they're they've you're you've we're we've`)
)

/** Verbs that are hardly ever nouns. */
const sure = list(
  `arrive become lose miss fail know find keep spend pay leave forget wait make give want see say tell ask get take go come
  struggle bring send hear understand happen disappear suffer depend rely arise remain stay grow creep vary differ seem appear speak reply
  receive hire recruit resign quit drown chase juggle worry argue discover realise realize notice remember lack overpay pile
  cause prevent avoid reduce improve let think believe prefer learn teach follow eat swallow expire choose decide
  collect recover save connect provide sell build offer deliver create develop install maintain serve advise represent write
  produce publish complain overheat vanish escalate cancel panic apply assume confuse misread enter retype scramble scrape search compare
    doubt refuse ruin spoil rust flood hide hope hurt inherit interrupt invest involve listen live multiply owe own perform persist
    postpone promise prove react rebuild recognise refer regret renew replace respond shrink sink solve spill spread squeeze steal
    submit suit survive tend threaten throw treat underestimate unsubscribe upset walk warn wonder worsen wrestle accumulate adapt
    admit afford agree allow arrange attend attract beat begin behave belong borrow chase cheat clog collapse compete conflict
    consist consume contain contradict cope correct crumble dampen decline degrade dictate differ dig disagree dominate double
    duplicate earn end erode evaporate exceed exist expect explain fade fluctuate forget gather guarantee hesitate ignore linger
    mislead mismatch misplace neglect obtain occur overrun overwhelm pester prepare pretend pull quote reappear rot scatter scream
    seize settle shut slow soar solve stagnate starve stumble swamp tire touch trip undermine vanish wander wear yell`
)

/** Verbs that are as often nouns; their neighbours must tell. */
const maybe = list(
  `cost delay need change work support report call risk charge order plan result break drop cut stop start end
  waste fix check test turn lie fight rush review use trust guess answer demand fear dispute process increase stall hold leak crash
  freeze switch share care look talk ship stock store track pick pack park burn burst fly buy drive ignore reject return block repeat
  rise fall slip reach lead feel hate love match audit show help supply handle manage run design repair train print host clean move bill
  type put jump climb sit stand sleep shop rent lease cover protect measure value scan file fill post pass claim stick drag taste smell phone queue book ring hurt land trip`
)

const third = (verb: string): string =>
  /(?:s|sh|ch|x|z|o)$/.test(verb) ? `${verb}es` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`

const sureForms = new Set([...sure, ...sure.map(third)])
const maybeBase = new Set(maybe)
const maybeThird = new Set(maybe.map(third))
const bases = new Map([...sure, ...maybe].map((verb) => [third(verb), verb]))

export const isBaseVerb = (word: string): boolean => (sureForms.has(word) ? !bases.has(word) : maybeBase.has(word))

/** "provides" → "provide", for the third persons on the list. */
export const baseOf = (word: string): string | undefined => bases.get(word)

/** -s off, for a word known to be a verb from where it stands. */
export const guessBase = (word: string): string =>
  bases.get(word) ??
  (word.endsWith("ies")
    ? `${word.slice(0, -3)}y`
    : /(?:ss|sh|ch|x|z)es$/.test(word)
      ? word.slice(0, -2)
      : word.replace(/s$/, ""))

/** "send" → "sending", "cut" → "cutting". */
export const gerund = (verb: string): string =>
  /(?:^|[^aeiou])(?:get|cut|run|stop|plan|ship|win|hit|put|set|drop|bid|spot|swap)$/.test(verb)
    ? `${verb}${verb.slice(-1)}ing`
    : /[^e]e$/.test(verb)
      ? `${verb.slice(0, -1)}ing`
      : `${verb}ing`

const irregular = new Set(
  list(`cut went got saw won grew fell rose took made found kept lost sold brought built ran began became gave paid sent spent held left
    doubled tripled halved chose hit set put beat drove led met`)
)

/** A past tense, so far as a word can tell by itself. */
export const isPast = (word: string): boolean =>
  irregular.has(word) ||
  (/[a-z]{2}ed$/.test(word) && word !== "need" && word !== "speed" && word !== "seed" && word !== "feed")

const before = new Set(
  list(
    "to the a an of and or for in on at by with from your our their my his her its this that these those no any some each every more less most"
  )
)
const relative = new Set(list("that which who whose where"))
const after =
  /^(?:the|a|an|your|our|their|every|each|all|too|more|most|less|up|down|out|away|off|on|it|them|you|us|so|twice|weeks?|days?|hours?|months?|late|early|\d.*|\w+ing)$/
const subjects =
  /^(?:you|we|they|people|nobody|staff|everyone|never|often|always|usually|still|parents|children|men|women|i)$/
const starters = new Set(
  list(`if when while as because after before since without with for by from in on at to under during until unless although though
    what how why where whenever once not only also but and or so then than`)
)

/** Where the finite verb of a full clause stands in lower-cased words, or -1 for a fragment. */
export const verbAt = (words: ReadonlyArray<string>): number => {
  const first = words[0]
  if (first === undefined || starters.has(first)) return -1
  for (let at = 1; at < Math.min(words.length, 14); at++) {
    const word = words[at] ?? ""
    const previous = words[at - 1] ?? ""
    if (relative.has(word)) return -1
    if (auxiliaries.has(word)) return word === "never" || word === "always" ? -1 : at
    if (before.has(previous)) continue
    const plural = (previous.endsWith("s") && !previous.endsWith("ss")) || subjects.test(previous)
    if (sureForms.has(word)) {
      const isBase = !bases.has(word)
      if (
        isBase
          ? plural || previous.endsWith("ly")
          : !plural || /^(?:nobody|everyone|often|usually|still|always|never)$/.test(previous)
      )
        return at
    }
    const next = words[at + 1] ?? ""
    if (maybeBase.has(word) && plural && (after.test(next) || next === "")) return at
    // "Staff fill gaps": what follows a word that is surely a subject is its verb, unless another verb comes right after.
    if (
      maybeBase.has(word) &&
      /^(?:you|we|they|people|staff|i)$/.test(previous) &&
      next.endsWith("s") &&
      !auxiliaries.has(next)
    )
      return at
    if (maybeThird.has(word) && !plural && after.test(next)) return at
  }
  return -1
}
