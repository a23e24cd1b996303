import { expect, test } from 'vitest'
import { answer, page } from '../kit/testing.ts'
import { errors, pauseUntil } from './outcomes.ts'

const at = (time: string) => new Date(`2026-11-21T${time}Z`)
const midnight = new Date('2026-11-22T00:00:00Z')

test.each([
  ['10:00:00', 0, at('10:15:00')],
  ['10:00:00', 1, at('10:30:00')],
  ['10:00:00', 4, at('14:00:00')],
  ['23:50:00', 0, midnight],
  ['10:00:00', 60, midnight],
  ['00:00:00', 60, midnight],
])('at %s after %i pauses that nobody names: %s', (now, pauses, until) => {
  expect(pauseUntil(at(now), pauses)).toEqual(until)
})

test.each([
  ['Application level DAY limit reached', midnight, undefined],
  ['Resource level throttle limit', at('10:15:00'), true],
])('%s: waits until %s', (message, until, grows) => {
  const judged = errors.classify(answer(429, { message }), at('10:00:00'))
  expect(judged).toMatchObject({ meaning: { kind: 'wait', until } })
  expect(judged.grows).toBe(grows)
})

test.each([403, 404, 422, 302])('%i without a body that can be read proves nothing', (status) => {
  expect(errors.lookUp(page(status), at('10:00:00')).meaning.kind).toBe('ambiguous')
})

test('a refusal that no row knows ends the post with its words', () => {
  const message = expect.stringContaining('No such thing')
  const { meaning } = errors.lookUp(answer(404, { message: 'No such thing' }), at('10:00:00'))
  expect(meaning).toMatchObject({ kind: 'refused', reason: 'UNKNOWN', message })
})
