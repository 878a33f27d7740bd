// src/settings/Telemetry.ts: settings for logs, metrics and traces.
import { Config, Redacted, Schema } from "effect"
import { portSetting, type Setting, setting, textSetting } from "#src/settings/Setting.ts"
import { isCollectorUrl } from "#src/settings/SettingParsers.ts"

const levels = ["all", "trace", "debug", "info", "warn", "error", "fatal", "none"] as const
const level = setting(
  "OVERTURE_LOG_LEVEL",
  (name) => Config.Literals(levels, name),
  "info",
  "the lowest level that is logged, to standard error"
)
const format = setting(
  "OVERTURE_LOG_FORMAT",
  (name) => Config.Literals(["pretty", "json"], name),
  undefined,
  "`pretty` or `json`",
  "`pretty` on a terminal, else `json`"
)

const metricsPortSetting = setting(
  "OVERTURE_METRICS_PORT",
  portSetting,
  undefined,
  "port of `/metrics` for Prometheus, on 127.0.0.1 only; 0 picks a free one",
  "none"
)

const collector = setting(
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  textSetting("a URL such as http://localhost:4318, without a user name or password", isCollectorUrl),
  undefined,
  "collector that gets traces, metrics and logs over HTTP",
  "none"
)
const collectorProtocol = setting(
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  (name) => Config.Literals(["http/protobuf", "http/json"], name),
  "http/protobuf",
  "`http/protobuf` or `http/json`"
)
const collectorHeaders = setting(
  "OTEL_EXPORTER_OTLP_HEADERS",
  (name) => Config.Record(Schema.String, Schema.StringFromUriComponent, name).pipe(Config.map(Redacted.make)),
  undefined,
  "such as `x-api-key=abc,x-tenant=1`, for the collector",
  "none"
)
const serviceName = setting(
  "OTEL_SERVICE_NAME",
  Config.String,
  undefined,
  "name of this server at the collector",
  "overture"
)
const noAttributes: { readonly [name: string]: string } = {}
const resourceAttributes = setting(
  "OTEL_RESOURCE_ATTRIBUTES",
  (name) =>
    Config.Record(Schema.StringFromUriComponent, Schema.StringFromUriComponent, name, {
      trim: true,
      keepEmptyValues: true
    }),
  noAttributes,
  "such as `deployment.environment=staging`, for the collector",
  "none"
)

export const telemetrySettings: ReadonlyArray<Setting<unknown>> = [
  level,
  format,
  metricsPortSetting,
  collector,
  collectorProtocol,
  collectorHeaders,
  serviceName,
  resourceAttributes
]

export const logSettings = Config.all({ format: format.value, level: level.value })

export const metricsPort = metricsPortSetting.value

export const otlpSettings = Config.all({
  endpoint: collector.value,
  protocol: collectorProtocol.value,
  headers: collectorHeaders.value,
  service: serviceName.value,
  attributes: resourceAttributes.value
})
