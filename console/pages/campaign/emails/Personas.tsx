// console/pages/campaign/emails/Personas.tsx: the personas of a playbook as tabs.
import { useRef } from "preact/hooks"
import type { Persona, Playbook } from "#schema/Playbook.ts"
import { type PlaybookEditor, groupNames } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { formatCount } from "#console/parts/Format.ts"

const groupsOf = ({ id, templates }: Persona) => [
  groupNames.persona(id),
  groupNames.message(id),
  ...templates.map((template) => groupNames.template(template.id))
]

interface Props {
  readonly editor: PlaybookEditor
  readonly playbook: Playbook
  readonly openPersonaId: string
  readonly onOpen: (persona: string) => void
}

export const panelId = "persona-panel"

export const Personas = ({ editor, onOpen, openPersonaId, playbook: { missing, personas } }: Props) => {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const index = personas.findIndex(({ id }) => id === openPersonaId)
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: personas.length - 1 }[event.key]
    const next = to === undefined ? undefined : personas[(to + personas.length) % personas.length]
    if (next === undefined) return
    event.preventDefault()
    onOpen(next.id)
    list.current?.querySelector<HTMLElement>(`[data-persona="${next.id}"]`)?.focus()
  }
  return (
    <div ref={list} class="tabs personas" role="tablist" aria-label="Personas" onKeyDown={onKeyDown}>
      {personas.map((persona) => {
        const { id, kind, name, titles } = persona
        const missingCount = missing.filter(({ persona_id }) => persona_id === id).length
        const isDirty = groupsOf(persona).some((name) => editor.drafts.all[name] !== undefined)
        return (
          <button
            key={id}
            type="button"
            role="tab"
            data-persona={id}
            id={`tab-${id}`}
            aria-selected={id === openPersonaId}
            aria-controls={panelId}
            tabIndex={id === openPersonaId ? 0 : -1}
            onClick={() => onOpen(id)}
          >
            <span class="strong">{name}</span>
            <span class="quiet">
              {[
                kind === "role" ? formatCount(titles.length, "job title") : "No claim about a role",
                ...(missingCount > 0 ? [`${missingCount} missing`] : []),
                ...(isDirty ? ["not saved"] : [])
              ].join(" · ")}
            </span>
          </button>
        )
      })}
    </div>
  )
}
