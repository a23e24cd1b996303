import { randomInt } from 'node:crypto'

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'

/**
 * A record key as Bluesky wants it for posts (TID, https://atproto.com/specs/tid): 53 bits of microseconds and 10
 * random ones, in 13 digits that sort by time. The microseconds below the clock's milliseconds are random too.
 */
export function tidAt(time: Date): string {
  const microseconds = BigInt(time.getTime()) * 1000n + BigInt(randomInt(1000))
  let rest = (microseconds << 10n) | BigInt(randomInt(1024))
  let digits = ''
  for (let digit = 0; digit < 13; digit++) {
    digits = (DIGITS[Number(rest & 31n)] ?? '') + digits
    rest >>= 5n
  }
  return digits
}

export function isTid(text: string): boolean {
  return /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/.test(text)
}
