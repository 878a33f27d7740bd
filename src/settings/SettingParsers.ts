// src/settings/SettingParsers.ts: parsers for the values of settings.
import { Duration, Redacted } from "effect"
import type { Rate } from "#src/http/Guards.ts"

const durationUnits = new Map([
  ["s", Duration.seconds],
  ["m", Duration.minutes],
  ["h", Duration.hours],
  ["d", Duration.days]
])

/** `<n>s`, `<n>m`, `<n>h` or `<n>d`. */
export const parseDuration = (text: string): Duration.Duration | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return durationUnits.get(unit)?.(Number(count))
}

/** `<requests>/<window>`, for example `100/1m`. */
export const parseRate = (text: string): Rate | undefined => {
  const [, limit, windowText] = /^([1-9]\d{0,8})\/(\w+)$/.exec(text) ?? []
  const window = parseDuration(windowText ?? "")
  return limit === undefined || window === undefined || Duration.isZero(window)
    ? undefined
    : { limit: Number(limit), window }
}

/** The database must be a number if the URL has one; otherwise the client would fail at each connection. */
export const isRedisUrl = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== "" && /^\/?\d{0,5}$/.test(url.pathname)
}

/** The URL of a bucket for files: `s3://KEY:SECRET@host:port/bucket/folder?region=…&tls=false`. */
export const parseBucket = (text: string) => {
  const url = URL.parse(text)
  const [bucket = "", ...folders] = url?.pathname.split("/").filter((part) => part !== "") ?? []
  const options = [...(url?.searchParams.keys() ?? [])]
  const tls = url?.searchParams.get("tls") ?? "true"
  const isValid =
    url?.protocol === "s3:" &&
    !/%(?![0-9a-f]{2})/i.test(text) &&
    url.hostname !== "" &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    folders.every((folder) => /^[\w.-]+$/.test(folder)) &&
    options.every((option) => option === "region" || option === "tls") &&
    ["true", "false"].includes(tls) &&
    (url.username === "") === (url.password === "")
  if (!isValid) return undefined
  return {
    endpoint: `${tls === "false" ? "http" : "https"}://${url.host}/${bucket}`,
    region: url.searchParams.get("region") ?? "us-east-1",
    prefix: folders.map((folder) => `${folder}/`).join(""),
    keyId: decodeURIComponent(url.username),
    secret: Redacted.make(decodeURIComponent(url.password))
  }
}

export const isDatabaseUrl = (text: string) => /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)

export const isMailServerUrl = (text: string) => /^smtps?:\/\//.test(text) && URL.canParse(text)

export const isModelServerUrl = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text)

export const isCollectorUrl = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ""
}
