// layers/generator/builtin/english/English.ts: how an email greets, and how those of each angle are worded.
import { goodbye } from "#layers/generator/builtin/english/Goodbye.ts"
import { money } from "#layers/generator/builtin/english/Money.ts"
import { resource } from "#layers/generator/builtin/english/Resource.ts"
import { time } from "#layers/generator/builtin/english/Time.ts"
import type { AngleWording, Template } from "#layers/generator/builtin/english/Wording.ts"
import type { Angle } from "#layers/generator/Plan.ts"

export const greetings: { readonly named: ReadonlyArray<Template>; readonly unnamed: ReadonlyArray<string> } = {
  named: ["Hi {first},", "Hello {first},"],
  unnamed: ["Hello,", "Hi,"]
}

export const angles: Readonly<Record<Angle, AngleWording>> = { time, resource, money, goodbye }
