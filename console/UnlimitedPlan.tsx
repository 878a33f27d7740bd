// console/UnlimitedPlan.tsx: whether the workspace's plan is unlimited. On an unlimited plan the page does not mention credits.
import { type ComponentChildren, createContext } from "preact"
import { useContext } from "preact/hooks"
import { useRequest } from "#console/Requests.ts"

/** Undefined until the server has answered. A key that may not read credits sees the page of a limited plan. */
const IsUnlimited = createContext<boolean | undefined>(undefined)

export const UnlimitedPlanProvider = ({ children }: { readonly children: ComponentChildren }) => {
  const request = useRequest((api) => api.credits.getCredits(), [])
  const value = request.state === "waiting" ? undefined : request.state === "loaded" && request.value.is_unlimited
  return <IsUnlimited.Provider value={value}>{children}</IsUnlimited.Provider>
}

export const useIsUnlimited = () => useContext(IsUnlimited)

/** Renders its children only on limited plans. Wraps everything about credits. */
export const OnLimitedPlan = ({ children }: { readonly children: ComponentChildren }) =>
  useIsUnlimited() === false ? <>{children}</> : null
