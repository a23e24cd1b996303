import { expect, test } from 'vitest'
import { secretKeyFinding } from './doctor.ts'

const readable = { identities: 0, networkApps: 0, secondSteps: 0 }
const leftOutEarly = { replacedAt: new Date('2030-01-01'), until: new Date('2030-01-31') }

test('secrets that no key opens are a problem; a key that was left out early, by itself, is a warning', () => {
  expect(secretKeyFinding({ unreadable: readable, leftOutEarly: null })).toBeNull()
  expect(secretKeyFinding({ unreadable: readable, leftOutEarly })).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('until 2030-01-31'),
  })
  for (const unreadable of [
    { ...readable, identities: 1 },
    { ...readable, networkApps: 1 },
    { ...readable, secondSteps: 1 },
  ]) {
    for (const early of [null, leftOutEarly]) {
      expect(secretKeyFinding({ unreadable, leftOutEarly: early })).toMatchObject({
        status: 'problem',
        message: expect.stringContaining('sealed with a secret key that is not set'),
      })
    }
  }
})
