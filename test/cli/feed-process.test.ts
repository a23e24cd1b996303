import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { call } from '../_util/browser/dashboard-seed.ts'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { startAlmanac } from '../_util/processes/app.ts'

const data = await copyOfBegunData()
afterAll(() => data.remove())

test('calendars of others are written and read in processes of their own: what that takes is never loaded by the one that answers', async () => {
  const file = join(data.path, '../loaded-modules')
  const almanac = await startAlmanac({
    settings: {
      ALMANAC_DATA_DIR: data.path,
      ALMANAC_PORT: '0',
      NODE_OPTIONS: `--import ${join(import.meta.dirname, '../_util/list-modules.mjs')}`,
      LOADED_MODULES_FILE: file,
    },
  })
  const { url } = almanac
  try {
    const { key, ownerEmail: email, ownerPassword: password } = await almanac.firstSignIn()
    const { data: brands } = await call(`${url}/v1/social-sets`, 'GET', { authorization: `Bearer ${key}` })
    const signedIn = await fetch(`${url}/internal/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email, password }),
    })
    const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0])
    const member = { cookie: cookie.join('; '), origin: url }
    const feed = await call(`${url}/internal/social-sets/${brands[0].id}/calendar-feed`, 'PUT', member)
    const answer = await fetch(`${url}${new URL(feed.url).pathname}`)
    expect([answer.status, (await answer.text()).slice(0, 15)]).toEqual([200, 'BEGIN:VCALENDAR'])
  } finally {
    await almanac.stop()
  }
  const loaded = (await readFile(file, 'utf8')).split('\n')
  expect(loaded.some((module) => module.endsWith('/src/icalendar/feed-writer.ts'))).toBe(true)
  const works = /\/src\/icalendar\/(write-calendar|feed-events|feed-program|properties|expand-rule)\.ts$/
  const libraries = /\/node_modules\/(ical-generator|ical\.js|rrule-temporal)\//
  expect(loaded.filter((module) => works.test(module) || libraries.test(module))).toEqual([])
})
