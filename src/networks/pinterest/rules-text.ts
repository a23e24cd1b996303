import type { Finding, Limit } from '../network.ts'
import { tooLong } from '../toolkit/text-rules.ts'
import { limits } from './manifest.ts'

/** A text as the network counts it. Half a character is refused: nobody could find it again in what the network made of it. */
export function checkText(
  text: string,
  what: string,
  steps: Finding['steps'],
  limit: Limit,
  code: Finding['code'] = 'post:field_too_long',
): Finding[] {
  const findings = tooLong({ network: 'Pinterest', what, code, steps, limit, actual: text.length })
  if (text.isWellFormed()) return findings
  const message = `Pinterest takes ${what} of whole characters; this one holds half of one. Write it anew.`
  return [...findings, { code: 'post:field_invalid', steps, message }]
}

/** An address to which a pin, or an item of a carousel, leads. Empty: to nowhere. */
export function checkLink(link: string, steps: Finding['steps']): Finding[] {
  if (link === '') return []
  if (!/^https?:\/\/[^/\s]+\.[^/\s]/i.test(link) || /\s/.test(link) || !URL.canParse(link)) {
    const message = `Pinterest links to web addresses that begin with https://; "${link.slice(0, 60)}" is none. Correct it, or leave it empty.`
    return [{ code: 'post:field_invalid', steps, message }]
  }
  return checkText(link, 'links', steps, limits.linkLength)
}
