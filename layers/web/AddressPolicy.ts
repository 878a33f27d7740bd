// layers/web/AddressPolicy.ts: which addresses fetches may connect to, so that users cannot reach the server's private
// network.
import { Context, Schema } from "effect"
import ipaddr from "ipaddr.js"
import { lookup } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import { buildConnector } from "undici"

export class Unfetchable extends Schema.TaggedError<Unfetchable>()("Unfetchable", { message: Schema.String }) {}

const connectMillis = 10_000

/** Azure's metadata service for virtual machines, which has a public address. */
const azureMetadataAddress = "168.63.129.16"

/** Whether an address is on the public internet. An IPv4-mapped address is judged by its IPv4 address; NAT64, 6to4 and IPv4-compatible addresses are not public. */
export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  // The parser treats the deprecated `::a.b.c.d` like the mapped form.
  if (isIP(address) === 6 && address.includes(".") && !/^::ffff:/i.test(address)) return false
  const parsedAddress = ipaddr.process(address)
  if (parsedAddress.kind() === "ipv4")
    return parsedAddress.range() === "unicast" && parsedAddress.toString() !== azureMetadataAddress
  // Global unicast is 2000::/3. NAT64, IPv4-compatible and local ranges are outside of it; tunnels have other range
  // names.
  return parsedAddress.range() === "unicast" && ((parsedAddress.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

/** The addresses and ports that may be connected to. */
export interface AddressPolicy {
  readonly isAllowed: (isAllowed: string) => boolean
  readonly allowsAnyPort: boolean
}
export const AddressPolicy = Context.Reference<AddressPolicy>("overture/layers/web/AddressPolicy", {
  defaultValue: () => ({ isAllowed: isPublic, allowsAnyPort: false })
})

/** Allows private addresses and any port: for tests, and if the operator allows it. */
export const allowAllAddresses: AddressPolicy = { isAllowed: () => true, allowsAnyPort: true }

/** The parsed URL, or the reason why it is refused, worded to follow the field's name. Resolves no names. */
export const checkAddress = (
  text: string,
  policy: AddressPolicy
): { readonly url: URL } | { readonly refusal: string } => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return { refusal: "must be a valid http or https URL" }
  if (url.username !== "" || url.password !== "") return { refusal: "must not hold a user name or password" }
  if (!policy.allowsAnyPort && !["", "80", "443"].includes(url.port)) return { refusal: "must be on port 80 or 443" }
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return isIP(host) !== 0 && !policy.isAllowed(host) ? { refusal: "must not be a private address" } : { url }
}

export const unknownAddress = new Unfetchable({ message: "There is no site of that name" })
const privateAddress = new Unfetchable({ message: "The site is at a private address, which is not fetched" })

/** Connects only to allowed addresses. Checks every address that a name resolves to, and then the socket's. */
export const makeGuardedConnector = (policy: AddressPolicy): buildConnector.connector => {
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const [first] = addresses
      // Node treats an empty result as an address, and throws an error that would end the process.
      if (first === undefined) return callback(unknownAddress, [])
      if (!addresses.every(({ address }) => policy.isAllowed(address))) return callback(privateAddress, [])
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
  const connect = buildConnector({ lookup: guardedLookup, timeout: connectMillis })
  return (options, callback) =>
    connect(options, (...connected) => {
      const [error, socket] = connected
      if (error !== null) return callback(error, null)
      if (policy.isAllowed(socket.remoteAddress ?? "")) return callback(null, socket)
      socket.destroy()
      return callback(privateAddress, null)
    })
}
