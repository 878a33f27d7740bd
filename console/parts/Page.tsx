// console/parts/Page.tsx: the layout of a page and its sections.
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"

interface PageProps {
  /** `broad` for a page that needs the whole width of the window. */
  readonly class?: "broad"
  readonly title: string
  readonly lead?: ComponentChildren
  /** A link to the parent page. */
  readonly within?: readonly [text: string, href: string, shortcut?: string]
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}

/** A page takes the focus when it opens, so that a screen reader announces it. */
export const Page = ({ actions, children, class: width, lead, title, within }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Overture`
  }, [title])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <div class={width === undefined ? "page" : `page ${width}`}>
      <header class="page-head">
        <div>
          {within && (
            <p class="within">
              <a href={within[1]} aria-keyshortcuts={within[2]}>
                {within[0]}
              </a>
            </p>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export const Section = ({
  actions,
  children,
  lead,
  title
}: {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <section class="section">
    <div class="section-head">
      <div>
        <h2>{title}</h2>
        {lead && <p class="quiet">{lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </div>
    {children}
  </section>
)
