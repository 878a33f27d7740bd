// console/pages/workspace/Tabs.tsx: the pages of a workspace, one beside the other.
import { doNotContact } from "#console/parts/Labels.ts"
import { routeTo } from "#console/Route.ts"

const tabs = [
  ["workspace", "Profile"],
  ["suppressions", doNotContact],
  ["keys", "API keys"],
  ["webhooks", "Webhooks"]
] as const

/** Each tab has an address of its own, so that a link can lead to it. */
export const WorkspaceTabs = ({ current }: { readonly current: (typeof tabs)[number][0] }) => (
  <nav class="subnav" aria-label="Workspace">
    <ul>
      {tabs.map(([tab, name]) => (
        <li key={tab}>
          <a href={routeTo(tab)} aria-current={tab === current ? "true" : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
