// console/pages/list/NextSteps.tsx: what an export has and has not, and how to load it into the sending tool that it is for.
import { useEffect, useRef } from "preact/hooks"
import { type ExportPreset, type List, sendDays } from "#schema/Lists.ts"
import { doNotContact } from "#console/parts/Labels.ts"
import { countOf } from "#console/parts/Format.ts"

export const presetNames: Readonly<Record<ExportPreset, string>> = {
  instantly: "Instantly",
  smartlead: "Smartlead",
  lemlist: "lemlist",
  mailshake: "Mailshake",
  hubspot: "HubSpot"
}

/** A step's subject and body as the tool has them, for each number of a step. */
const variablesOf = (preset: ExportPreset) =>
  preset === "lemlist" ? ["{{stepNSubject}}", "{{stepNBody}}"] : ["{{step_N_subject}}", "{{step_N_body}}"]

const importStep = (preset: ExportPreset) =>
  preset === "hubspot"
    ? "Import the file as contacts. Map Step 1 Subject, Step 1 Body and so on to contact properties of your own."
    : `Import the file as leads of a campaign in ${presetNames[preset]}.`

/** The days of a list's sequence, which no tool takes from a file; none for a single email. */
export const sendDayText = (list: List, written: number) => {
  const { emails_created = 0 } = list
  const days = sendDays[written === 0 ? 0 : Math.round(emails_created / written)] ?? []
  return days.length < 2 ? undefined : days.map((day, i) => `email ${i + 1} on day ${day}`).join(", ")
}

export interface Exported {
  readonly file: string
  readonly preset: ExportPreset | undefined
  readonly leads: number
  readonly suppressed: number
  /** Written leads that are not approved, where only approved ones were exported. */
  readonly unapproved: number
  /** Leads of the list without emails: they failed or were left out when it started. */
  readonly unwritten: number
}

const reasonsOf = ({ suppressed, unapproved, unwritten }: Exported) => [
  ...(suppressed > 0 ? [`${countOf(suppressed, "lead")} on “${doNotContact}”`] : []),
  ...(unapproved > 0 ? [`${countOf(unapproved, "lead")} not approved`] : []),
  ...(unwritten > 0 ? [`${countOf(unwritten, "lead")} without emails`] : [])
]

interface Props {
  readonly exported: Exported
  readonly days: string | undefined
}

const ToolSteps = ({ days, preset }: { readonly preset: ExportPreset; readonly days: string | undefined }) => {
  const [subject, body] = variablesOf(preset)
  return (
    <>
      <p class="strong">Next, in {presetNames[preset]}</p>
      <ol class="numbered-list">
        <li>
          {importStep(preset)} Check the mapping that it proposes: it follows the documentation of {presetNames[preset]}{" "}
          and has not been tested with a real account.
        </li>
        <li>
          Create one sequence with as many steps as each lead has emails. Step N has the subject <code>{subject}</code>{" "}
          and the body <code>{body}</code>, with its number for N.
        </li>
        {days !== undefined && <li>Set the days to send on: {days}.</li>}
        <li>Send a test to yourself before you start.</li>
      </ol>
    </>
  )
}

export const NextSteps = ({ days, exported }: Props) => {
  const left = reasonsOf(exported)
  const note = useRef<HTMLDivElement>(null)
  // The dialog may be higher than the window, and the steps are at its end.
  useEffect(() => note.current?.scrollIntoView({ block: "nearest" }), [])
  return (
    <div ref={note} class="note good" role="status">
      <p>
        <span class="strong">{countOf(exported.leads, "lead")} exported</span> to {exported.file}.{" "}
        {left.length === 0 ? "None was left out." : `Left out: ${left.join(", ")}.`}
      </p>
      {exported.preset !== undefined && <ToolSteps preset={exported.preset} days={days} />}
    </div>
  )
}
