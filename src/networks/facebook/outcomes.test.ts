import { expect, test } from 'vitest'
import { answer } from '../kit/testing.ts'
import { errors } from './outcomes.ts'

/** Kind, reason, and the traits: f fresh upload, p probe first, a few tries, l about the link alone. */
function said(body: object): string {
  const { meaning, spent, proves, failAs, link } = errors.classify(answer(400, body), new Date())
  const traits = [spent && 'f', proves === false && 'p', failAs && 'a', link && 'l'].filter(Boolean).join('')
  return [meaning.kind, meaning.kind === 'refused' && meaning.reason, traits].filter(Boolean).join(' ')
}

/** Codes, or codes and subcodes. */
const MEANINGS = {
  'refused ACTION_BLOCKED p': '506 100/1366051 1404082 368/1404006 368/1404102 368 368/12',
  'refused ACCOUNT_RESTRICTED p': '368/4854002 200/1404078 368/1404112',
  'refused ACCOUNT_RESTRICTED_SPAM p': '368/1390008 368/1346003',
  'refused ACCOUNT_RESTRICTED': '190/459 190/464 190/490 490',
  reconnect: '190/492 190/458 190/460 190/463 190 102 10 3 200 283',
  'refused ACTION_BLOCKED l': '100/1609008 100/1609005 100/1609010',
  'refused UNKNOWN l': '1500 100/2061006',
  'refused UNKNOWN': '2635 100 9999',
  'refused UNKNOWN_MEDIA_ERROR':
    '324 324/2069019 352 382 100/1366046 100/1349125 6001 6000/1363019 6000/1363045 6000/1363128',
  'again fpa': '6001/1363037 6000/1363030 6000/1363033 6000/1363041 100/33',
  'again fa': '6000 ProcessingFailedError',
  'again a': '389 OffsetInvalidError',
  'again p': '6000/1363047 1 -1 341 2',
  'wait p': '4',
  wait: '17 32 613 80001',
  ambiguous: 'SomethingElse',
}
const rows = Object.entries(MEANINGS).flatMap(([meaning, keys]) =>
  keys.split(' ').map((key) => [...key.split('/'), undefined].slice(0, 2).concat(meaning)),
)
test.each(rows)('error %s/%s: %s', (code, subcode, meaning) => {
  // The host that takes videos has errors of its own.
  const ofUpload = { debug_info: { type: code, message: 'Again', retriable: true } }
  const isUpload = Number.isNaN(Number(code))
  expect(said(isUpload ? ofUpload : { error: { message: 'No.', code, error_subcode: subcode } })).toBe(meaning)
})

test.each([
  [100, 'Name parameter too long', 'refused CAPTION_TOO_LONG'],
  [100, '(#100) No permission to publish the video', 'reconnect'],
  [100, '(#100) Param message must be no longer than 63206 characters', 'refused CAPTION_TOO_LONG'],
  [368, 'Your Page has been suspended', 'refused ACCOUNT_SUSPENDED p'],
  [368, 'We limit how often you can post', 'refused ACCOUNT_RESTRICTED_SPAM p'],
])('error %i with the words "%s"', (code, message, meaning) => {
  expect(said({ error: { code, message } })).toBe(meaning)
})
