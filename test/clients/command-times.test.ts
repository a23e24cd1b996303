import { afterEach, describe, expect, test, vi } from 'vitest'
import { WrongUse } from '../../clients/command/src/io.ts'
import { readWhen, shownTime } from '../../clients/command/src/times.ts'

/** The moment that words mean, in UTC; `ask` answers what it is asked. */
async function moment(words: string, now: string, timezone = 'Europe/Berlin', answers: string[] | null = null) {
  const ask = answers && (async () => answers.shift() ?? '')
  const when = await readWhen(words, { timezone, now: new Date(now), ask })
  return when.toInstant().toString()
}

afterEach(() => vi.unstubAllEnvs())

const SATURDAY = '2030-03-30T20:00:00Z'

describe('by the clocks of the brand, wherever the machine is', () => {
  // In Berlin clocks go forward on 2030-03-31 at 2:00, in New York on 2030-03-10, in Lord Howe by half an hour on 2030-10-06.
  test.each([
    ['tomorrow 9:00', SATURDAY, 'Europe/Berlin', '2030-03-31T07:00:00Z'],
    ['tomorrow 9:00', '2030-03-29T20:00:00Z', 'Europe/Berlin', '2030-03-30T08:00:00Z'],
    ['tomorrow at 9am', '2030-03-10T03:00:00Z', 'America/New_York', '2030-03-10T13:00:00Z'],
    ['tomorrow 9:00', '2030-10-05T10:00:00Z', 'Australia/Lord_Howe', '2030-10-05T22:00:00Z'],
    // It is Sunday in Auckland already.
    ['today 17:00', SATURDAY, 'Pacific/Auckland', '2030-03-31T04:00:00Z'],
    ['monday at 8pm', SATURDAY, 'Europe/Berlin', '2030-04-01T18:00:00Z'],
    ['on friday 7:30', SATURDAY, 'Europe/Berlin', '2030-04-05T05:30:00Z'],
    ['2030-06-01 09:00', SATURDAY, 'America/New_York', '2030-06-01T13:00:00Z'],
    ['2030-06-01T9:00', SATURDAY, 'Europe/Berlin', '2030-06-01T07:00:00Z'],
    ['June 1 2030 9:00', SATURDAY, 'Europe/Berlin', '2030-06-01T07:00:00Z'],
    ['9:00', SATURDAY, 'Europe/Berlin', '2030-03-31T07:00:00Z'],
  ])('%s, said at %s in %s, is %s', async (words, now, timezone, expected) => {
    expect(await moment(words, now, timezone)).toBe(expected)
  })

  test.each(['America/New_York', 'Pacific/Auckland', 'Europe/Berlin'])('on a machine in %s too', async (zone) => {
    vi.stubEnv('TZ', zone)
    expect(new Date(SATURDAY).getHours()).not.toBe(20)
    expect(await moment('tomorrow 9:00', SATURDAY)).toBe('2030-03-31T07:00:00Z')
    expect(await moment('in 3 hours', '2030-03-30T22:30:00Z')).toBe('2030-03-31T01:30:00Z')
    expect(await moment('today 17:00', SATURDAY, 'Pacific/Auckland')).toBe('2030-03-31T04:00:00Z')
  })

  test('an offset, and now, are the moment that they say', async () => {
    expect(await moment('2030-06-01T09:00:00-04:00', SATURDAY)).toBe('2030-06-01T13:00:00Z')
    expect(await moment('2030-06-01 09:00Z', SATURDAY)).toBe('2030-06-01T09:00:00Z')
    expect(await moment('now', SATURDAY)).toBe('2030-03-30T20:00:00Z')
  })

  test('lengths of hours are exact time, over the night in which clocks change too', async () => {
    // 23:30 in Berlin; three hours later clocks show 3:30.
    expect(await moment('in 3 hours', '2030-03-30T22:30:00Z')).toBe('2030-03-31T01:30:00Z')
    expect(await moment('in 90 minutes', '2030-10-26T23:30:00Z')).toBe('2030-10-27T01:00:00Z')
  })
})

describe('the nights in which clocks change', () => {
  test('a time that they skip moves forward by what they skip', async () => {
    expect(await moment('tomorrow 2:30', SATURDAY)).toBe('2030-03-31T01:30:00Z')
    expect(await moment('2030-03-31 02:30', SATURDAY)).toBe('2030-03-31T01:30:00Z')
  })

  test('of a time that they show twice one is asked for', async () => {
    const night = '2030-10-26T10:00:00Z'
    expect(await moment('tomorrow 2:30', night, 'Europe/Berlin', ['', '1'])).toBe('2030-10-27T00:30:00Z')
    expect(await moment('tomorrow 2:30', night, 'Europe/Berlin', ['2'])).toBe('2030-10-27T01:30:00Z')
    const alone = moment('tomorrow 2:30', night)
    await expect(alone).rejects.toThrow(WrongUse)
    await expect(alone).rejects.toThrow('Write 2030-10-27T02:30+02:00 or 2030-10-27T02:30+01:00.')
    expect(await moment('2030-10-27T02:30+01:00', night)).toBe('2030-10-27T01:30:00Z')
  })
})

test.each([
  'soon',
  'tomorrow',
  'tomorrow 9:00 or later',
  'tomorrow 9:00 and friday 9:00',
  '2030-02-30 09:00',
  '25:00',
  '',
])('“%s” is no time', async (words) => {
  await expect(moment(words, SATURDAY)).rejects.toThrow(WrongUse)
})

test('a time is shown with its zone', async () => {
  const when = await readWhen('tomorrow 9:00', { timezone: 'Europe/Berlin', now: new Date(SATURDAY), ask: null })
  expect(shownTime(when)).toBe('Sun, 31 March 2030 at 09:00 (Europe/Berlin, +02:00)')
})
