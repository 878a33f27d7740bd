// layers/text/Plain.ts: what a stranger typed, told from what a stranger orders.

const suspicious = /[{}<>[\]=|]|https?:|www\.|\b(?:ignore|instructions?|prompt|system|script|reply|reveal)\b/i

/** Whether a text is only text: no markup, address, order or word of a prompt. */
export const isPlain = (text: string): boolean => !suspicious.test(text)
