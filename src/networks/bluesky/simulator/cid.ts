import { createHash } from 'node:crypto'

const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567'

/** Base32 of RFC 4648 in small letters, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += DIGITS[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + DIGITS[(held << (5 - bits)) & 31] : text
}

/** Codecs of content ids: plain bytes (`bafkrei…`) and records (`bafyrei…`). */
const CODECS = { raw: 0x55, record: 0x71 } as const

/** The id of content (CIDv1, SHA-256): the same bytes have the same id. */
export function cidOf(content: Uint8Array | string, codec: keyof typeof CODECS): string {
  const digest = createHash('sha256').update(content).digest()
  return `b${base32(Buffer.concat([Buffer.from([0x01, CODECS[codec], 0x12, 0x20]), digest]))}`
}
