import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Public by its range, yet not the internet: the host side of a cloud answers there.
 * 168.63.129.16: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 (read 2026-11-21).
 * The other metadata addresses (169.254.169.254, 100.100.100.200, 192.0.0.192, fd00:ec2::254, fd20:ce::254) lie in
 * ranges that are refused as a whole.
 */
const HOST_SIDE = new Set(['168.63.129.16'])

/** All that is given out for the internet so far (https://www.iana.org/assignments/ipv6-address-space, read 2026-11-21). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** NAT64, RFC 6052: the last 32 bits are the IPv4 address that is meant. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether an address, as text in any notation, is one of the public internet. Everything else is not: private,
 * loopback, link-local, multicast, unspecified, reserved, carrier-grade NAT, metadata, tunnels, and text that is no
 * address. An IPv6 address that carries an IPv4 address is checked by the latter where a machine would go there
 * (mapped, NAT64) and refused otherwise (compatible, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  // ipaddr.js 2.5 takes ::1.2.3.4 for ::ffff:1.2.3.4. In the spelling of URLs an IPv6 address has no dots.
  const text = address.includes(':') ? (URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? '') : address
  if (!ipaddr.isValid(text)) return false
  const parsed = ipaddr.parse(text)
  if (parsed instanceof ipaddr.IPv4) return isPublicV4(parsed)
  const v6 = parsed as ipaddr.IPv6
  if (v6.isIPv4MappedAddress()) return isPublicV4(v6.toIPv4Address())
  if (v6.match(NAT64)) return isPublicV4(new ipaddr.IPv4(v6.toByteArray().slice(12)))
  return v6.match(GLOBAL_UNICAST_V6) && v6.range() === 'unicast'
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !HOST_SIDE.has(address.toString())
}

/** Top-level names that are reserved for private networks (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)$/

/** Whether a host, as a URL has it, can only be of a private network. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host)) return !isPublicAddress(host)
  return !host.includes('.') || PRIVATE_NAMES.test(host)
}
