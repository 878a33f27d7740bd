// console/pages/Source.tsx: a document, scrolled to the passage that an answer cites.
import { useEffect, useRef } from "preact/hooks"
import { Effect } from "effect"
import { Problem, unreachable } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { localLink } from "#console/parts/Documents.tsx"
import { Markdown } from "#console/parts/Markdown.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { previousRoute, routeTo } from "#console/Route.ts"

/** A link back to the conversation that cites the document, or else to the workspace or campaign that owns it. */
const backLink = (isShared: boolean, campaign: string) => {
  if (/^#\/conversations\/(?!new)/.test(previousRoute())) return ["Conversation", previousRoute()] as const
  return isShared
    ? (["Workspace", routeTo("workspace")] as const)
    : (["Campaign", routeTo("campaigns", campaign)] as const)
}

interface Props {
  readonly campaign: string
  readonly id: string
  readonly heading: string | undefined
}

const headingSelector = "h3, h4, h5"

/** Highlights the section under a heading, and scrolls to it. */
const markHeading = (article: HTMLElement, heading: string) => {
  const found = [...article.querySelectorAll(headingSelector)].find(({ textContent }) => textContent === heading)
  for (let each: Element | null = found ?? null; each !== null; each = each.nextElementSibling) {
    if (each !== found && each.matches(headingSelector)) break
    each.classList.add("cited-passage")
  }
  found?.scrollIntoView({ block: "center" })
}

const DocumentText = ({ heading, text }: { readonly heading: string | undefined; readonly text: string }) => {
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    if (article.current !== null && heading !== undefined) markHeading(article.current, heading)
  }, [heading, text])
  return (
    <article ref={article} class="panel">
      {/* The document's own headings start one level below. */}
      <h2 class="unseen">Text</h2>
      <Markdown text={text} />
    </article>
  )
}

/** The page of an imported text. */
export const ImportSource = ({ heading, id }: Omit<Props, "campaign">) => {
  const request = useRequest((api) => api.workspace.getImport({ params: { id } }), [id])
  const title = request.state === "loaded" ? request.value.name : "Import"
  return (
    <Page key={title} title={title} within={backLink(true, "")}>
      <WhenLoaded request={request} waiting="Opening the text…">
        {({ content }) => <DocumentText heading={heading} text={content} />}
      </WhenLoaded>
    </Page>
  )
}

export const Source = ({ campaign, heading, id }: Props) => {
  const request = useRequest(
    (api) =>
      Effect.gen(function* () {
        const { documents: shared } = yield* api.workspace.listWorkspaceDocuments()
        const { documents: campaignDocuments } = yield* api.campaigns.listCampaignDocuments({
          params: { id: campaign }
        })
        const found = [...shared, ...campaignDocuments].find(({ download_url }) =>
          download_url?.includes(`/files/${id}?`)
        )
        if (found?.download_url == null) return { title: "Document", text: undefined, isShared: false }
        const url = localLink(found.download_url)
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
  const title = request.state === "loaded" ? request.value.title : "Document"
  const isShared = request.state === "loaded" && request.value.isShared
  return (
    <Page key={title} title={title} within={backLink(isShared, campaign)}>
      <WhenLoaded request={request} waiting="Opening the document…">
        {({ text }) =>
          text === undefined ? (
            <p>This document no longer exists. Ask again to get the current passage.</p>
          ) : (
            <DocumentText heading={heading} text={text} />
          )
        }
      </WhenLoaded>
    </Page>
  )
}
