import { type SimulatedAnswer, SimulatedRefusal } from '../../kit/faults.ts'

export const ok = (body: object): SimulatedAnswer => ({ status: 200, body })

/** An error in the form of the protocol. */
export const refusal = (status: number, error: string, message: string): SimulatedAnswer => ({
  status,
  body: { error, message },
})

export function refuse(...words: Parameters<typeof refusal>): never {
  throw new SimulatedRefusal(refusal(...words))
}

/** Base32 of RFC 4648 in small letters, without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digit = (five: string) => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(Number.parseInt(five.padEnd(5, '0'), 2))
  return (bits.match(/.{1,5}/g) ?? []).map(digit).join('')
}
