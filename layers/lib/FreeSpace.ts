// layers/lib/FreeSpace.ts: the free space of a disk.
import { Context, Effect, Schema } from "effect"
import { statfs } from "node:fs/promises"

/** The free space is unknown. */
class SpaceUnknown extends Schema.TaggedError<SpaceUnknown>()("SpaceUnknown", { message: Schema.String }) {}

/** Free bytes on the disk of `directory`. */
export const FreeSpace = Context.Reference<(directory: string) => Effect.Effect<number, SpaceUnknown>>(
  "overture/layers/FreeSpace",
  {
    defaultValue: () => (directory) =>
      Effect.tryPromise({
        try: async () => {
          const { bavail, bsize } = await statfs(directory)
          return bavail * bsize
        },
        catch: (cause) => new SpaceUnknown({ message: cause instanceof Error ? cause.message : String(cause) })
      })
  }
)
