// test/spec/events.ts: the completion mail.
import type { Chapter } from "./Fact.ts"

export const events: Chapter = {
  title: "Events",
  facts: [
    [
      "a mail is sent once when a batch has finished",
      "mail: tells the workspace's owner once, with a link to its emails",
      "mail: tells nothing while it rests, and once when it has gone on"
    ],
    [
      "the mail has a link to the list's CSV, valid for 7 days",
      "mail: tells the workspace's owner once, with a link to its emails"
    ],
    [
      "the link is refused when altered, expired, or after its list was deleted",
      "mail: gives a link that opens nothing once it is altered, has ended, or its list is gone"
    ],
    [
      "the mail goes to notification_email if sent, else to the workspace's owner",
      "mail: notifies the named address instead of the owner",
      "mail: tells the workspace's owner once, with a link to its emails"
    ],
    ["a single lead sends no mail", "mail: sends no mail without a recipient, and a single lead never sends one"],
    ["a batch that failed is announced, without a link", "mail: says that it failed, without a link"],
    [
      "progress is available by polling lists, jobs and build status",
      "lists: show the fields and allow the operations of their state",
      "jobs: of a resource is processing until the resource is ready"
    ]
  ]
}
