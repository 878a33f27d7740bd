// layers/generator/Asks.ts: what the emails of a request may ask for.
import { ctaKind } from "#schema/Generation.ts"

export interface Asks {
  /** Whether an email may offer the lead magnet. */
  readonly leadMagnet: boolean
  /** A question in the caller's own words, which the first email ends with. */
  readonly ownQuestion: string | null
}

/** Reads `approved_ctas` of a request, which its schema has checked. */
export const asksOf = (ctas: ReadonlyArray<string>): Asks => ({
  leadMagnet: ctas.length === 0 || ctas.some((cta) => ctaKind(cta) === "lead magnet"),
  ownQuestion: ctas.find((cta) => ctaKind(cta) === "own question")?.trim() ?? null
})
