// console/pages/Keys.tsx: the API keys of the workspace: created, replaced, revoked, and links that sign in as one of them.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import type { Key } from "#schema/Keys.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { CreateKey } from "#console/pages/keys/CreateKey.tsx"
import { Secret, type ShownSecret } from "#console/pages/keys/Secret.tsx"
import { WorkspaceTabs } from "#console/pages/workspace/Tabs.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { ConfirmButton, ConfirmDialog } from "#console/parts/ConfirmDialog.tsx"
import { RequireScope, useHasScope } from "#console/parts/RequireScope.tsx"
import { Menu } from "#console/parts/Menu.tsx"
import { WhenLoaded, StateNotice, ProblemNotice } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { formatDay, formatMoment, type Tone } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

const pageSize = 50

const keyState = ({ expires_at, revoked_at }: Key): readonly [string, Tone] | undefined => {
  if (revoked_at !== null) return ["Revoked", "calm"]
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return ["Expired", "calm"]
  return undefined
}

const keyName = ({ name, prefix }: Key) => name ?? prefix

interface OneProps {
  readonly apiKey: Key
  readonly reload: () => void
  readonly onShowSecret: (shown: ShownSecret) => void
}

const ReplaceKey = ({ reload, apiKey, onClose, onShowSecret }: OneProps & { readonly onClose: () => void }) => {
  const { callApi } = useSession()
  const name = keyName(apiKey)
  const rotate = useAction(async () => {
    const newKey = await callApi((api) =>
      api.keys.rotateKey({ params: { id: apiKey.id }, payload: { grace_hours: 24 } })
    )
    onClose()
    onShowSecret({ kind: "key", name, text: newKey.key })
    reload()
  })
  return (
    <ConfirmDialog
      label={`Replace ${name}`}
      confirmLabel="Replace"
      question="A new key with the same scopes is shown once. The old one stays valid for 24 hours."
      busyLabel="Replacing…"
      action={rotate}
      onClose={onClose}
    />
  )
}

const RevokeKey = ({ reload, apiKey, onClose }: Omit<OneProps, "onShowSecret"> & { readonly onClose: () => void }) => {
  const { callApi } = useSession()
  const revoke = useAction(async () => {
    await callApi((api) => api.keys.revokeKey({ params: { id: apiKey.id } }))
    onClose()
    reload()
  })
  return (
    <ConfirmDialog
      label={`Revoke ${keyName(apiKey)}`}
      confirmLabel="Revoke"
      question={
        apiKey.is_current
          ? "You are signed in with this key: revoking it signs you out, and everyone else who uses it."
          : "Programs that use this key stop working within seconds, and everyone who signed in with it is signed out."
      }
      busyLabel="Revoking…"
      action={revoke}
      onClose={onClose}
    />
  )
}

const KeyRow = ({ reload, apiKey, onShowSecret }: OneProps) => {
  const { callApi } = useSession()
  const state = keyState(apiKey)
  const name = keyName(apiKey)
  const link = useAction(async () => {
    const { url } = await callApi((api) => api.keys.createSignInLink({ params: { id: apiKey.id } }))
    onShowSecret({ kind: "link", name, text: url })
  })
  const replace = {
    label: "Replace the key",
    dialog: (close: () => void) => (
      <ReplaceKey apiKey={apiKey} reload={reload} onShowSecret={onShowSecret} onClose={close} />
    )
  }
  const revoke = {
    label: "Revoke the key",
    isDanger: true,
    dialog: (close: () => void) => <RevokeKey apiKey={apiKey} reload={reload} onClose={close} />
  }
  return (
    <li class="row">
      <span class="entry">
        <span class="strong">{name}</span> <code>{apiKey.prefix}…</code>
        {apiKey.kind === "sign_in" && <span class="quiet"> for signing in</span>}
        {apiKey.is_current && <span class="quiet"> (you)</span>}
        <span class="entry-reason">
          {apiKey.scopes.length === 0 ? "No scope" : apiKey.scopes.join(", ")}
          {state === undefined && apiKey.expires_at !== null && `; ends ${formatDay(apiKey.expires_at)}`}
        </span>
        {link.problem && <ProblemNotice problem={link.problem} />}
      </span>
      <span class="row-end">
        {state !== undefined && <StateNotice state={state} />}
        <span class="quiet">
          {apiKey.last_used_at === null ? "Never used" : `Used ${formatMoment(apiKey.last_used_at)}`}
        </span>
        {state === undefined && (
          <>
            <ActionButton action={link} busyLabel="Making a link…" onClick={link.start}>
              Sign-in link<span class="unseen"> for {name}</span>
            </ActionButton>
            <Menu label={`More actions for ${name}`} items={apiKey.kind === "key" ? [replace, revoke] : [revoke]} />
          </>
        )}
      </span>
    </li>
  )
}

export const Keys = () => {
  const { signOut, sessionInfo } = useSession()
  const [shownSecret, setShownSecret] = useState<ShownSecret>()
  const [offset, setOffset] = useState(0)
  const mayManageKeys = useHasScope("keys:write")
  const request = useRequest(
    (api) =>
      Effect.gen(function* () {
        const none: ReadonlyArray<Key> = []
        return mayManageKeys
          ? yield* api.keys.listKeys({ query: { limit: pageSize, offset } })
          : { data: none, total: 0 }
      }),
    [offset]
  )
  const signOutEverywhere = useAction(() => signOut(true))
  return (
    <Page
      title="API keys"
      lead="Keys for programs that use the API, and for people who sign in by link. Each can be revoked by itself."
    >
      <WorkspaceTabs current="keys" />
      <RequireScope scope="keys:write">
        {shownSecret !== undefined && (
          <Secret key={shownSecret.text} secret={shownSecret} onClose={() => setShownSecret(undefined)} />
        )}
        <Section title="Create a key">
          <CreateKey
            onCreated={(created) => {
              setShownSecret(created)
              setOffset(0)
              request.reload()
            }}
          />
        </Section>
        <Section title="Keys">
          <WhenLoaded request={request} waiting="Looking for keys…">
            {({ data, total }) => (
              <>
                <ul class="rows" aria-label="Keys">
                  {data.map((key) => (
                    <KeyRow key={key.id} apiKey={key} reload={request.reload} onShowSecret={setShownSecret} />
                  ))}
                </ul>
                <Pager label="keys" offset={offset} limit={pageSize} total={total} onMove={setOffset} />
              </>
            )}
          </WhenLoaded>
        </Section>
      </RequireScope>
      <Section title="Sessions" lead="A session lasts 30 days, or 7 days without use.">
        <ConfirmButton
          label="Sign out everywhere"
          confirmLabel="Sign out everywhere"
          question={`Sign out every browser that is signed in as you are, this one included? Sign-in links that are still open end too.${
            sessionInfo.key.kind === "sign_in" ? " To sign in again you need another link, or an API key." : ""
          }`}
          busyLabel="Signing out…"
          action={signOutEverywhere}
        />
      </Section>
    </Page>
  )
}
