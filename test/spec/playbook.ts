// test/spec/playbook.ts: the playbook of a campaign.
import type { Chapter } from "./Fact.ts"

export const playbook: Chapter = {
  title: "Playbook",
  facts: [
    ["GET playbook is 409 NOT_READY before the first build", "playbook: is drafted by the build and not there before"],
    ["the build drafts personas, the last is everyone else", "playbook: is drafted by the build and not there before"],
    ["build-status lists missing sentences", "playbook: is drafted by the build and not there before"],
    ["PATCH sets never_say, personalization and status", "playbook: takes what a person sets, and counts its versions"],
    [
      "never_say has at most 100 phrases of 200 characters",
      "playbook: takes what a person sets, and counts its versions"
    ],
    ["every change makes a version", "playbook: takes what a person sets, and counts its versions"],
    ["POST personas is 201, at most 8", "playbook: is added with templates, up to eight"],
    [
      "PUT personas drafts unedited templates from a changed message",
      "playbook: whose message changes gets new templates, but for those that a person edited",
      "playbook: is renamed without a change to its templates"
    ],
    ["DELETE of everyone_else is 409 CONFLICT", "playbook: is deleted, but for everyone else"],
    [
      "PUT templates refuses templates that cannot be rendered, with the field and the position",
      "playbook: that could not be rendered is refused with its place"
    ],
    ["reset returns a template to its draft", "playbook: is edited, and reset to its draft"],
    ["at most 3 templates a step, and at least one", "playbook: has up to three variants, and leaves one"],
    ["concurrent edits are all kept", "playbook: keeps its edit while others are edited at the same moment"],
    [
      "redraft is 202, one at a time, and 422 for an instruction without a model",
      "playbook: drafts what no person edited, once at a time",
      "playbook: that fails leaves the playbook as it was"
    ],
    ["try is free and stores nothing", "playbook: is tried for free, without a trace"],
    [
      "a list keeps the playbook it was accepted with",
      "playbook: is written from the playbook as it was when its list was accepted"
    ],
    [
      "user edits survive a rebuild",
      "playbook: keeps what a person edited, and drafts the rest",
      "playbook: does not bring back what a person deleted",
      "playbook: drops a persona that is no longer drafted, unless a person edited it"
    ],
    [
      "a campaign that was built earlier gets a playbook at its first use",
      "playbook: gets one at its first use, and only one",
      "playbook: writes to leads and previews with it",
      "playbook: finishes a list that was accepted before"
    ],
    [
      "a playbook of another workspace is not accessible, and every edit is atomic",
      "isolation: of another workspace is refused: $name",
      "atomic: is done as a whole or not at all: $name"
    ]
  ]
}
