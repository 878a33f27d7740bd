// layers/generator/bymodel/Verification.ts: asks the verifier model whether each claim is supported by its cited
// source.
import { Effect } from "effect"
import { claimCheck } from "#layers/generator/bymodel/prompts/ClaimCheck.ts"
import type { Model } from "#layers/Model.ts"
import { hash } from "#layers/text/Hash.ts"
import type { Finding } from "#schema/Findings.ts"

export interface CitedClaim {
  /** Index of the email or template, from 0. */
  readonly email: number
  readonly sentence: string
  /** The cited text. */
  readonly source: string
}

/** With `sample`, one lead in this many is verified, chosen by its seed. */
const sampleInterval = 10

/** Whether the emails of the lead with this seed are verified. */
export const verifiesLead = ({ verification }: Model, seed: string): boolean =>
  verification === "all" || (verification === "sample" && hash(`verify ${seed}`) % sampleInterval === 0)

export const verifiesTemplates = ({ verification }: Model): boolean => verification !== "off"

/** The claims that their sources do not support. */
export const findUnsupported = (model: Model, claims: ReadonlyArray<CitedClaim>) => {
  if (claims.length === 0) return Effect.succeed<ReadonlyArray<CitedClaim>>([])
  const promptRequest = {
    prompt: claimCheck,
    sharedData: {},
    requestData: {
      claims: claims.map(
        ({ sentence, source }, index) => `${index + 1}. Claim: ${toOneLine(sentence)}\n   Source: ${toOneLine(source)}`
      )
    },
    request: `Give your verdict on ${claims.length === 1 ? "the claim" : `each of the ${claims.length} claims`}.`
  }
  return model.write(promptRequest, ({ verdicts }) => {
    const supported = new Map(verdicts.map(({ claim, supported }) => [claim, supported]))
    const missingNumbers = claims.flatMap((_, index) => (supported.has(index + 1) ? [] : [index + 1]))
    return {
      value: missingNumbers.length > 0 ? undefined : claims.filter((_, index) => supported.get(index + 1) === false),
      worth: 0,
      passes: missingNumbers.length > 0 ? 2 : 0,
      faults: missingNumbers.length > 0 ? [`Give a verdict on claim ${missingNumbers.join(", ")}.`] : [],
      error: "The model gave no verdict on a claim"
    }
  })
}

const toOneLine = (text: string) => text.replace(/\s+/g, " ").trim()

/** For an email whose claims could not be verified. */
export const unverifiedFinding: Finding = {
  rule: "claim.unverified",
  severity: "warn",
  place: "body",
  start: null,
  end: null,
  message: "The claims were compared with their sources by rules alone, since the verifying model could not be asked.",
  suggestion: "Compare each number and name with your profile before you send this."
}
