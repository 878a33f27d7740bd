// layers/text/Addresses.ts: whose an email address is, as far as its domain tells.

const consumer =
  /@(?:gmail|googlemail|yahoo|hotmail|outlook|live|msn|icloud|me|aol|gmx|web|mail|proton|protonmail|yandex|qq|163|t-online|orange|free|laposte|libero|wp|onet|interia|ziggo|kpnmail)\.[a-z.]{2,6}$/i

/** Whether an address is one that people have for themselves, at a provider of mail. */
export const isConsumer = (email: string): boolean => consumer.test(email)
