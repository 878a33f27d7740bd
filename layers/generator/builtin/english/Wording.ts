// layers/generator/builtin/english/Wording.ts: the forms of the tables that the built-in writer writes from.
import type { Ask } from "#layers/generator/Asks.ts"

/**
 * Text with slots in braces. A template whose slot has nothing to fill it is passed over, so each list holds forms
 * for whatever may be missing. A slot that starts with a capital is filled with a capital. `|` starts a paragraph.
 */
export type Template = string

/** What a role calls its work, what trouble does to it, and what trouble costs it. Each reads on after "When that happens,". */
export interface RoleWording {
  readonly area: string
  /** Where the reader knows a trouble from: "from logistics". */
  readonly known: string
  readonly team: string
  readonly burdens: ReadonlyArray<string>
  readonly costs: ReadonlyArray<string>
}

/** How an email may start, by the shape of the trouble that it is about. */
export interface Openers {
  readonly clause: ReadonlyArray<Template>
  readonly doing: ReadonlyArray<Template>
  readonly thing: ReadonlyArray<Template>
  readonly other: ReadonlyArray<Template>
  /** Where no trouble is known: by what the business is about, or by nothing but the role. */
  readonly topic: ReadonlyArray<Template>
  readonly bare: ReadonlyArray<Template>
}

export interface AngleWording {
  readonly openers: Openers
  /** How an email may start where research found what the reader's company does or is. */
  readonly researched: ReadonlyArray<Template>
  /** Where there is a proof, and where there is none. */
  readonly proven: ReadonlyArray<Template>
  readonly unproven: ReadonlyArray<Template>
  readonly asks: Readonly<Record<Ask, ReadonlyArray<Template>>>
  readonly subjects: ReadonlyArray<Template>
}
