// src/http/RequestId.ts: what a request is called in its answer and in the log: a UUID of version 7.
import { randomUUID } from "node:crypto"

/** Node draws the random bytes of `randomUUID` many at a time. */
export const requestId = (millis: number) => {
  const time = millis.toString(16).padStart(12, "0")
  return `req_${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
