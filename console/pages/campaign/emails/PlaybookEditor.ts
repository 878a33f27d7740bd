// console/pages/campaign/emails/PlaybookEditor.ts: the state of the playbook editor: the saved playbook, its drafts and saving them.
import { useEffect, useMemo, useState } from "preact/hooks"
import { Struct } from "effect"
import { type MessagePart, messageParts, type Persona, type Playbook, type Template } from "#schema/Playbook.ts"
import { Problem, toProblem } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { useUnsaved } from "#console/UnsavedChanges.ts"
import { type DraftGroups, draftsKey, useDrafts } from "#console/pages/campaign/emails/Drafts.ts"
import { useSession } from "#console/Session.tsx"

export const groupNames = {
  template: (id: string) => `template ${id}`,
  message: (persona: string) => `message ${persona}`,
  persona: (persona: string) => `persona ${persona}`,
  settings: "settings"
}

export const splitLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const fieldGroups = ({ never_say, personas }: Playbook): DraftGroups =>
  Object.fromEntries([
    [groupNames.settings, { never_say: never_say.join("\n") }],
    ...personas.flatMap(({ id, message, name, templates, titles }) => [
      [groupNames.persona(id), { name, titles: titles.join("\n") }],
      [groupNames.message(id), Object.fromEntries(messageParts.map((part) => [part, message[part] ?? ""]))],
      ...templates.map(({ body, id, subject }) => [groupNames.template(id), { subject, body }])
    ])
  ])

const withPersona = (playbook: Playbook, persona: Persona): Playbook => ({
  ...playbook,
  personas: playbook.personas.map((each) => (each.id === persona.id ? persona : each))
})

const withTemplate = (playbook: Playbook, template: Template): Playbook => ({
  ...playbook,
  personas: playbook.personas.map((persona) => ({
    ...persona,
    templates: persona.templates.map((each) => (each.id === template.id ? template : each))
  }))
})

/** Sends one group and returns a function that applies the result to the playbook. */
const useSendPlaybook = (campaign: string) => {
  const { callApi } = useSession()
  return async (
    name: string,
    fields: Readonly<Record<string, string>>,
    changed: ReadonlyArray<string>
  ): Promise<(playbook: Playbook) => Playbook> => {
    const [kind, id = ""] = name.split(" ")
    if (kind === "template") {
      const params = { id: campaign, template_id: id }
      const payload = { subject: (fields["subject"] ?? "").trim(), body: (fields["body"] ?? "").trim() }
      const template = await callApi((api) => api.playbook.updateTemplate({ params, payload }))
      return (playbook) => withTemplate(playbook, template)
    }
    if (kind === "settings") {
      const payload = { never_say: splitLines(fields["never_say"] ?? "") }
      const next = await callApi((api) => api.playbook.updatePlaybook({ params: { id: campaign }, payload }))
      return () => next
    }
    const params = { id: campaign, persona_id: id }
    const sent = (part: MessagePart) => (fields[part]?.trim() === "" ? null : (fields[part]?.trim() ?? null))
    const payload =
      kind === "message"
        ? {
            message: Object.fromEntries(
              messageParts.filter((part) => changed.includes(part)).map((part) => [part, sent(part)])
            )
          }
        : {
            ...(changed.includes("name") ? { name: (fields["name"] ?? "").trim() } : {}),
            ...(changed.includes("titles") ? { titles: splitLines(fields["titles"] ?? "") } : {})
          }
    const persona = await callApi((api) => api.playbook.updatePersona({ params, payload }))
    return (playbook) => withPersona(playbook, persona)
  }
}

/** Ids of templates in `after` that are new or have a different text. */
const rewrittenTemplates = (before: Playbook, after: Playbook): ReadonlySet<string> => {
  const known = new Map(before.personas.flatMap(({ templates }) => templates.map((each) => [each.id, each] as const)))
  return new Set(
    after.personas.flatMap(({ templates }) =>
      templates
        .filter(({ body, id, subject }) => known.get(id)?.body !== body || known.get(id)?.subject !== subject)
        .map(({ id }) => id)
    )
  )
}

const conflictProblem = () =>
  new Problem("CONFLICT", "This was changed since you started to edit it. Compare the two texts before you save.")

/** The playbook of a campaign as last loaded or saved. */
const useSavedPlaybook = (campaign: string) => {
  const request = useRequest((api) => api.playbook.getPlaybook({ params: { id: campaign } }), [campaign])
  const [playbook, setPlaybook] = useState<Playbook>()
  const answered = request.state === "loaded" ? request.value : undefined
  useEffect(() => {
    if (answered !== undefined)
      setPlaybook((playbook) => (playbook && playbook.version > answered.version ? playbook : answered))
  }, [answered])
  return { request, playbook, setPlaybook }
}

export const usePlaybookEditor = (campaign: string) => {
  const { callApi } = useSession()
  const { playbook, request, setPlaybook } = useSavedPlaybook(campaign)
  const drafts = useDrafts(campaign)
  const send = useSendPlaybook(campaign)
  const [savingGroup, setSavingGroup] = useState<string>()
  const [lastSaved, setLastSaved] = useState<string>()
  const [problems, setProblems] = useState<Readonly<Record<string, Problem>>>({})
  const [updated, setUpdated] = useState<ReadonlySet<string>>(new Set())
  const savedFields = useMemo(() => (playbook === undefined ? {} : fieldGroups(playbook)), [playbook])
  const dirty = Object.keys(drafts.all)
  useUnsaved(draftsKey(campaign), dirty.length, true)

  const updatePlaybook = (next: (playbook: Playbook) => Playbook) =>
    setPlaybook((playbook) => playbook && next(playbook))
  const clearProblem = (name: string) => setProblems((problems) => Struct.omit(problems, [name]))
  const loadPlaybook = () => callApi((api) => api.playbook.getPlaybook({ params: { id: campaign } }))

  /** Saves one group. Fails with a conflict if an edited field was changed on the server meanwhile, and with NOT_FOUND if the group was deleted. */
  const saveGroup = async (name: string) => {
    const fields = drafts.all[name]
    if (fields === undefined || playbook === undefined) return
    const serverPlaybook = await loadPlaybook()
    const serverFields = fieldGroups(serverPlaybook)[name]
    setPlaybook(serverPlaybook)
    if (serverFields === undefined)
      throw new Problem("NOT_FOUND", "It was deleted meanwhile. Copy your text before you discard it.")
    if (Object.entries(fields).some(([field, { base }]) => base !== serverFields[field])) throw conflictProblem()
    const texts = {
      ...serverFields,
      ...Object.fromEntries(Object.entries(fields).map(([field, { text }]) => [field, text]))
    }
    const next = (await send(name, texts, Object.keys(fields)))(serverPlaybook)
    // The server redrafts templates when their message, their persona or the forbidden phrases change.
    setUpdated(name.startsWith("template") ? new Set() : rewrittenTemplates(serverPlaybook, next))
    setPlaybook(next)
    setLastSaved(name)
    drafts.markSaved(name, texts, fieldGroups(next)[name] ?? {})
    request.reload()
  }
  const save = async (...names: ReadonlyArray<string>) => {
    if (savingGroup !== undefined) return
    for (const name of names) {
      setSavingGroup(name)
      clearProblem(name)
      await saveGroup(name).catch((error: unknown) => {
        const problem = toProblem(error)
        setProblems((problems) => ({ ...problems, [name]: problem }))
      })
    }
    setSavingGroup(undefined)
  }
  const discard = (name: string) => {
    drafts.discard(name)
    clearProblem(name)
  }
  return {
    reload: request.reload,
    request,
    playbook,
    savingGroup,
    updatePlaybook,
    discard,
    drafts,
    clearProblem,
    lastSaved,
    problems,
    save,
    savedFields,
    setUpdated,
    updated
  }
}
export type PlaybookEditor = ReturnType<typeof usePlaybookEditor>

/** The state and actions of one group of fields. */
export const groupFields = (editor: PlaybookEditor, name: string) => {
  const saved = editor.savedFields[name] ?? {}
  const drafts = editor.drafts.all[name] ?? {}
  const problem = editor.problems[name]
  return {
    valueOf: (field: string) => drafts[field]?.text ?? saved[field] ?? "",
    savedValueOf: (field: string) => saved[field] ?? "",
    set: (field: string, text: string) => editor.drafts.set(name, field, saved[field] ?? "", text),
    issueOf: (...paths: ReadonlyArray<string>) =>
      problem?.issues.find(({ path }) => paths.some((each) => path === each || path.startsWith(`${each}.`)))?.message,
    isDirty: Object.keys(drafts).length > 0,
    /** Whether the saved text has changed since the edit began. */
    hasConflict: Object.entries(drafts).some(([field, { base }]) => base !== saved[field]),
    rebase: () => {
      editor.drafts.rebase(name, saved)
      editor.clearProblem(name)
    },
    discard: () => editor.discard(name),
    save: () => void editor.save(name),
    isBusy: editor.savingGroup === name,
    /** Whether this group was the last one saved and has no changes since. */
    isSaved: editor.lastSaved === name && Object.keys(drafts).length === 0,
    problem
  }
}
export type GroupFields = ReturnType<typeof groupFields>
