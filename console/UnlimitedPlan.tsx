// console/UnlimitedPlan.tsx: whether the workspace's plan is unlimited. On an unlimited plan the page does not mention credits.
import type { ComponentChildren } from "preact"
import { useSession } from "#console/Session.tsx"

export const useIsUnlimited = () => useSession().sessionInfo.workspace.is_unlimited

/** Renders its children only on limited plans. Wraps everything about credits. */
export const OnLimitedPlan = ({ children }: { readonly children: ComponentChildren }) =>
  useIsUnlimited() ? null : <>{children}</>
