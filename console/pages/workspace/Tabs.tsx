// console/pages/workspace/Tabs.tsx: the tabs of the workspace pages.
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { routeTo } from "#console/Route.ts"

const tabs = [
  ["workspace", "Profile"],
  ["suppressions", suppressionListLabel],
  ["keys", "API keys"],
  ["webhooks", "Webhooks"]
] as const

/** Each tab has its own address, so that links can open it. */
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
