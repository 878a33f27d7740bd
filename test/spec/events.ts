// test/spec/events.ts: the completion mail.
import type { Chapter } from "./Fact.ts"

export const events: Chapter = {
  title: "Events",
  facts: [
    [
      "a mail is sent once when a batch has finished",
      "mail: notifies the owner of the workspace once, with a link to the emails",
      "mail: sends no mail while it is pending, and one mail after it has been resumed and finished"
    ],
    [
      "the mail has a link to the list's CSV, valid for 7 days",
      "mail: notifies the owner of the workspace once, with a link to the emails"
    ],
    [
      "the link is refused when altered, expired, or after its list was deleted",
      "mail: sends a link that stops working when it is altered or expires, or when its list is deleted"
    ],
    [
      "the mail goes to notification_email if sent, else to the workspace's owner",
      "mail: notifies the named address instead of the owner",
      "mail: notifies the owner of the workspace once, with a link to the emails"
    ],
    ["a single lead sends no mail", "mail: sends no mail without a recipient, and a single lead never sends one"],
    ["a batch that failed is announced, without a link", "mail: reports in its mail that it failed, without a link"],
    [
      "progress is available by polling lists, jobs and build status",
      "lists: show the fields and allow the operations of their state",
      "jobs: of a resource is processing until the resource is ready"
    ]
  ]
}
