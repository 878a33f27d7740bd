// layers/Mailer.ts: sends plain-text mail to one recipient, over SMTP or into an outbox folder.
import { Context, Effect, FileSystem, Layer, Predicate, Redacted, Schema } from "effect"

/** Control characters, line separators and direction marks, which a header line must not contain. */
const unprintableCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** External text for a single line: line breaks removed, at most `max` characters. */
export const asOneLine = (text: string, max: number) => {
  const characters = Array.from(text.replace(unprintableCharacters, " ").replace(/\s+/g, " ").trim())
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : characters.join("")
}

/**
 * External text, altered so that no mail program makes a link of it: recipients trust the sender, not the text's
 * author.
 */
export const withoutLinks = (text: string) =>
  text.replace(/:\/\//g, ": //").replace(/(?<=[\p{L}\p{N}])([.@\u3002\uff0e\uff61])(?=[\p{L}\p{N}])/gu, "$1 ")

/** `transient` if a retry may succeed. The message contains no address. */
export class MailFailed extends Schema.TaggedError<MailFailed>()("MailFailed", {
  message: Schema.String,
  transient: Schema.Boolean
}) {}

export interface Mail {
  /** Derived from the content, so that mail programs can drop a duplicate. */
  readonly id: string
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Sender {
  readonly name: string
  readonly address: string
}

const addressPattern = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/u

/** `Name <address>`, or an address alone. */
export const parseSender = (text: string): Sender | undefined => {
  const [, name, bracketedAddress] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? []
  const sender =
    bracketedAddress === undefined
      ? { name: "", address: text.trim() }
      : { name: (name ?? "").trim().replace(/^"(.*)"$/, "$1"), address: bracketedAddress.trim() }
  return addressPattern.test(sender.address) ? sender : undefined
}

/** Encodes text that looks like an encoded word; a mail program would otherwise decode it, line breaks included. */
const encodeSubject = (line: string) =>
  line.includes("=?")
    ? (line.match(/.{1,11}/gsu) ?? []).map((part) => `=?UTF-8?B?${Buffer.from(part).toString("base64")}?=`).join(" ")
    : line

/** Passes addresses as objects: nodemailer parses a string as a list of addresses. */
const toMimeMessage = (from: Sender, { id, subject, text, to }: Mail) => ({
  from: { ...from },
  to: { name: "", address: to },
  subject: encodeSubject(asOneLine(subject, 200)),
  text,
  messageId: `<${id}@${from.address.split("@")[1]}>`,
  headers: { "Auto-Submitted": "auto-generated" }
})

/** Errors of the message or the configuration, which a retry cannot fix. */
const permanentErrorCodes = ["EAUTH", "ECONFIG", "EENVELOPE", "EMESSAGE", "ENOAUTH", "EREQUIRETLS"]

const toMailFailed = (error: unknown) => {
  const status = Predicate.hasProperty(error, "responseCode") ? error.responseCode : undefined
  if (typeof status === "number" && status >= 400) {
    const transient = status < 500
    const outcome = transient ? "put the mail off" : "refused the mail"
    return new MailFailed({ message: `The mail server ${outcome} (${status})`, transient })
  }
  const code = Predicate.hasProperty(error, "code") ? String(error.code) : "no reason given"
  return permanentErrorCodes.includes(code)
    ? new MailFailed({ message: `The mail cannot be sent (${code})`, transient: false })
    : new MailFailed({ message: `The mail server could not be reached (${code})`, transient: true })
}

/**
 * Milliseconds for a whole mail: each line of a server restarts the timeout of its step, so a server that sends lines
 * without end would block a mail forever.
 */
export const MailLimit = Context.Reference("overture/layers/MailLimit", { defaultValue: () => 60_000 })

const timeoutFailure = (millis: number) =>
  new MailFailed({ message: `The mail server did not take the mail within ${millis / 1000} seconds`, transient: true })

/** Every step has a timeout, so that a silent server costs one attempt. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000, dnsTimeout: 10_000 }

const isLoopback = (host: string) => host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host)

/** Whether the URL sets TLS options, which then override the default. */
const hasTlsOptions = ({ searchParams }: URL) => searchParams.has("requireTLS") || searchParams.has("ignoreTLS")

/** Requires TLS when a password is sent, whatever the server or an intermediary offers. */
const tlsOptions = (text: string) => {
  const url = URL.parse(text)
  if (url === null || url.username === "" || isLoopback(url.hostname) || hasTlsOptions(url)) return {}
  return { requireTLS: url.protocol === "smtp:" }
}

/** Forbids nodemailer to read attachments from files or URLs. */
const safeTransportOptions = { disableFileAccess: true, disableUrlAccess: true }

/** Imported with the first mail, because most processes send none. */
const nodemailer = Effect.promise(() => import("nodemailer"))

const smtpTransport = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.map(nodemailer, ({ createTransport }) =>
      createTransport({
        url: Redacted.value(url),
        ...tlsOptions(Redacted.value(url)),
        ...timeouts,
        ...safeTransportOptions
      })
    ),
    (transport) => Effect.sync(() => transport.close())
  )

/** Null if the server accepts the connection and the credentials within `MailLimit`, else the error message. Sends nothing. */
export const checkSmtp = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const transport = yield* smtpTransport(url)
  const limit = yield* MailLimit
  return yield* Effect.tryPromise({ try: () => transport.verify(), catch: toMailFailed }).pipe(
    Effect.timeoutOrElse({
      duration: limit,
      orElse: () => Effect.succeed(`The mail server did not accept the connection within ${limit / 1000} seconds`)
    }),
    Effect.match({ onSuccess: (result) => (result === true ? null : result), onFailure: ({ message }) => message })
  )
}, Effect.scoped)

export class Mailer extends Context.Service<
  Mailer,
  {
    /** Returns once the mail server has accepted the mail, or the outbox file is written. */
    readonly send: (mail: Mail) => Effect.Effect<void, MailFailed>
    /** Set if mail is written to a folder instead of being sent. */
    readonly isOutbox?: true
  }
>()("overture/layers/Mailer") {
  /** Sends to the server of an `smtp://` or `smtps://` URL. */
  static readonly layerSmtp = (url: Redacted.Redacted, from: Sender) =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        const transport = yield* smtpTransport(url)
        const limit = yield* MailLimit
        return Mailer.of({
          send: Effect.fn("Mailer.send")(function* (mail) {
            // An abort signal closes the socket, and also ends a call that the caller made uninterruptible.
            const signal = AbortSignal.timeout(limit)
            yield* Effect.tryPromise({
              try: () => transport.sendMail({ ...toMimeMessage(from, mail), signal }),
              catch: (error) => (signal.aborted ? timeoutFailure(limit) : toMailFailed(error))
            })
          })
        })
      })
    )

  /** Writes each mail to a folder as an `.eml` file, which mail programs can open. */
  static readonly layerOutbox = (directory: string, from: Sender) =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const composer = yield* Effect.cached(
          Effect.map(nodemailer, ({ createTransport }) =>
            createTransport({ streamTransport: true, buffer: true, newline: "windows", ...safeTransportOptions })
          )
        )

        // Removes the partial files of a crashed process; their mails are sent again.
        yield* fs.readDirectory(directory).pipe(
          Effect.map((names) => names.filter((name) => /^\..+\.part$/.test(name))),
          Effect.flatMap(Effect.forEach((name) => fs.remove(`${directory}/${name}`, { force: true }))),
          Effect.ignore
        )

        /** Writes the file atomically and durably: a power failure leaves the whole file or none. */
        const write = Effect.fnUntraced(function* (name: string, bytes: Uint8Array) {
          yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
          const partialPath = `${directory}/.${name}.part`
          const file = yield* fs.open(partialPath, { flag: "w", mode: 0o600 })
          yield* file.writeAll(bytes)
          yield* file.sync
          yield* fs.rename(partialPath, `${directory}/${name}`)
          // Syncs the folder entry. Windows cannot sync a folder, so this step may fail.
          yield* Effect.ignore(Effect.flatMap(fs.open(directory, { flag: "r" }), (folder) => folder.sync))
        }, Effect.scoped)

        return Mailer.of({
          isOutbox: true,
          send: Effect.fn("Mailer.send")(
            function* (mail) {
              const transport = yield* composer
              const { message } = yield* Effect.tryPromise({
                try: () => transport.sendMail(toMimeMessage(from, mail)),
                catch: toMailFailed
              })
              if (!Buffer.isBuffer(message)) return yield* Effect.die(new Error("The mail was not made in one piece"))
              yield* write(`${mail.id}.eml`, message)
            },
            Effect.catchTag(
              "PlatformError",
              () => new MailFailed({ message: "The outbox cannot be written", transient: true })
            )
          )
        })
      })
    )
}
