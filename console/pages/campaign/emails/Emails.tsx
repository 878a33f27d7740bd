// console/pages/campaign/emails/Emails.tsx: the page to review, edit and approve a campaign's playbook.
import { useState } from "preact/hooks"
import { maxPersonas, type Persona, type Playbook } from "#schema/Playbook.ts"
import { useAction } from "#console/Requests.ts"
import { type PlaybookEditor, usePlaybookEditor } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { customColumnsIn } from "#console/parts/Liquid.ts"
import { PersonaMessage } from "#console/pages/campaign/emails/PersonaMessage.tsx"
import { panelId, Personas } from "#console/pages/campaign/emails/Personas.tsx"
import { AddPersona, PersonaSettings } from "#console/pages/campaign/emails/PersonaSettings.tsx"
import { Settings } from "#console/pages/campaign/emails/Settings.tsx"
import { StepCard, stepName } from "#console/pages/campaign/emails/StepCard.tsx"
import { TryPanel } from "#console/pages/campaign/emails/PreviewPanel.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Checkbox } from "#console/parts/Fields.tsx"
import { RequireScope, LockWithoutScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, StatusText, StateNotice, ProblemNotice } from "#console/parts/Notices.tsx"
import { formatCount } from "#console/parts/Format.ts"
import { CampaignWriter } from "#console/parts/Writer.tsx"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

interface PartProps {
  readonly campaign: string
  readonly editor: PlaybookEditor
  readonly playbook: Playbook
}

const failingTemplates = ({ personas }: Playbook) =>
  personas.flatMap(({ templates }) =>
    templates.filter(({ findings }) => findings.some(({ severity }) => severity === "fail"))
  ).length

const ApprovePlaybook = ({ editor, campaign, playbook }: PartProps) => {
  const { callApi } = useSession()
  const isApproved = playbook.status === "approved"
  const unsaved = Object.keys(editor.drafts.all).length
  const fails = failingTemplates(playbook)
  const approve = useAction(async () => {
    const payload = { status: isApproved ? ("draft" as const) : ("approved" as const) }
    const next = await callApi((api) => api.playbook.updatePlaybook({ params: { id: campaign }, payload }))
    editor.updatePlaybook(() => next)
  })
  return (
    <div class="approve panel">
      <p role="status">
        <StateNotice state={isApproved ? ["Approved", "good"] : ["Draft", "calm"]} />{" "}
        {isApproved
          ? "New lists are written from these templates."
          : "Read the templates, correct them and approve them. You can write to leads either way."}
        {fails > 0 && <span class="failed"> {formatCount(fails, "template")} with a finding marked Must change.</span>}
      </p>
      <div class="actions">
        <ActionButton
          kind={isApproved ? "plain" : "primary"}
          action={approve}
          busyLabel="Saving…"
          disabled={unsaved > 0}
          onClick={approve.start}
        >
          {isApproved ? "Withdraw the approval" : "Approve the templates"}
        </ActionButton>
        <a class={`button${isApproved ? " primary" : ""}`} href={routeTo("campaigns", campaign, "write")}>
          Write to leads
        </a>
        {unsaved > 0 && <span class="quiet">Save or discard your changes first.</span>}
      </div>
      {approve.problem && <ProblemNotice problem={approve.problem} />}
    </div>
  )
}

/** Unsaved changes to parts that were removed from the playbook, so that their text can be copied. */
const OrphanedDrafts = ({ editor }: Pick<PartProps, "editor">) => {
  const orphans = Object.entries(editor.drafts.all).filter(([name]) => editor.savedFields[name] === undefined)
  return orphans.length === 0 ? null : (
    <div class="note">
      <p class="strong">Unsaved text of templates or personas that no longer exist</p>
      {orphans.map(([name, fields]) => (
        <div key={name}>
          {Object.entries(fields).map(([field, { text }]) => (
            <p key={field} class="saved-text">
              {text}
            </p>
          ))}
          <button type="button" class="button" onClick={() => editor.discard(name)}>
            Discard
          </button>
        </div>
      ))}
    </div>
  )
}

/** The label of a group of fields, and the persona that shows it. */
const groupLabel = ({ personas }: Playbook, name: string): { readonly label: string; readonly persona?: string } => {
  const [kind, id] = name.split(" ")
  for (const persona of personas) {
    if (persona.id === id)
      return { label: `${persona.name}, ${kind === "message" ? "message" : "persona"}`, persona: id }
    const template = persona.templates.find((each) => each.id === id)
    if (template !== undefined) {
      return { label: `${persona.name}, ${stepName(template.step).toLowerCase()}`, persona: persona.id }
    }
  }
  return { label: "Settings" }
}

interface SaveAllProps extends Pick<PartProps, "editor" | "playbook"> {
  readonly onOpen: (persona: string) => void
}

const SaveAll = ({ editor, onOpen, playbook }: SaveAllProps) => {
  const names = Object.keys(editor.drafts.all)
  const failedGroups = names.filter((name) => editor.problems[name] !== undefined)
  return names.length === 0 ? null : (
    <div class="save due">
      {failedGroups.length > 0 && (
        <div role="alert">
          <p class="strong">{formatCount(failedGroups.length, "change")} could not be saved</p>
          <ul>
            {failedGroups.map((name) => {
              const { label, persona } = groupLabel(playbook, name)
              return (
                <li key={name}>
                  {persona === undefined ? (
                    label
                  ) : (
                    <button type="button" class="link" onClick={() => onOpen(persona)}>
                      {label}
                    </button>
                  )}
                  : {editor.problems[name]?.message}
                </li>
              )
            })}
          </ul>
        </div>
      )}
      <ActionButton
        kind="primary"
        action={{ isBusy: editor.savingGroup !== undefined }}
        busyLabel="Saving…"
        onClick={() => void editor.save(...names)}
      >
        Save all changes
      </ActionButton>
      <span role="status">{formatCount(names.length, "change")} not saved</span>
    </div>
  )
}

interface PersonaProps extends PartProps {
  readonly persona: Persona
  readonly onOpen: (persona: string) => void
}

const PersonaPanel = ({ editor, campaign, onOpen, persona, playbook }: PersonaProps) => {
  const [step, setStep] = useState<number>()
  const [showLiquid, setShowLiquid] = useState(false)
  const { templates } = persona
  const columns = customColumnsIn(templates.flatMap(({ body, subject }) => [subject, body]))
  const [openVariants, setOpenVariants] = useState<Readonly<Record<string, string | undefined>>>({})
  const steps = [...new Set(templates.map((template) => template.step))].toSorted((a, b) => a - b)
  const shown = steps.flatMap((step) => {
    const variants = templates.filter((template) => template.step === step)
    const chosen = openVariants[`${persona.id} ${step}`]
    return variants.find(({ id }) => id === chosen) ?? variants[0] ?? []
  })
  return (
    <div id={panelId} role="tabpanel" aria-labelledby={`tab-${persona.id}`}>
      <LockWithoutScope scope="campaigns:write">
        <PersonaSettings key={persona.id} editor={editor} campaign={campaign} persona={persona} />
        <PersonaMessage editor={editor} persona={persona} />
      </LockWithoutScope>
      <section class="section">
        <div class="section-head">
          <h2>Templates</h2>
          <Checkbox label="Show variables as Liquid" checked={showLiquid} onChange={setShowLiquid} />
        </div>
        <div class="emails-and-preview">
          <LockWithoutScope scope="campaigns:write">
            <div class="step-cards">
              {shown.map((template) => (
                <StepCard
                  key={`${persona.id} ${template.step}`}
                  editor={editor}
                  campaign={campaign}
                  columns={columns}
                  persona={persona}
                  showLiquid={showLiquid}
                  step={template.step}
                  template={template}
                  onOpen={(id) =>
                    setOpenVariants((current) => ({ ...current, [`${persona.id} ${template.step}`]: id }))
                  }
                  onFocus={setStep}
                />
              ))}
            </div>
          </LockWithoutScope>
          <TryPanel
            editor={editor}
            campaign={campaign}
            columns={columns}
            persona={persona}
            playbook={playbook}
            step={step}
            openTemplates={shown}
            onOpen={onOpen}
          />
        </div>
      </section>
    </div>
  )
}

const PlaybookEditing = ({ editor, campaign, playbook }: PartProps) => {
  const [chosen, setOpenPersonaId] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const persona = playbook.personas.find(({ id }) => id === chosen) ?? playbook.personas[0]
  return (
    <>
      <CampaignWriter campaign={campaign} personalization={playbook.personalization} />
      <RequireScope scope="campaigns:write">
        <OrphanedDrafts editor={editor} />
        <ApprovePlaybook editor={editor} campaign={campaign} playbook={playbook} />
      </RequireScope>
      {persona && <Personas editor={editor} playbook={playbook} openPersonaId={persona.id} onOpen={setOpenPersonaId} />}
      {isAdding ? (
        <AddPersona
          editor={editor}
          campaign={campaign}
          onAdded={(id) => {
            setAdding(false)
            setOpenPersonaId(id)
          }}
          onClose={() => setAdding(false)}
        />
      ) : (
        playbook.personas.length < maxPersonas && (
          <RequireScope scope="campaigns:write">
            <button type="button" class="link" onClick={() => setAdding(true)}>
              Add a persona
            </button>
          </RequireScope>
        )
      )}
      {persona && (
        <PersonaPanel
          editor={editor}
          campaign={campaign}
          persona={persona}
          playbook={playbook}
          onOpen={setOpenPersonaId}
        />
      )}
      <LockWithoutScope scope="campaigns:write">
        <Settings editor={editor} campaign={campaign} playbook={playbook} />
      </LockWithoutScope>
      <SaveAll editor={editor} playbook={playbook} onOpen={setOpenPersonaId} />
      <StatusText>{editor.savingGroup === undefined ? "" : "Saving"}</StatusText>
    </>
  )
}

export const Emails = ({ campaign }: { readonly campaign: string }) => {
  const editor = usePlaybookEditor(campaign)
  if (editor.playbook !== undefined)
    return <PlaybookEditing editor={editor} campaign={campaign} playbook={editor.playbook} />
  return (
    <WhenLoaded request={editor.request} waiting="Opening the templates…">
      {() => null}
    </WhenLoaded>
  )
}
