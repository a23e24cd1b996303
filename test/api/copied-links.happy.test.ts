import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { enter, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { builtDashboard } from '../_util/security/fixture.ts'

/** The address of a shared calendar can be had again by those who may share it. */

let api: Api
let owner: Person
let dashboardDir: string
beforeAll(async () => {
  dashboardDir = await builtDashboard()
  api = await startApi({ dashboardDir, rate: anyRate })
  owner = await signInAs(api, 'owner')
})
afterAll(async () => {
  await api.close()
  await rm(dashboardDir, { recursive: true })
})

test('a link is copied again by those who may share, which is noted, until it has another address', async () => {
  const { sharedCalendar, address } = await share(api, owner)
  const path = `/shared-calendars/${sharedCalendar.id}`
  const editor = await signInAs(api, 'editor')
  const copied = await done(editor.request('POST', `${path}/copy`))
  expect(copied.address).toBe(address)
  expect(copied.sharedCalendar.lastCopy).toEqual({ by: expect.any(String), at: expect.any(String) })
  await enter(api, { token: copied.address.split('/').at(-1) })
  const renewed = await done(owner.request('POST', `${path}/renew`))
  expect((await done(owner.request('POST', `${path}/copy`))).address).toBe(renewed.address)
  const rows = api.db.selectFrom('shared_calendar_copies').select('user_id')
  expect(await rows.where('shared_calendar_id', '=', sharedCalendar.id).execute()).toHaveLength(2)
  await done(owner.request('POST', `${path}/close`))
  expect(statusAndCode(await owner.request('POST', `${path}/copy`))).toEqual([409, 'request:refused'])
})

test('a link of before addresses were kept can only be replaced', async () => {
  const { sharedCalendar } = await share(api, owner)
  const path = `/shared-calendars/${sharedCalendar.id}`
  const row = api.db.updateTable('shared_calendars').where('id', '=', sharedCalendar.id)
  await row.set({ secret: null, secret_key_id: null }).execute()
  const refused = await owner.request('POST', `${path}/copy`)
  expect(statusAndCode(refused)).toEqual([409, 'request:refused'])
  expect(refused.body.why.code).toBe('why:shared_calendar_not_kept')
  const listed = (await done(owner.request('GET', '/shared-calendars'))).data
  expect(listed.find(({ id }: { id: string }) => id === sharedCalendar.id)).toMatchObject({
    canCopy: false,
    lastCopy: null,
  })
  await done(owner.request('POST', `${path}/renew`))
  await done(owner.request('POST', `${path}/copy`))
})

test('a link addresses its guests formally where it is so wanted', async () => {
  const link = await share(api, owner, { formal: true })
  expect(link.sharedCalendar.formal).toBe(true)
  const guest = await enter(api, link, { name: 'Clara' })
  expect((await done(guest.request('GET', '/visit'))).formal).toBe(true)
  await done(owner.request('PATCH', `/shared-calendars/${link.sharedCalendar.id}`, { body: { formal: false } }))
  expect((await done(guest.request('GET', '/visit'))).formal).toBe(false)
})
