// test/machine/Calls.ts: turns each command into a request with the answer that the contract demands.
import { branch, create, look, propose, remove, rename, select, target } from "./Building.ts"
import type { Call } from "./Call.ts"
import type { Command } from "./Commands.ts"
import { list } from "./Lists.ts"
import type { World } from "./Model.ts"
import { bulk, review, rewrite } from "./Reviewing.ts"
import { suppress, unsuppress } from "./Suppressing.ts"
import { batch, check, generate, preview } from "./Writing.ts"

/** The request that this command sends; nothing if it sends none. */
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
      return target(world, command)
    case "select":
      return select(world, command)
    case "propose":
      return propose(world, command)
    case "generate":
      return generate(world, command)
    case "batch":
      return batch(world, command)
    case "preview":
      return preview(world, command)
    case "list":
      return list(world, command)
    case "review":
      return review(world, command)
    case "rewrite":
      return rewrite(world, command)
    case "bulk":
      return bulk(world, command)
    case "suppress":
      return suppress(world, command)
    case "unsuppress":
      return unsuppress(world, command)
    case "look":
      return look(world, command)
    case "check":
      return check(world, command)
    default:
      return undefined
  }
}
