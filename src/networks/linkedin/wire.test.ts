import { describe, expect, test } from 'vitest'
import { answer, page } from '../kit/testing.ts'
import { errors, pauseUntil } from './outcomes.ts'
import * as wire from './wire.ts'

describe('ids', () => {
  test.each([
    [wire.postUrn, 'urn:li:share:1', ['urn:li:activity:1', 'urn:li:share:1/../x', '', 7, null]],
    [wire.postUrn, 'urn:li:ugcPost:1', []],
    [wire.organizationUrn, 'urn:li:organization:12', ['urn:li:organizationBrand:12', 'urn:li:organization:12/x']],
    [wire.pageUrn, 'urn:li:organization:12', ['urn:li:organizationBrand:12/x', 'urn:li:brand:12', '', null, 12]],
  ])('are of their kind, and can stand in an address', (read, right, wrong) => {
    expect(read(right)).toBe(right)
    for (const each of wrong) expect(read(each)).toBeUndefined()
    expect(wire.pageUrn('urn:li:organizationBrand:12')).toBe('urn:li:organization:12')
  })

  test('tell when a post was made', () => {
    // The vendor's example has 1506560133675.
    expect(wire.timeOf('urn:li:share:6318971194909560123')?.getTime()).toBe(1506560133674)
    for (const other of ['urn:li:share:12', 'urn:li:share:abc', 'urn:li:image:6318971194909560123'])
      expect(wire.timeOf(other)).toBeNull()
  })
})

test.each([
  ['0-5 6-9', true],
  ['0-8', false],
  ['1-9', false],
  ['0-5 5-9', false],
  ['0-9 10-9', false],
  ['', false],
])('a video of 10 bytes in the parts %j: %s', (parts, isWhole) => {
  const uploadInstructions = parts.split(' ').map((part) => {
    const [firstByte, lastByte] = part.split('-')
    return { uploadUrl: 'https://x.org/1', firstByte, lastByte }
  })
  const read = wire.parseVideoUpload(10)({ value: { video: 'urn:li:video:C1', uploadInstructions } })
  expect(read !== undefined).toBe(isWhole)
})

test('an answer to something else is no new post', () => {
  expect(wire.parseCreated(undefined, answer(200, '', { 'x-restli-id': 'urn:li:share:1' }))).toBeUndefined()
})

test.each(['"abc"', 'W/"abc"'])('the name of a part that is sent as %s', (etag) => {
  expect(wire.parsePart(undefined, answer(200, undefined, { etag }))).toBe('abc')
})

test('a field that is named by its path alone is known', () => {
  const inputErrors = [{ input: { inputPath: { fieldPath: 'commentary' } }, code: 'FIELD_LENGTH_TOO_LONG' }]
  const { meaning } = errors.classify(answer(400, { message: 'Bad', errorDetails: { inputErrors } }), new Date())
  expect(meaning).toMatchObject({ reason: 'CAPTION_TOO_LONG', message: expect.stringMatching(/Bad comm/) })
})

test.each([
  ['Content is a duplicate of urn:li:share:71411389', undefined, { urn: 'urn:li:share:71411389' }],
  ['Bad', 'DUPLICATE_POST', { urn: null }],
  ['Bad', 'CONFLICT', undefined],
])('%s, %s: which post is repeated', (message, code, expected) => {
  expect(wire.parseDuplicate(answer(422, { message, errorDetails: { inputErrors: [{ code }] } }))).toEqual(expected)
})

const at = (time: string) => new Date(`2026-11-21T${time}Z`)
const midnight = new Date('2026-11-22T00:00:00Z')

test.each([
  ['10:00:00', 4, at('14:00:00')],
  ['23:50:00', 0, midnight],
  ['00:00:00', 60, midnight],
])('at %s after %i pauses that nobody names: %s', (now, pauses, until) => {
  expect(pauseUntil(at(now), pauses)).toEqual(until)
})

test.each([
  ['Application level DAY limit reached', midnight, undefined],
  ['Resource level throttle limit', at('10:15:00'), true],
])('%s: waits until %s', (message, until, grows) => {
  const judged = errors.classify(answer(429, { message }), at('10:00:00'))
  expect([judged.meaning, judged.grows]).toMatchObject([{ kind: 'wait', until }, grows])
})

test.each([403, 302])('%i without a body that can be read proves nothing', (status) => {
  expect(errors.lookUp(page(status), at('10:00:00')).meaning.kind).toBe('ambiguous')
})

test('a refusal that no row knows ends the post with its words', () => {
  const { meaning } = errors.lookUp(answer(404, { message: 'No such thing' }), at('10:00:00'))
  expect(meaning).toMatchObject({ kind: 'refused', message: expect.stringContaining('No such thing') })
})
