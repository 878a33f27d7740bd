// layers/generator/bymodel/Options.ts: checks the options that a model proposes.
import type { OptionDraft } from "#layers/Generator.ts"
import type { Options } from "#layers/generator/bymodel/prompts/Options.ts"
import { proposals } from "#layers/generator/bymodel/Proposals.ts"
import { line, passage } from "#layers/generator/bymodel/Typed.ts"
import { type SourceFacts, standsIn, unsupportedClaims } from "#layers/model/SourceFacts.ts"

export const judge =
  (source: SourceFacts, least: number, fallback: () => ReadonlyArray<OptionDraft>) =>
  ({ options }: Options) => {
    const proposed = options.map(({ description, name, sentence }) => {
      const item = { name: line(name), description: passage(description), sentence: line(sentence, 2000) }
      const unknown = unsupportedClaims(`${item.name}\n${item.description}`, source)
      const found = standsIn(sentence, source) ? unknown : [...unknown, sentence]
      const whole = item.name !== "" && item.description !== "" && found.length === 0
      return { item: whole ? item : undefined, found }
    })
    return proposals(proposed, ({ name }) => name, least, fallback)
  }
