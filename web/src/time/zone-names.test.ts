import { expect, test } from 'vitest'
import { timezoneOptions } from './zone-names.ts'

const values = (chosen: string) => timezoneOptions(chosen).map(({ value }) => value)

test('timezones are offered by their names of today, each once, with the distance from UTC', () => {
  const all = values('UTC')
  expect(new Set(all).size).toBe(all.length)
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Kyiv', 'America/Nuuk']) {
    expect(all).toContain(name)
  }
  for (const name of ['Asia/Calcutta', 'Asia/Katmandu', 'Europe/Kiev']) expect(all).not.toContain(name)
  expect(timezoneOptions('UTC')).toContainEqual({
    value: 'Asia/Ho_Chi_Minh',
    label: 'Asia/Ho Chi Minh (UTC+07:00)',
  })
})

test('a timezone that was chosen by an older name can stay chosen', () => {
  expect(values('Europe/Kiev')[0]).toBe('Europe/Kiev')
})

test('every timezone that is offered is one', () => {
  for (const name of values('UTC')) expect(() => Temporal.Now.zonedDateTimeISO(name)).not.toThrow()
})
