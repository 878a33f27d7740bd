// layers/generator/builtin/Options.ts: what a profile can bring forward, as options to choose from.
import type { Campaign, OptionDraft } from "#layers/Generator.ts"
import { roleWording } from "#layers/generator/builtin/english/Roles.ts"
import { upperFirst } from "#layers/generator/builtin/grammar/Capitals.ts"
import { materialOf } from "#layers/generator/builtin/Material.ts"
import { roleOf } from "#layers/generator/Roles.ts"
import { titleOf } from "#layers/text/Markdown.ts"
import type { WorkspaceAssetType } from "#schema/Assets.ts"
import type { Details } from "#schema/Details.ts"

const most = 2000

const facts = (items: ReadonlyArray<string> | null): ReadonlyArray<OptionDraft> => {
  const found = new Map<string, OptionDraft>()
  for (const item of items ?? []) {
    const description = item.trim().slice(0, most)
    const name = titleOf(description)
    if (name !== "") found.set(description.toLowerCase(), { name: upperFirst(name), description })
  }
  return [...found.values()]
}

export const options = (profile: Details, type: WorkspaceAssetType): ReadonlyArray<OptionDraft> => {
  switch (type) {
    case "social_proof":
      return [...facts(profile.case_studies), ...facts(profile.credibility_markers)]
    case "lead_magnet":
      return facts(profile.lead_magnets)
    case "risk_reversal":
      return facts(profile.guarantee)
  }
}

/** Promises that the profile supports: what changes, what stops, what is sold. At least three, each in full sentences. */
export const valuePropositions = (campaign: Campaign): ReadonlyArray<OptionDraft> => {
  // What is proposed must not rest on what was proposed before.
  const material = materialOf({ ...campaign, value_proposition: null })
  const does = material.does[0]?.text ?? ""
  const { area, team } = roleWording[roleOf([campaign.audience.decision_makers].flat().join(", "))]
  const found: Array<OptionDraft> = []
  const add = (name: string, ...sentences: ReadonlyArray<string | undefined>) => {
    const description = sentences
      .filter((each) => each !== undefined && each !== "")
      .join(" ")
      .slice(0, most)
    const taken = found.some((each) => each.name === name || each.description === description)
    if (description !== "" && !taken) found.push({ name, description })
  }
  material.gains.forEach(({ text }, at) =>
    add(
      upperFirst(titleOf(text.replace(/^You(?:'d| would)? (?:get|go) (?=\S)/, "").replace(/\.$/, ""))),
      text,
      material.proofs[at]?.text
    )
  )
  for (const { text, topic } of material.troubles.slice(0, 4)) {
    if (topic !== undefined)
      add(
        `${upperFirst(topic)} under control`,
        does === "" ? "It doesn't have to stay that way." : does,
        `So this can stop: ${text}.`
      )
  }
  for (const { product } of campaign.profile.core_products ?? []) {
    if (product.trim() !== "" && found.length < 5) add(titleOf(product), `${titleOf(product)} for your ${team}.`, does)
  }
  const us = material.our ?? "us"
  if (found.length < 3)
    add(`Time back for your ${team}`, does, `Your ${team} hands the work to ${us} and gets its hours back.`)
  if (found.length < 3)
    add(
      `One thing less to chase in ${area}`,
      `You'd have one thing less to chase, and you'd keep the say in how it's done.`
    )
  if (found.length < 3)
    add("A second pair of eyes", `You keep your own way of working, and someone else looks at what slips through.`)
  return found.slice(0, 8)
}
