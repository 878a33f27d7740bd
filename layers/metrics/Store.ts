// layers/metrics/Store.ts: metrics of the database, measured at each scrape.
import { Clock, Effect, Metric, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { stat } from "node:fs/promises"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"
import * as Metrics from "#layers/Metrics.ts"

const files = { database: "overture.db", wal: "overture.db-wal" } as const

/** The creation time of a UUID version 7, in epoch milliseconds. */
const creationTime = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** `refresh` updates the gauges of the database in `directory`. Never fails. */
export const make = Effect.fnUntraced(function* (directory: string) {
  const sql = yield* SqlClient.SqlClient
  const freeSpace = yield* FreeSpace
  const knownSeries = new Set<string>()
  const knownTypes = new Set<string>()

  // Each status is spelled out, so that its partial index is used and ended jobs are not scanned.
  const countOpenJobs = SqlSchema.findAll({
    Request: Schema.Int,
    Result: Schema.Struct({
      status: Schema.String,
      type: Schema.String,
      jobs: Schema.Int,
      oldest: Schema.NullOr(Schema.String)
    }),
    execute: (timestamp) => sql`
      SELECT 'pending' AS status, type, count(*) AS jobs, min(CASE WHEN run_at <= ${timestamp} THEN id END) AS oldest
      FROM jobs WHERE status = 'pending' GROUP BY type
      UNION ALL SELECT 'processing', type, count(*), NULL FROM jobs WHERE status = 'processing' GROUP BY type
      UNION ALL SELECT 'waiting', type, count(*), NULL FROM jobs WHERE status = 'waiting' GROUP BY type
      UNION ALL SELECT 'parked', type, count(*), NULL FROM jobs WHERE status = 'parked' GROUP BY type`
  })

  const measureQueue = Effect.gen(function* () {
    const currentMillis = yield* Clock.currentTimeMillis
    const rows = yield* countOpenJobs(currentMillis)
    const jobCounts = new Map(rows.map(({ jobs, status, type }) => [`${type} ${status}`, jobs]))
    const oldestByType = new Map(
      rows.flatMap(({ oldest: oldestByType, type }) =>
        oldestByType === null ? [] : [[type, creationTime(oldestByType)]]
      )
    )
    for (const key of jobCounts.keys()) knownSeries.add(key)
    for (const type of oldestByType.keys()) knownTypes.add(type)
    // Sets series without jobs to 0; otherwise they would keep their last value.
    for (const key of knownSeries) {
      const [type = "", status = ""] = key.split(" ")
      yield* Metric.update(Metrics.jobs({ type, status }), jobCounts.get(key) ?? 0)
    }
    for (const type of knownTypes) {
      const age = Math.max(0, currentMillis - (oldestByType.get(type) ?? currentMillis)) / 1000
      yield* Metric.update(Metrics.oldestJob({ type }), age)
    }
  })

  const measureSize = sql.onDialectOrElse({
    pg: () =>
      Effect.flatMap(sql<{ readonly size: number }>`SELECT pg_database_size(current_database()) AS size`, ([row]) =>
        Metric.update(Metrics.storeSize({ file: "database" }), row?.size ?? 0)
      ),
    orElse: () =>
      Effect.forEach(Object.entries(files), ([file, name]) =>
        // The WAL file may not exist between a checkpoint and the next write.
        Effect.flatMap(
          Effect.promise(() => stat(`${directory}/${name}`).catch(() => ({ size: 0 }))),
          ({ size }) => Metric.update(Metrics.storeSize({ file }), size)
        )
      )
  })

  const measureDisk = Effect.gen(function* () {
    yield* measureSize
    yield* Metric.update(Metrics.storeFree, yield* freeSpace(directory))
  })

  return {
    refresh: Effect.andThen(measureQueue, measureDisk).pipe(
      Effect.andThen(Metric.update(Metrics.storeUp, 1)),
      Effect.timeout("2 seconds"),
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logDebug("The store could not be measured", cause), Metric.update(Metrics.storeUp, 0))
      )
    )
  }
})
