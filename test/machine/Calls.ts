// test/machine/Calls.ts: turns each command into a request with the answer that the contract demands.
import {
  branch,
  create,
  readSelections,
  generatePropositions,
  remove,
  rename,
  selectOptions,
  selectAudience
} from "./Building.ts"
import type { Call } from "./Call.ts"
import type { Command } from "./Commands.ts"
import { list } from "./Lists.ts"
import type { World } from "./Model.ts"
import { reviewMany, review, rewrite } from "./Reviewing.ts"
import { suppress, unsuppress } from "./Suppressing.ts"
import { generateBatch, checkAnswer, generateOne, createPreview } from "./Writing.ts"

/** The request that this command sends; undefined if it sends none. */
export const callOf = (world: World, command: Command): Call | undefined => {
  switch (command.do) {
    case "create":
      return create(world, command)
    case "rename":
      return rename(world, command)
    case "delete campaign":
      return remove(world, command)
    case "branch":
      return branch(world, command)
    case "target":
      return selectAudience(world, command)
    case "select":
      return selectOptions(world, command)
    case "propose":
      return generatePropositions(world, command)
    case "generate":
      return generateOne(world, command)
    case "batch":
      return generateBatch(world, command)
    case "preview":
      return createPreview(world, command)
    case "list":
      return list(world, command)
    case "review":
      return review(world, command)
    case "rewrite":
      return rewrite(world, command)
    case "bulk":
      return reviewMany(world, command)
    case "suppress":
      return suppress(world, command)
    case "unsuppress":
      return unsuppress(world, command)
    case "read":
      return readSelections(world, command)
    case "check":
      return checkAnswer(world, command)
    default:
      return undefined
  }
}
