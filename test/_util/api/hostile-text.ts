import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text that the checker found: for each pump the prefix, then the pump as often as wanted; then the suffix. */
export interface Attack {
  pumps: { prefix: string; pump: string }[]
  suffix: string
}
export type Finding = 'safe' | Attack

export function hostileText({ pumps, suffix }: Attack, length: number): string {
  const pumped = pumps.map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(length / pumps.length / pump.length)))
  return pumped.join('') + suffix
}

/** All that the checker found in the expressions of src/. */
export function attacks(): Attack[] {
  const file = join(import.meta.dirname, '../../_fixtures/expressions.json')
  const findings: Record<string, Finding> = JSON.parse(readFileSync(file, 'utf8'))
  return Object.values(findings).filter((finding) => finding !== 'safe')
}

/** The text of an attack as a header can carry it: white space at its ends is no part of a value. */
export function sendableText(attack: Attack, length: number): string {
  return sendable(hostileText(attack, length), length)
}

export function sendable(text: string, length: number): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  return bytes
    .replaceAll(/\p{Cc}/gu, '\t')
    .slice(0, length)
    .replaceAll(/^\s|\s$/g, 'x')
}
