// console/pages/Source.tsx: a document, opened at the passage that an answer cites.
import { useEffect, useRef } from "preact/hooks"
import { Effect } from "effect"
import { Problem, unreachable } from "#console/Api.ts"
import { useAsk } from "#console/Asking.ts"
import { local } from "#console/parts/Documents.tsx"
import { Markdown } from "#console/parts/Markdown.tsx"
import { Answered } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { previous, to } from "#console/Route.ts"

/** Back to the conversation that cites the document, or else to what it is part of. */
const withinOf = (isShared: boolean, campaign: string) => {
  if (/^#\/conversations\/(?!new)/.test(previous())) return ["Conversation", previous()] as const
  return isShared ? (["Workspace", to("workspace")] as const) : (["Campaign", to("campaigns", campaign)] as const)
}

interface Props {
  readonly campaign: string
  readonly id: string
  readonly heading: string | undefined
}

const headings = "h3, h4, h5"

/** Marks the section of this heading, and shows it. */
const mark = (article: HTMLElement, heading: string) => {
  const found = [...article.querySelectorAll(headings)].find(({ textContent }) => textContent === heading)
  for (let each: Element | null = found ?? null; each !== null; each = each.nextElementSibling) {
    if (each !== found && each.matches(headings)) break
    each.classList.add("cited-passage")
  }
  found?.scrollIntoView({ block: "center" })
}

const Text = ({ heading, text }: { readonly heading: string | undefined; readonly text: string }) => {
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    if (article.current !== null && heading !== undefined) mark(article.current, heading)
  }, [heading, text])
  return (
    <article ref={article} class="panel">
      {/* The text's own headings begin a level below. */}
      <h2 class="unseen">Text</h2>
      <Markdown text={text} />
    </article>
  )
}

/** The text of an import: what it says of the business. */
export const ImportSource = ({ heading, id }: Omit<Props, "campaign">) => {
  const asked = useAsk((api) => api.workspace.getImport({ params: { id } }), [id])
  const title = asked.state === "there" ? asked.value.name : "Import"
  return (
    <Page key={title} title={title} within={withinOf(true, "")}>
      <Answered asked={asked} waiting="Opening the text…">
        {({ content }) => <Text heading={heading} text={content} />}
      </Answered>
    </Page>
  )
}

export const Source = ({ campaign, heading, id }: Props) => {
  const asked = useAsk(
    (api) =>
      Effect.gen(function* () {
        const { documents: shared } = yield* api.workspace.listWorkspaceDocuments()
        const { documents: own } = yield* api.campaigns.listCampaignDocuments({ params: { id: campaign } })
        const found = [...shared, ...own].find(({ download_url }) => download_url?.includes(`/files/${id}?`))
        if (found?.download_url == null) return { title: "Document", text: undefined, isShared: false }
        const url = local(found.download_url)
        const text = yield* Effect.tryPromise({
          try: async () => {
            const response = await fetch(url)
            if (!response.ok) throw new Problem("FORBIDDEN", "The link has expired. Reload the page.")
            return await response.text()
          },
          catch: (error) => (error instanceof Problem ? error : unreachable())
        })
        return { title: found.title, text, isShared: shared.some((each) => each === found) }
      }),
    [campaign, id]
  )
  const title = asked.state === "there" ? asked.value.title : "Document"
  const isShared = asked.state === "there" && asked.value.isShared
  return (
    <Page key={title} title={title} within={withinOf(isShared, campaign)}>
      <Answered asked={asked} waiting="Opening the document…">
        {({ text }) =>
          text === undefined ? (
            <p>This document no longer exists. Ask again to get the current passage.</p>
          ) : (
            <Text heading={heading} text={text} />
          )
        }
      </Answered>
    </Page>
  )
}
