// layers/Mailer.ts: sends plain mail to one person at a time, over SMTP or into a folder.
import { Context, Effect, FileSystem, Layer, Predicate, Redacted, Schema } from "effect"
import { createTransport } from "nodemailer"

/** Control characters, line separators and what turns the direction of text: nothing that a line of a mail may hold. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

/** A text from outside as part of a line: no breaks, at most `max` characters. */
export const inLine = (text: string, max: number) => {
  const line = Array.from(text.replace(unprintable, " ").replace(/\s+/g, " ").trim())
  return line.length > max ? `${line.slice(0, max - 1).join("")}…` : line.join("")
}

/** External text in which no mail program finds a link: readers trust the sender, not the text's author. */
export const unlinked = (text: string) =>
  text.replace(/:\/\//g, ": //").replace(/(?<=[\p{L}\p{N}])([.@\u3002\uff0e\uff61])(?=[\p{L}\p{N}])/gu, "$1 ")

/** `transient` when the server may take the mail later. The message names no address. */
export class MailFailed extends Schema.TaggedError<MailFailed>()("MailFailed", {
  message: Schema.String,
  transient: Schema.Boolean
}) {}

export interface Mail {
  /** Derived from the content: a second copy has the same id, so that mail programs can drop it. */
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

const address = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/u

/** `Name <address>`, or an address alone. */
export const parseSender = (text: string): Sender | undefined => {
  const [, name, inBrackets] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? []
  const sender =
    inBrackets === undefined
      ? { name: "", address: text.trim() }
      : { name: (name ?? "").trim().replace(/^"(.*)"$/, "$1"), address: inBrackets.trim() }
  return address.test(sender.address) ? sender : undefined
}

/**
 * Text that would be read as an encoded word is written as one: a reader's program would otherwise show what it stands
 * for, breaks and all, in place of what was said.
 */
const plainly = (line: string) =>
  line.includes("=?")
    ? (line.match(/.{1,11}/gsu) ?? []).map((part) => `=?UTF-8?B?${Buffer.from(part).toString("base64")}?=`).join(" ")
    : line

/** Addresses as objects: a string would be read as a list of them. */
const messageOf = (from: Sender, { id, subject, text, to }: Mail) => ({
  from: { ...from },
  to: { name: "", address: to },
  subject: plainly(inLine(subject, 200)),
  text,
  messageId: `<${id}@${from.address.split("@")[1]}>`,
  headers: { "Auto-Submitted": "auto-generated" }
})

/** What no later attempt mends: what we send or how we were set up. */
const permanent = ["EAUTH", "ECONFIG", "EENVELOPE", "EMESSAGE", "ENOAUTH", "EREQUIRETLS"]

const failureOf = (error: unknown) => {
  const status = Predicate.hasProperty(error, "responseCode") ? error.responseCode : undefined
  if (typeof status === "number" && status >= 400) {
    const transient = status < 500
    const what = transient ? "put the mail off" : "refused the mail"
    return new MailFailed({ message: `The mail server ${what} (${status})`, transient })
  }
  const code = Predicate.hasProperty(error, "code") ? String(error.code) : "no reason given"
  return permanent.includes(code)
    ? new MailFailed({ message: `The mail cannot be sent (${code})`, transient: false })
    : new MailFailed({ message: `The mail server could not be reached (${code})`, transient: true })
}

/** Every step of an exchange has an end, so that a silent server costs one attempt. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000, dnsTimeout: 10_000 }

const isHere = (host: string) => host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host)

/** What the URL says of TLS is what its author wants. */
const wanted = ({ searchParams }: URL) => searchParams.has("requireTLS") || searchParams.has("ignoreTLS")

/** Requires TLS when a password is sent, whatever the server or an intermediary offers. */
const tlsOf = (text: string) => {
  const url = URL.parse(text)
  if (url === null || url.username === "" || isHere(url.hostname) || wanted(url)) return {}
  return { requireTLS: url.protocol === "smtp:" }
}

/** What a mail is made of is in it: nothing is read from files or from the web. */
const closed = { disableFileAccess: true, disableUrlAccess: true }

const smtpTransport = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      createTransport({ url: Redacted.value(url), ...tlsOf(Redacted.value(url)), ...timeouts, ...closed })
    ),
    (transport) => Effect.sync(() => transport.close())
  )

/** Null where the server takes our connection and sign-in, else what is wrong. Sends nothing. */
export const checkSmtp = (url: Redacted.Redacted): Effect.Effect<string | null> =>
  smtpTransport(url).pipe(
    Effect.flatMap((transport) => Effect.tryPromise({ try: () => transport.verify(), catch: failureOf })),
    Effect.match({ onSuccess: () => null, onFailure: ({ message }) => message }),
    Effect.scoped
  )

export class Mailer extends Context.Service<
  Mailer,
  {
    /** Returns once a mail server has accepted the mail. */
    readonly send: (mail: Mail) => Effect.Effect<void, MailFailed>
  }
>()("overture/layers/Mailer") {
  /** To the server of an `smtp://` or `smtps://` URL. */
  static readonly layerSmtp = (url: Redacted.Redacted, from: Sender) =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        const transport = yield* smtpTransport(url)
        return Mailer.of({
          send: Effect.fn("Mailer.send")(function* (mail) {
            yield* Effect.tryPromise({ try: () => transport.sendMail(messageOf(from, mail)), catch: failureOf })
          })
        })
      })
    )

  /** Into a folder, one `.eml` file for each mail, which any mail program opens. */
  static readonly layerOutbox = (directory: string, from: Sender) =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows", ...closed })

        // Left by a process that ended in the middle of a mail; the mail itself is sent again.
        yield* fs.readDirectory(directory).pipe(
          Effect.map((names) => names.filter((name) => /^\..+\.part$/.test(name))),
          Effect.flatMap(Effect.forEach((name) => fs.remove(`${directory}/${name}`, { force: true }))),
          Effect.ignore
        )

        /** Whole or not at all, and there after a power cut. */
        const write = Effect.fnUntraced(function* (name: string, bytes: Uint8Array) {
          yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
          const part = `${directory}/.${name}.part`
          const file = yield* fs.open(part, { flag: "w", mode: 0o600 })
          yield* file.writeAll(bytes)
          yield* file.sync
          yield* fs.rename(part, `${directory}/${name}`)
          // The name is kept by the folder, and a system that cannot sync one (Windows) does without.
          yield* Effect.ignore(Effect.flatMap(fs.open(directory, { flag: "r" }), (folder) => folder.sync))
        }, Effect.scoped)

        return Mailer.of({
          send: Effect.fn("Mailer.send")(
            function* (mail) {
              const { message } = yield* Effect.tryPromise({
                try: () => transport.sendMail(messageOf(from, mail)),
                catch: failureOf
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
