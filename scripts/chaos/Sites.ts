// scripts/chaos/Sites.ts: the sites that the server reads: on loopback, some slow, broken or endless.
import { startSite } from "#test/support/site.ts"

const page = (host: string) => `<!doctype html><html><head><title>${host}</title></head><body>
<h1>${host}</h1><p>We make cardboard boxes in Leeds with 80 people since 1994.</p>
<a href="/about">About us</a> <a href="/services">Services</a></body></html>`

export const start = startSite((request, response) => {
  const host = (request.headers.host ?? "").split(".")[0] ?? ""
  const html = { "content-type": "text/html; charset=utf-8" }
  switch (host) {
    case "slow":
      setTimeout(() => response.writeHead(200, html).end(page(host)), 2500)
      return
    case "broken":
      request.socket.destroy()
      return
    case "loop":
      response.writeHead(302, { location: "/again" }).end()
      return
    case "big":
      response.writeHead(200, html).end("<p>".padEnd(3_000_000, "big "))
      return
    default:
      response.writeHead(200, html).end(page(host))
  }
})
