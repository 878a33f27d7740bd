// layers/generator/builtin/english/English.ts: the wording of the built-in writer in English.
import type { Language } from "#layers/generator/builtin/Language.ts"
import { goodbye } from "#layers/generator/builtin/english/Goodbye.ts"
import { money } from "#layers/generator/builtin/english/Money.ts"
import { resource } from "#layers/generator/builtin/english/Resource.ts"
import { roles } from "#layers/generator/builtin/english/Roles.ts"
import { time } from "#layers/generator/builtin/english/Time.ts"

export const english: Language = {
  greeting: { named: ["Hi {first},", "Hello {first},"], unnamed: ["Hello,", "Hi,"] },
  roles,
  angles: { time, resource, money, goodbye }
}
