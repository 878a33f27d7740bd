// test/spec/playbook.ts: the playbook of a campaign.
import type { Chapter } from "./Fact.ts"

export const playbook: Chapter = {
  title: "Playbook",
  facts: [
    [
      "GET playbook is 409 NOT_READY before the first build",
      "playbook: is drafted by the build, and is not ready before"
    ],
    [
      "the build drafts personas, the last is everyone else",
      "playbook: is drafted by the build, and is not ready before"
    ],
    ["build-status lists missing sentences", "playbook: is drafted by the build, and is not ready before"],
    [
      "PATCH sets never_say, personalization and status",
      "playbook: can be changed, and each change increments its version"
    ],
    [
      "never_say has at most 100 phrases of 200 characters",
      "playbook: can be changed, and each change increments its version"
    ],
    ["every change makes a version", "playbook: can be changed, and each change increments its version"],
    ["POST personas is 201, at most 8", "playbook: is added with templates, up to eight"],
    [
      "PUT personas drafts unedited templates from a changed message",
      "playbook: whose message changes gets new templates, except edited ones",
      "playbook: is renamed without a change to its templates"
    ],
    ["DELETE of everyone_else is 409 CONFLICT", "playbook: can be deleted, except the persona for everyone else"],
    [
      "PUT templates refuses templates that cannot be rendered, with the field and the position",
      "playbook: that cannot be rendered is rejected with the line and column"
    ],
    ["reset returns a template to its draft", "playbook: is edited, and reset to its draft"],
    [
      "at most 3 templates a step, and at least one",
      "playbook: has up to three variants, and the last one cannot be deleted"
    ],
    ["concurrent edits are all kept", "playbook: keeps its edit while other templates are edited at the same time"],
    [
      "redraft is 202, one at a time, and 422 for an instruction without a model",
      "playbook: replaces unedited templates, one redraft at a time",
      "playbook: that fails leaves the playbook as it was"
    ],
    ["try is free and stores nothing", "playbook: can be tried for free, without storing anything"],
    [
      "a list keeps the playbook it was accepted with",
      "playbook: is written from the playbook version of the time when its list was accepted"
    ],
    [
      "user edits survive a rebuild",
      "playbook: keeps edits, and drafts the rest",
      "playbook: does not restore a deleted persona, unless its titles changed",
      "playbook: drops a persona that is no longer drafted, unless it was edited"
    ],
    [
      "a campaign that was built earlier gets a playbook at its first use",
      "playbook: gets one playbook at its first use",
      "playbook: uses that playbook for leads and previews",
      "playbook: completes a list that was accepted without a playbook"
    ],
    [
      "a playbook of another workspace is not accessible, and every edit is atomic",
      "isolation: of another workspace is refused: $name",
      "atomic: takes effect completely or not at all: $name"
    ]
  ]
}
