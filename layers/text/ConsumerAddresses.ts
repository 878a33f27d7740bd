// layers/text/ConsumerAddresses.ts: recognises email addresses of private persons by their domain.
import { createRequire } from "node:module"
import type { freeEmailDomains } from "free-email-domains-typescript"

// A bundle drops this line, so that `require` is the bundler's and the list is inside the bundle.
const require = createRequire(import.meta.url)

/** Mail providers that the list lacks. Exact domains, because a company's domain may begin with a provider's name. */
const moreProviders =
  "163.net 9online.fr a1.net alice.fr aliceadsl.fr aol.at aol.co.uk aol.com.br aol.com.mx aol.de aol.es aol.fr aol.it aol.jp aol.nl " +
  "bbox.fr btopenworld.com caiway.nl cegetel.net chello.at chello.nl club-internet.fr comhem.se daum.net duck.com fastwebnet.it " +
  "gmx.biz gmx.ca gmx.co.uk gmx.es gmx.eu gmx.fr gmx.hk gmx.ie gmx.info gmx.it gmx.org gmx.pt gmx.sg gmx.tw gmx.us hey.com hispeed.ch " +
  "hotmail.at hotmail.be hotmail.ch hotmail.co.kr hotmail.co.th hotmail.com.ar hotmail.com.br hotmail.com.mx hotmail.cz hotmail.dk " +
  "hotmail.gr hotmail.hu hotmail.lt hotmail.lv hotmail.my hotmail.no hotmail.ph hotmail.rs hotmail.sg hotmail.sk inode.at interia.com " +
  "interia.eu jazztel.es keemail.me kpnplanet.nl live.co.kr live.com.my live.com.ph live.fi live.hk live.ph magenta.at mail.ch mail.dk " +
  "mail.fr mail.lv mailbox.org movistar.es msn.co.uk msn.nl neuf.fr numericable.fr o2.pl online.de online.no ono.com orange.be orange.es " +
  "orange.pl orange.sk outlook.co.id outlook.com.ar outlook.id pm.me poczta.onet.eu proton.me protonmail.ch proximus.be scarlet.be " +
  "sfr.fr stofanet.dk sunrise.ch sympatico.ca t-online.hu talktalk.net telus.net tin.it tlen.pl tuta.com tuta.io tutamail.com tutanota.com " +
  "tutanota.de vodafone.de wp.eu ya.com yahoo.cl yahoo.com.pe yahoo.com.ve yandex.by yandex.com.tr yandex.kz zeelandnet.nl zohomail.eu " +
  "zoznam.sk inbox.lv meta.ua startmail.com azet.sk"

/** Domains of the list whose mailboxes belong to the company's own people. */
const companyDomains =
  "about.com alibaba.com aliyun.com clerk.com doityourself.com easypost.com facebook.com geek.com homestead.com ivillage.com law.com " +
  "medscape.com name.com oath.com saudia.com space.com swissinfo.org techspot.com telstra.com test.com"

let cachedDomains: ReadonlySet<string> | undefined

/** Loaded with the first address, because most commands and an idle server read none. */
const consumerDomains = (): ReadonlySet<string> => {
  if (cachedDomains !== undefined) return cachedDomains
  const list = require("free-email-domains-typescript") as { readonly freeEmailDomains: typeof freeEmailDomains }
  const domains = new Set([...list.freeEmailDomains, ...moreProviders.split(" ")])
  for (const domain of companyDomains.split(" ")) domains.delete(domain)
  return (cachedDomains = domains)
}

/** Domains of hosting providers, each customer of which has a subdomain. */
const hostedDomain = /(?:^|\.)(?:onmicrosoft\.com|secureserver\.net)$/

/** Whether an address is at a mail or hosting provider rather than at a company. */
export const isConsumerAddress = (email: string): boolean => {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase()
  return consumerDomains().has(domain) || hostedDomain.test(domain)
}
