// console/pages/workspace/Imports.tsx: fills in the profile from a website or a document.
import { useEffect, useRef, useState } from "preact/hooks"
import { type RequestState, pollJobUntilDone, useRequest, useAction } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { useUnsaved } from "#console/UnsavedChanges.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { ConfirmDialog } from "#console/parts/ConfirmDialog.tsx"
import { fieldLabel } from "#console/parts/Labels.ts"
import { FileField, Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { Menu } from "#console/parts/Menu.tsx"
import { Section } from "#console/parts/Page.tsx"
import { formatDay, withFinalPeriod, webAddress } from "#console/parts/Format.ts"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import { ConflictingFields, MissingFields } from "#console/pages/workspace/MissingFields.tsx"
import type { Details } from "#schema/Details.ts"
import type { FieldConflict, Imported, ImportSource, MissingField } from "#schema/Imports.ts"
import type { Job } from "#schema/Jobs.ts"

/** Describes the result of an import. */
const importResultText = (what: "document" | "site", { error, result }: Pick<Job, "error" | "result">): string => {
  const reason = result?.status === "failed" ? (result.error ?? "no reason is known") : error
  if (reason !== null) return `The ${what} could not be read: ${withFinalPeriod(reason)}`
  const isFilled = result?.parsed === true || (result?.fields_updated ?? []).length > 0
  const hasEmpty = (result?.missing ?? []).length > 0
  return [
    isFilled
      ? `The ${what} was read, and empty fields were filled from it.`
      : hasEmpty
        ? `The ${what} was read. No field that is still empty is stated in it for certain, so nothing was changed.`
        : `The ${what} was read. Nothing to fill: all fields have a value.`,
    ...(result?.notice === undefined ? [] : [result.notice])
  ].join(" ")
}

/** The filled fields, each with the lines it was read from. */
const FilledFields = ({ sources }: { readonly sources: ReadonlyArray<ImportSource> }) => {
  if (sources.length === 0) return null
  const fields = [...Map.groupBy(sources, ({ field }) => field)]
  return (
    <section class="import-result" aria-labelledby="filled">
      <h3 id="filled">Filled, and where it was read</h3>
      <dl class="chosen">
        {fields.map(([field, lines]) => (
          <div key={field}>
            <dt>{fieldLabel(field)}</dt>
            <dd>
              <ul class="plain-list">
                {lines.map(({ heading, text }) => (
                  <li key={text}>
                    “{text}”{heading !== null && heading !== text && <span class="quiet"> under “{heading}”</span>}
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** One imported text, from which questions are answered. */
const StoredImport = ({ reload, stored }: { readonly reload: () => void; readonly stored: Imported }) => {
  const { callApi } = useSession()
  const remove = useAction(async () => {
    await callApi((api) => api.workspace.deleteImport({ params: { id: stored.id } }))
    reload()
  })
  return (
    <li>
      <span>
        <a href={routeTo("sources", "imports", stored.id)}>{stored.name}</a>{" "}
        <span class="quiet">{formatDay(stored.created_at)}</span>
      </span>
      <Menu
        label={`More actions for ${stored.name}`}
        items={[
          {
            label: "Delete the text",
            isDanger: true,
            dialog: (close) => (
              <ConfirmDialog
                label={`Delete the text of ${stored.name}`}
                confirmLabel="Delete"
                question="Delete this text? Questions are not answered from it any more. What it filled in the profile stays."
                busyLabel="Deleting…"
                action={remove}
                onClose={close}
              />
            )
          }
        ]}
      />
    </li>
  )
}

/** The result of the last import, scrolled into view. */
const ImportOutcome = ({ outcome }: { readonly outcome: { readonly text: string } | undefined }) => {
  const status = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const shown = status.current
    const { activeElement } = document
    // Does not move the focus if the user is typing in another section.
    const isHere = activeElement === document.body || shown?.closest("section")?.contains(activeElement)
    if (outcome === undefined || isHere !== true) return
    shown?.focus({ preventScroll: true })
    shown?.scrollIntoView({ block: "start" })
  }, [outcome])
  return (
    <p ref={status} role="status" tabIndex={-1} class={outcome === undefined ? "unseen" : "note outcome"}>
      {outcome?.text}
    </p>
  )
}

const StoredImports = ({
  imports
}: {
  readonly imports: RequestState<{ readonly imports: ReadonlyArray<Imported> }>
}) => {
  if (imports.state !== "loaded" || imports.value.imports.length === 0) return null
  return (
    <>
      <h3 id="imported">Imported so far</h3>
      <ul class="rows" aria-labelledby="imported">
        {imports.value.imports.map((each) => (
          <StoredImport key={each.id} stored={each} reload={imports.reload} />
        ))}
      </ul>
    </>
  )
}

interface Props {
  readonly details: Details
  readonly reload: () => void
}

/** The result of the last import of this page. */
const useImportResult = () => {
  const [outcome, setOutcome] = useState<{ readonly text: string }>()
  const [missingFields, setMissingFields] = useState<ReadonlyArray<MissingField>>([])
  const [sources, setSources] = useState<ReadonlyArray<ImportSource>>([])
  const [conflicts, setConflicts] = useState<ReadonlyArray<FieldConflict>>([])
  return {
    outcome,
    missingFields,
    sources,
    conflicts,
    setOutcome,
    setMissingFields,
    show: (what: "document" | "site", job: Job) => {
      setMissingFields(job.result?.missing ?? [])
      setSources(job.result?.sources ?? [])
      setConflicts(job.result?.conflicts ?? [])
      setOutcome({ text: importResultText(what, job) })
    }
  }
}

export const Imports = ({ details, reload }: Props) => {
  const { callApi } = useSession()
  const imports = useRequest((api) => api.workspace.listImports(), [])
  const siteDraft = useTextDraft("import.site", "")
  const url = siteDraft.value
  const [file, setFile] = useState<File>()
  const [missing, setMissing] = useState(false)
  useUnsaved("import.document", file === undefined ? 0 : 1)
  const { conflicts, missingFields, outcome, setMissingFields, setOutcome, show, sources } = useImportResult()
  /** Waits for an import to end and shows its result. Returns whether the source was read. */
  const follow = async (what: "document" | "site", id: string) => {
    const job = await callApi(pollJobUntilDone(id))
    show(what, job)
    reload()
    imports.reload()
    return job.error === null && job.result?.status !== "failed"
  }
  const site = useAction(async () => {
    setOutcome(undefined)
    const { id } = await callApi((api) => api.workspace.importUrl({ payload: { url: webAddress(url) } }))
    if (await follow("site", id)) siteDraft.discard()
  })
  const upload = useAction(async () => {
    setOutcome(undefined)
    setMissing(file === undefined)
    if (file === undefined) return
    const payload = new FormData()
    payload.append("file", file)
    const { id } = await callApi((api) => api.workspace.importDocument({ payload }))
    if (await follow("document", id)) setFile(undefined)
  })
  return (
    <Section
      title="Import from your site or a document"
      lead="Only empty fields are filled. You see which line filled which field."
    >
      <div class="panel two">
        <Form onSubmit={site.start}>
          <TextInput
            label="Address of your site"
            type="url"
            placeholder="https://"
            value={url}
            onInput={(url) => siteDraft.set(() => url)}
            issue={issueAt(site.problem, "url")}
          />
          <FormTrouble problem={site.problem} fields={["url"]} />
          <ActionButton action={site} busyLabel="Reading the site…">
            Read the site
          </ActionButton>
        </Form>
        <Form onSubmit={upload.start}>
          <FileField
            label="Document"
            hint="Such as a brochure: .txt, .md, .csv, .pdf or .docx, at most 10 MB."
            accept=".txt,.md,.csv,.pdf,.docx"
            file={file}
            onChoose={setFile}
            issue={missing ? "is not chosen yet" : issueAt(upload.problem, "file")}
          />
          <FormTrouble problem={upload.problem} fields={["file"]} />
          <ActionButton action={upload} busyLabel="Reading the document…">
            Read the document
          </ActionButton>
        </Form>
      </div>
      <ImportOutcome outcome={outcome} />
      <FilledFields sources={sources} />
      <StoredImports imports={imports} />
      <ConflictingFields key={outcome?.text} conflicts={conflicts} details={details} onSaved={reload} />
      <MissingFields
        fields={missingFields}
        onSaved={(field) => {
          setMissingFields((all) => all.filter((each) => each.field !== field))
          reload()
        }}
      />
    </Section>
  )
}
