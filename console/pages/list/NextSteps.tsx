// console/pages/list/NextSteps.tsx: what an export contains, and how to import it into the sending tool.
import { useEffect, useRef } from "preact/hooks"
import { type ExportPreset, type List, sendDays } from "#schema/Lists.ts"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { formatCount } from "#console/parts/Format.ts"

export const presetNames: Readonly<Record<ExportPreset, string>> = {
  instantly: "Instantly",
  smartlead: "Smartlead",
  lemlist: "lemlist",
  mailshake: "Mailshake",
  hubspot: "HubSpot"
}

interface StepVariables {
  readonly subject: string
  readonly body: string
}
const stepVariables: StepVariables = { subject: "{{step_N_subject}}", body: "{{step_N_body}}" }

/** The sending tool's variables for the subject and body of step N. */
const presetVariables: Readonly<Record<ExportPreset, StepVariables>> = {
  instantly: stepVariables,
  smartlead: stepVariables,
  lemlist: { subject: "{{stepNSubject}}", body: "{{stepNBody}}" },
  mailshake: stepVariables,
  hubspot: stepVariables
}

const importAsLeads = (preset: ExportPreset) => `Import the file as leads of a campaign in ${presetNames[preset]}.`

const importSteps: Readonly<Record<ExportPreset, string>> = {
  instantly: importAsLeads("instantly"),
  smartlead: importAsLeads("smartlead"),
  lemlist: importAsLeads("lemlist"),
  mailshake: importAsLeads("mailshake"),
  hubspot: "Import the file as contacts. Map Step 1 Subject, Step 1 Body and so on to contact properties of your own."
}

/** The send days of a list's sequence, which no tool imports from a file; undefined for a single email. */
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
  /** Written leads left out because they are not approved. */
  readonly unapproved: number
  /** Leads left out because an earlier file has them. */
  readonly exportedBefore: number
  /** Leads that were left out when the list started. */
  readonly skipped: number
  /** Leads without emails, because they failed. */
  readonly unwritten: number
}

const reasonsOf = ({ exportedBefore, skipped, suppressed, unapproved, unwritten }: Exported) => [
  ...(suppressed > 0 ? [`${formatCount(suppressed, "lead")} on “${suppressionListLabel}”`] : []),
  ...(unapproved > 0 ? [`${formatCount(unapproved, "lead")} not approved`] : []),
  ...(exportedBefore > 0 ? [`${formatCount(exportedBefore, "lead")} exported before`] : []),
  ...(skipped > 0 ? [`${formatCount(skipped, "lead")} left out when the list started`] : []),
  ...(unwritten > 0 ? [`${formatCount(unwritten, "lead")} without emails`] : [])
]

interface Props {
  readonly exported: Exported
  readonly days: string | undefined
}

const ToolSteps = ({ days, preset }: { readonly preset: ExportPreset; readonly days: string | undefined }) => {
  const { body, subject } = presetVariables[preset]
  return (
    <>
      <p class="strong">Next, in {presetNames[preset]}</p>
      <ol class="numbered-list">
        <li>
          {importSteps[preset]} Check the mapping that it proposes: it follows the documentation of{" "}
          {presetNames[preset]} and has not been tested with a real account.
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
        <span class="strong">{formatCount(exported.leads, "lead")} exported</span> to {exported.file}.{" "}
        {left.length === 0 ? "None was left out." : `Left out: ${left.join(", ")}.`}
      </p>
      {exported.preset !== undefined && <ToolSteps preset={exported.preset} days={days} />}
    </div>
  )
}
