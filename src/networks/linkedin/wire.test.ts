import { expect, test } from 'vitest'
import { answer, page } from '../kit/testing.ts'
import { errors, pauseUntil } from './outcomes.ts'
import { organizationUrn, pageUrn, parseDuplicate, parsePart, parseVideoUpload, postUrn, timeOf } from './wire.ts'

test.each([
  [postUrn, 'urn:li:ugcPost:1', ['urn:li:activity:1', 'urn:li:share:1/../x', '', 7, null]],
  [organizationUrn, 'urn:li:organization:12', ['urn:li:organizationBrand:12', 'urn:li:organization:12/x']],
  [pageUrn, 'urn:li:organization:12', ['urn:li:organizationBrand:12/x', 'urn:li:brand:12', '', null, 12]],
])('ids are of their kind, and can be in an address', (read, right, wrong) => {
  expect(read(right)).toBe(right)
  for (const each of wrong) expect(read(each)).toBeUndefined()
})

const etag = (name: string) => parsePart(undefined, answer(200, undefined, { etag: name }))
const duplicate = (message: string, code?: string) =>
  parseDuplicate(answer(422, { message, errorDetails: { inputErrors: [{ code }] } }))
/** Whether a video of 10 bytes can be sent in these parts. */
const fits = (...parts: [firstByte: number, lastByte: number][]) => {
  const uploadInstructions = parts.map(([firstByte, lastByte]) => ({ uploadUrl: 'https://x.org', firstByte, lastByte }))
  return parseVideoUpload(10)({ value: { video: 'urn:li:video:C1', uploadInstructions } }) !== undefined
}
const at = (time: string) => new Date(`2026-11-21T${time}Z`)
const now = at('10:00:00')
const midnight = new Date('2026-11-22T00:00:00Z')
const meaning = (status: number, more: object = {}) =>
  errors.lookUp(answer(status, { message: 'The DAY limit', ...more }), now).meaning
const tooLong = { input: { inputPath: { fieldPath: 'commentary' } }, code: 'FIELD_LENGTH_TOO_LONG' }

test.each<[string, unknown, unknown]>([
  // The vendor's example has 1506560133675.
  ['the time of an id', timeOf('urn:li:share:6318971194909560123'), new Date(1506560133674)],
  ['an id that is too short for it', timeOf('urn:li:share:12'), null],
  ['parts that end early', fits([0, 8]), false],
  ['parts that overlap', fits([0, 5], [5, 9]), false],
  ['no parts', fits(), false],
  ['the name of a part', [etag('"abc"'), etag('W/"abc"')], ['abc', 'abc']],
  ['a post that is repeated', duplicate('Content is a duplicate of urn:li:share:71'), { urn: 'urn:li:share:71' }],
  ['one that is not named', duplicate('Bad', 'DUPLICATE_POST'), { urn: null }],
  ['another code', duplicate('Bad', 'CONFLICT'), undefined],
  ['the first pause but four', pauseUntil(now, 4), at('14:00:00')],
  ['pauses at midnight', [pauseUntil(at('23:50:00'), 0), pauseUntil(at('00:00:00'), 60)], [midnight, midnight]],
  ['a limit of a day', meaning(429), { kind: 'wait', until: midnight }],
  ['another limit', meaning(429, { message: 'Throttle limit' }), { kind: 'wait', until: at('10:15:00') }],
  ['a field of a path', meaning(400, { errorDetails: { inputErrors: [tooLong] } }), { reason: 'CAPTION_TOO_LONG' }],
  ['what no row knows', meaning(404), { kind: 'refused', message: expect.stringContaining('The DAY limit') }],
  ['a page in the way', errors.lookUp(page(403), now).meaning, { kind: 'ambiguous' }],
  ['an address elsewhere', errors.lookUp(page(302), now).meaning, { kind: 'ambiguous' }],
])('%s is read as what it is', (_, read, expected) => {
  if (typeof expected === 'object' && expected !== null) expect(read).toMatchObject(expected)
  else expect(read).toBe(expected)
})
