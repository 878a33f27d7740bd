// layers/generator/Asks.ts: the kinds of thing that an email can ask for, and what a request calls them.

export type Ask = "question" | "lead magnet" | "direct meeting"

/** CTA types as a request names them; what is not known counts as a question. */
export const approvedAsks = (types: ReadonlyArray<string>): ReadonlySet<Ask> => {
  const asks = types.map((type): Ask =>
    /lead.?magnet/i.test(type) ? "lead magnet" : /meeting/i.test(type) ? "direct meeting" : "question"
  )
  return new Set<Ask>(asks.length === 0 ? ["question"] : asks)
}
