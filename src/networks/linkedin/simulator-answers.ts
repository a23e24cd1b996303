import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import type { Limit } from '../network.ts'
import { answerOf, answerOfField } from './outcomes.ts'

/** A page on which a person has a role. Those of a showcase call it a brand; everything else is as with other pages. */
export type SimulatedPage = Record<'urn' | 'name' | 'vanity' | 'role', string> & { isShowcase?: true }

/** Who stands behind a token, and what it may do. */
export interface Access {
  person: { id: string; name: string }
  pages: readonly SimulatedPage[]
  scopes: readonly string[]
  /** Name in the ledger by urn of the author; without an entry the urn itself. */
  ledger: Readonly<Record<string, string>>
  /** The app that it was given to. */
  clientId: string
}

/** Whether the token may act for this author. */
export function mayAct({ person, pages, scopes }: Access, urn: unknown): urn is string {
  if (urn === `urn:li:person:${person.id}`) return scopes.includes('w_member_social')
  const isTheirs = pages.some((each) => each.urn === urn && each.role !== 'ANALYST')
  return isTheirs && scopes.includes('w_organization_social')
}

export const ok = (body: unknown, headers = {}, status = 200): SimulatedAnswer => ({ status, headers, body })

export const refusal = (status: number, message: string, code?: string): SimulatedAnswer =>
  answerOf(status, message, { code })

export function refuse(...words: Parameters<typeof refusal>): never {
  throw new SimulatedRefusal(refusal(...words))
}
/** A field of a body. */
export function refuseField(words: string, code = 'INVALID_VALUE_FOR_FIELD', status = 400): never {
  throw new SimulatedRefusal(answerOfField(status, code, words))
}
export const denied = (what: string): never => refuse(403, `Not enough permissions to access: ${what}`, 'ACCESS_DENIED')

/** An object with these fields and no others. @throws SimulatedRefusal */
export function fieldsOf(path: string, value: unknown, required: readonly string[], optional: readonly string[] = []) {
  const fields = record(value) ?? {}
  const unknown = Object.keys(fields).find((name) => !required.includes(name) && !optional.includes(name))
  if (unknown) refuse(422, `ERROR :: ${path}/${unknown} :: unrecognized field found but not allowed`)
  const missing = required.find((name) => fields[name] === undefined)
  if (missing) refuse(422, `ERROR :: ${path}/${missing} :: field is required but not found and has no default value`)
  return fields
}

/** @throws SimulatedRefusal for a text that is longer */
export function atMost({ value }: Limit, name: string, text: unknown): void {
  const isLong = String(text ?? '').length > value
  if (isLong) refuseField(`The length of ${name} exceeds the maximum`, 'FIELD_LENGTH_TOO_LONG')
}

/** What the fault words say in this network's tongue. Each of them means that nothing was made. */
export const faults = {
  '500-before': refusal(500, 'Internal Server Error'),
  'rate-limited': refusal(429, 'Resource level throttle limit for calls to this resource is reached.'),
  'token-expired': refusal(401, 'The token used in the request has expired', 'EXPIRED_ACCESS_TOKEN'),
  'media-rejected': answerOfField(400, 'MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed to process'),
  'caption-too-long': answerOfField(400, 'FIELD_LENGTH_TOO_LONG', 'The length of /commentary exceeds the maximum'),
  'account-restricted': refusal(403, 'This member is restricted from performing this action'),
  'account-suspended': refusal(403, 'This member account is suspended'),
}
