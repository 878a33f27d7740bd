// console/pages/SetUp.tsx: the page of the first-run link: creates the first workspace and opens its first emails.
import { useEffect, useState } from "preact/hooks"
import { useAction } from "#console/Requests.ts"
import { storeChosenSource, sourceIssues, noSource, type Source } from "#console/pages/start/Source.ts"
import { SourceFields } from "#console/pages/start/SourceFields.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { Logo } from "#console/parts/Logo.tsx"
import { copyText } from "#console/pages/lead/CopyEmail.tsx"
import { StatusText } from "#console/parts/Notices.tsx"
import type { ModelServer } from "#schema/Session.ts"
import { findModelServers, setUp, type SignedIn } from "#console/Session.tsx"

/** Shows the settings that connect a model server found on this machine. Until then, the built-in writer is used. */
const ModelServerOffer = ({ server: { models, name, settings } }: { readonly server: ModelServer }) => {
  const [message, setMessage] = useState("")
  return (
    <section class="note" aria-label={`${name} was found`}>
      <p>
        <span class="strong">
          {name} runs on this machine with {models[0]}.
        </span>{" "}
        Without a model, Overture fills in templates. To let this model write, stop the server, add these lines to the
        .env of its data directory, and start it again. Until then it is sent nothing.
      </p>
      <pre>{settings.join("\n")}</pre>
      <div class="actions">
        <button
          type="button"
          class="button"
          onClick={() =>
            void copyText(`${settings.join("\n")}\n`).then(
              () => setMessage("Copied"),
              () => setMessage("The browser did not copy it. Select the text and copy it")
            )
          }
        >
          Copy the settings
        </button>
        {message !== "" && <span class="quiet">{message}</span>}
      </div>
      <StatusText>{message}</StatusText>
    </section>
  )
}

const noIdentity = { name: "", sender: "", email: "" }
type Identity = typeof noIdentity

interface IdentityProps {
  readonly identity: Identity
  readonly onChange: (identity: Identity) => void
  readonly issueOf: (field: keyof Identity) => string | undefined
}

/** The company and person who sign the emails, and the address for notices and sign-in links. */
const IdentityFields = ({ identity, issueOf, onChange }: IdentityProps) => (
  <>
    <TextInput
      label="Company"
      autocomplete="organization"
      required
      value={identity.name}
      onInput={(name) => onChange({ ...identity, name })}
      maxLength={200}
      issue={issueOf("name")}
    />
    <TextInput
      label="Your name"
      autocomplete="name"
      required
      hint="It signs the emails, with the name of your company."
      value={identity.sender}
      onInput={(sender) => onChange({ ...identity, sender })}
      maxLength={200}
      issue={issueOf("sender")}
    />
    <TextInput
      label="Your email address"
      type="email"
      autocomplete="email"
      required
      hint="For mail when a list is done and for sign-in links, once the server can send mail. It stays on this server."
      value={identity.email}
      onInput={(email) => onChange({ ...identity, email })}
      issue={issueOf("email")}
    />
  </>
)

interface Props {
  readonly token: string
  readonly onSignedIn: (who: SignedIn) => void
}

export const SetUp = ({ onSignedIn, token }: Props) => {
  const [identity, setIdentity] = useState(noIdentity)
  const [source, setSource] = useState<Source>(noSource)
  const [servers, setServers] = useState<ReadonlyArray<ModelServer>>([])
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const making = useAction(async () => {
    const { email, name, sender } = identity
    const who = await setUp({ token, name: name.trim(), email: email.trim() })
    storeChosenSource({ ...source, sender: sender.trim() })
    onSignedIn(who)
  })
  useEffect(() => {
    document.title = "Set up · Overture"
    // An expired link is reported when the form is submitted.
    findModelServers(token).then(
      (found) => setServers(found.servers.filter(({ settings }) => settings.length > 0)),
      () => setServers([])
    )
  }, [token])
  return (
    <main class="sign-in">
      <div class="sign-in-box set-up">
        <Logo />
        <h1>Three emails to read</h1>
        <p class="lead">
          Say who you are and what to write from. It takes a minute or two, and nothing is sent to anyone.
        </p>
        {servers.map((server) => (
          <ModelServerOffer key={server.url} server={server} />
        ))}
        <Form
          onSubmit={() => {
            const missing = Object.entries(identity).filter(([, text]) => text.trim() === "")
            const found = {
              ...Object.fromEntries(missing.map(([field]) => [field, "is missing"])),
              ...sourceIssues(source)
            }
            setIssues(found)
            if (Object.keys(found).length === 0) making.start()
          }}
        >
          <IdentityFields
            identity={identity}
            onChange={setIdentity}
            issueOf={(field) => issues[field] ?? issueAt(making.problem, field)}
          />
          <SourceFields source={source} onChange={setSource} issues={issues} />
          <FormTrouble problem={making.problem} fields={["name", "email"]} />
          <ActionButton kind="primary" action={making} busyLabel="Setting up…">
            Write three emails
          </ActionButton>
        </Form>
      </div>
    </main>
  )
}
