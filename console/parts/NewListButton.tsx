// console/parts/NewListButton.tsx: a button and a dialog that choose the campaign of a new list.
import { useRequest } from "#console/Requests.ts"
import { Dialog, DialogButton } from "#console/parts/Dialog.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { routeTo } from "#console/Route.ts"

const ChooseCampaignDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const request = useRequest((api) => api.campaigns.listCampaigns({ query: { limit: 100, offset: 0 } }), [])
  return (
    <Dialog title="New list" onClose={onClose}>
      <WhenLoaded request={request} waiting="Looking for campaigns…">
        {({ campaigns }) => {
          const ready = campaigns.filter(({ overall }) => overall === "ready" || overall === "building")
          return ready.length === 0 ? (
            <p>
              No campaign is ready to write from. <a href={routeTo("campaigns")}>Open the campaigns</a>, and finish one
              or start a new one.
            </p>
          ) : (
            <>
              <p>Choose the campaign to write from. Its page then asks for a file of leads.</p>
              <ul class="rows" aria-label="Campaigns to write from">
                {ready.map(({ id, name }) => (
                  <li key={id} class="row">
                    <a href={routeTo("campaigns", id, "write")}>{name}</a>
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </WhenLoaded>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

export const NewListButton = ({ label = "New list" }: { readonly label?: string }) => (
  <RequireScope scope="campaigns:write">
    <DialogButton label={label} kind="primary">
      {(close) => <ChooseCampaignDialog onClose={close} />}
    </DialogButton>
  </RequireScope>
)
