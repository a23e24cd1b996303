import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What a client's address is counted for, and how many times the bound of one client it has. */
export interface ClientNetwork {
  name: string
  times: number
}

/** What is counted for a network of an address, and how much of it there may be. */
export interface AddressBound {
  subject: string
  limit: number
  /** Clients of several customers share the network. */
  shared: boolean
}

/** Bits of an IPv6 address that a customer gets, and of the network that a provider of mobile phones has for many of them. */
const CUSTOMER = 64
const PROVIDER = 48
const PROVIDER_TIMES = 16

/**
 * The address that a client is counted for: of IPv6 the /64, with all of its addresses. One of IPv4 that is written as IPv6 is
 * that of IPv4; a port, which some proxies forward too, is left out. Null: no address.
 */
export function countedAddress(text: string | undefined): string | null {
  const plain = text === undefined ? '' : withoutPort(text)
  if (isIP(plain) === 0) return null
  const address = ipaddr.process(plain)
  return address instanceof ipaddr.IPv4 ? address.toString() : networkOf(address, CUSTOMER)
}

/**
 * The networks that a client counts for, by its address as `countedAddress` gives it, the smallest first. Someone who has many /64
 * of IPv6 mostly has them within a /48, which has sixteen times the bound: providers give one to all of their customers too.
 */
export function networksOf(address: string): ClientNetwork[] {
  const client = { name: address, times: 1 }
  if (!address.endsWith(`/${CUSTOMER}`)) return [client]
  const provider = networkOf(ipaddr.IPv6.parse(address.slice(0, -`/${CUSTOMER}`.length)), PROVIDER)
  return [client, { name: provider, times: PROVIDER_TIMES }]
}

/** The subjects that something of a client is counted for, the smallest network first. What one refuses need not be counted for the next. */
export function addressBounds(what: string, address: string, limit: number): AddressBound[] {
  return networksOf(address).map(({ name, times }) => {
    return { subject: `${what}:${name}`, limit: limit * times, shared: times > 1 }
  })
}

function networkOf(address: ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0))
  return `${new ipaddr.IPv6(bytes).toString()}/${bits}`
}

/** `203.0.113.9:1234`, `[2001:db8::1]:1234` */
function withoutPort(text: string): string {
  const [, v6, v4] = /^(?:\[([\da-f]{0,4}:[\da-f:.]{1,45})\](?::\d{1,5})?|([\d.]{7,15}):\d{1,5})$/i.exec(text) ?? []
  return v6 ?? v4 ?? text
}
