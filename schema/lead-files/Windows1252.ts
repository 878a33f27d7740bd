// schema/lead-files/Windows1252.ts: decodes windows-1252, the encoding of older programs, in which every byte is valid.

// Several releases of Node 22 and 24 decode windows-1252 as Latin-1, where these 32 are control characters.
const c1Characters = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ"

// Below the limit for the arguments of one call.
const chunkSize = 8192

/** Also runs in browsers, which have no `Buffer`. */
export const decode = (bytes: Uint8Array): string => {
  let text = ""
  for (let index = 0; index < bytes.length; index += chunkSize)
    text += String.fromCharCode(...bytes.subarray(index, index + chunkSize))
  return text.replace(/[\u0080-\u009F]/g, (char) => c1Characters.charAt(char.charCodeAt(0) - 0x80))
}
