import { describe, expect, test } from 'vitest'
import { errors, nextMidnight, pauseUntil } from './outcomes.ts'

const at = (time: string) => new Date(`2026-11-21T${time}Z`)
const answer = (status: number, json?: unknown) =>
  ({ kind: 'answer', status, headers: {}, text: JSON.stringify(json) ?? '', json }) as const

describe('pauses that nobody names', () => {
  test.each([
    ['10:00:00', 0, '10:15:00'],
    ['10:00:00', 1, '10:30:00'],
    ['10:00:00', 4, '14:00:00'],
    ['23:50:00', 0, '24:00:00'],
    ['10:00:00', 60, '24:00:00'],
  ])('at %s after %i: %s', (now, pauses, until) => {
    const midnight = new Date('2026-11-22T00:00:00Z')
    expect(pauseUntil(at(now), pauses)).toEqual(until === '24:00:00' ? midnight : at(until))
  })

  test('the day ends at midnight UTC', () => {
    expect(nextMidnight(at('00:00:00'))).toEqual(new Date('2026-11-22T00:00:00Z'))
    expect(nextMidnight(at('23:59:59'))).toEqual(new Date('2026-11-22T00:00:00Z'))
  })

  test('a quota of the day is waited for at once, another one by and by', () => {
    const told = (message: string) => errors.classify(answer(429, { message, status: 429 }), at('10:00:00'))
    const ofDay = told('Application level DAY limit reached')
    expect(ofDay).toMatchObject({ meaning: { kind: 'wait', until: new Date('2026-11-22T00:00:00Z') } })
    expect(ofDay.grows).toBeUndefined()
    expect(told('Resource level throttle limit')).toMatchObject({
      meaning: { kind: 'wait', until: at('10:15:00') },
      grows: true,
    })
  })
})

describe('answers that are not LinkedIn’s', () => {
  test.each([403, 404, 422, 302])('%i without a body that can be read proves nothing', (status) => {
    expect(errors.lookUp(answer(status), at('10:00:00')).meaning.kind).toBe('ambiguous')
  })
  test('a refusal that no row knows ends the post with its words', () => {
    const { meaning } = errors.lookUp(answer(404, { message: 'No such thing', status: 404 }), at('10:00:00'))
    expect(meaning).toMatchObject({
      kind: 'refused',
      reason: 'UNKNOWN',
      message: expect.stringContaining('such thing'),
    })
  })
})
