// layers/text/ConsumerAddresses.ts: recognises email addresses of private persons by their domain.

/** Listed by full domain, because companies' domains can contain these names. */
const mailProviders = new Set(
  (
    "mail.ru bk.ru list.ru inbox.ru rambler.ru ya.ru sky.com mac.com hey.com pm.me duck.com fastmail.com zoho.com zohomail.eu " +
    "tutanota.com tuta.io mailbox.org posteo.de freenet.de arcor.de online.de bluewin.ch hispeed.ch sunrise.ch aon.at chello.at " +
    "telenet.be skynet.be proximus.be planet.nl home.nl xs4all.nl hetnet.nl upcmail.nl casema.nl sfr.fr neuf.fr bbox.fr numericable.fr " +
    "wanadoo.fr alice.it tin.it tiscali.it virgilio.it telefonica.net terra.es sapo.pt o2.pl interia.pl poczta.fm seznam.cz centrum.cz " +
    "btinternet.com btopenworld.com virginmedia.com ntlworld.com blueyonder.co.uk talktalk.net tiscali.co.uk plus.com eircom.net " +
    "comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net optonline.net frontier.com " +
    "windstream.net juno.com netzero.net roadrunner.com shaw.ca rogers.com sympatico.ca telus.net bigpond.com optusnet.com.au " +
    "xtra.co.nz rediffmail.com 126.com sina.com foxmail.com naver.com daum.net hanmail.net uol.com.br bol.com.br terra.com.br " +
    "ymail.com rocketmail.com mailinator.com onmicrosoft.com secureserver.net"
  ).split(" ")
)

const consumerDomain =
  /@(?:gmail|googlemail|yahoo|hotmail|outlook|live|msn|icloud|me|aol|gmx|web|mail|proton|protonmail|yandex|qq|163|t-online|orange|free|laposte|libero|wp|onet|interia|ziggo|kpnmail)\.[a-z.]{2,6}$/i

/** Whether an address is at a mail or hosting provider rather than at a company. */
export const isConsumerAddress = (email: string): boolean => {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase()
  return (
    consumerDomain.test(email) || mailProviders.has(domain) || /\.(?:onmicrosoft\.com|secureserver\.net)$/.test(domain)
  )
}
