import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MemberLink, MemberLinkEnd } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { enter, type GuestClient, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode, WRONG_ROLE } from '../_util/browser/dashboard-api.ts'

let api: Api
let owner: Person
let other: string
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
  other = await api.newSocialSet({ name: 'Other brand' })
})
afterAll(() => api.close())

const linksOf = async (person: Person, query = ''): Promise<MemberLink[]> =>
  (await done(owner.request('GET', `/members/${person.userId}/links${query}`))).data
const names = (links: readonly MemberLink[]) => links.map(({ kind, name, made }) => `${kind} ${name} ${made}`)
const endsOf = (links: readonly MemberLink[], how: MemberLinkEnd['how']): MemberLinkEnd[] =>
  links.map(({ kind, id }) => ({ kind, id, how }))
const remove = (person: Person, more: object = {}) =>
  owner.request('DELETE', `/members/${person.userId}`, { body: { password: owner.password, ...more } })
const change = (person: Person, body: object) => owner.request('PATCH', `/members/${person.userId}`, { body })
/** The status of a calendar address. */
const feed = async (url: string) => (await fetch(url.replace('https://almanac.test', api.url))).status
const looks = async (guest: GuestClient) => (await guest.request('GET', '/visit')).status
const giveFeed = async (person: Person, id: string): Promise<string> =>
  (await done(person.request('PUT', `/social-sets/${id}/calendar-feed`))).url
/** A member in front of what guests see. */
async function preview(person: Person, id: string): Promise<GuestClient> {
  const { address } = await done(person.request('POST', `/shared-calendars/${id}/look`))
  return enter(api, { token: address.split('/').at(-1) })
}

describe('removing a member', () => {
  test('offers what the member created or could see by name, with what it opens; what is chosen ends with it', async () => {
    const person = await signInAs(api, 'editor')
    const own = await share(api, person, { name: 'Own link' })
    const theirs = await share(api, owner, { name: 'Link of others' })
    const closed = await share(api, owner, { name: 'Closed' })
    await done(owner.request('POST', `/shared-calendars/${closed.sharedCalendar.id}/close`))
    const feedUrl = await giveFeed(person, api.socialSetId)
    const offered = await linksOf(person)
    expect(names(offered)).toEqual([
      'CALENDAR_FEED Brand true',
      'SHARED_CALENDAR Own link true',
      'SHARED_CALENDAR Link of others false',
    ])
    expect(offered[1]).toMatchObject({
      id: own.sharedCalendar.id,
      socialSetIds: [api.socialSetId],
      shows: { drafts: true },
      allows: { decide: true },
      hasFeed: false,
    })
    const [byOwn, byTheirs] = [await enter(api, own), await enter(api, theirs)]
    const [brand, first, second] = offered
    if (!brand || !first || !second) throw new Error('Three are not offered.')
    const links = [...endsOf([brand, first], 'RENEW'), ...endsOf([second], 'CLOSE')]
    const { newAddresses } = await done(remove(person, { links }))
    expect(newAddresses.map(({ name }: { name: string }) => name)).toEqual(['Brand', 'Own link'])
    expect([await looks(byOwn), await looks(byTheirs), await feed(feedUrl)]).toEqual([404, 404, 404])
    expect(await feed(newAddresses[0].address)).toBe(200)
    expect(await looks(await enter(api, { token: newAddresses[1].address.split('/').at(-1) }))).toBe(200)
  })

  test('is asked about for those who copied the present address', async () => {
    const person = await signInAs(api, 'editor', { socialSetIds: [api.socialSetId] })
    const link = await share(api, owner, { name: 'Copied once' })
    const admin = await signInAs(api, 'admin')
    const made = async () =>
      (await linksOf(person)).filter(({ name, made }: MemberLink) => made && name === 'Copied once').length
    expect(await made()).toBe(0)
    await done(person.request('POST', `/shared-calendars/${link.sharedCalendar.id}/copy`))
    expect(await made()).toBe(1)
    await done(admin.request('POST', `/shared-calendars/${link.sharedCalendar.id}/renew`))
    expect(await made()).toBe(0)
    await done(owner.request('POST', `/shared-calendars/${link.sharedCalendar.id}/close`))
  })

  test('leaves what is not chosen, and ends nothing when the password is wrong', async () => {
    const person = await signInAs(api, 'editor')
    const link = await share(api, person, { name: 'Stays' })
    const guest = await enter(api, link)
    const links = endsOf(await linksOf(person), 'CLOSE')
    expect(statusAndCode(await remove(person, { links, password: 'wrong' }))).toEqual([
      403,
      'auth:password_confirmation_failed',
    ])
    expect(await looks(guest)).toBe(200)
    expect(await done(remove(person))).toEqual({ newAddresses: [] })
    expect(await looks(guest)).toBe(200)
    await done(owner.request('POST', `/shared-calendars/${link.sharedCalendar.id}/close`))
  })

  test('ends the member’s own previews at once, and no one else’s', async () => {
    const person = await signInAs(api, 'editor')
    const link = await share(api, owner, { name: 'Looked at' })
    const [own, theirs] = [await preview(person, link.sharedCalendar.id), await preview(owner, link.sharedCalendar.id)]
    const { address } = await done(person.request('POST', `/shared-calendars/${link.sharedCalendar.id}/look`))
    expect([await looks(own), await looks(theirs)]).toEqual([200, 200])
    await done(remove(person))
    expect([await looks(own), await looks(theirs)]).toEqual([404, 200])
    // Nor does an address that was not followed yet let in.
    const response = await fetch(address.replace('https://almanac.test', api.url), { redirect: 'manual' })
    expect(response.headers.getSetCookie().filter((line) => line.startsWith('almanac_entry='))).toEqual([])
    await done(owner.request('POST', `/shared-calendars/${link.sharedCalendar.id}/close`))
  })

  test('is offered to those who manage members alone, about members that they may remove', async () => {
    const [editor, admin] = [await signInAs(api, 'editor'), await signInAs(api, 'admin')]
    expect(statusAndCode(await editor.request('GET', `/members/${editor.userId}/links`))).toEqual(WRONG_ROLE)
    expect(statusAndCode(await admin.request('GET', `/members/${owner.userId}/links`))).toEqual(WRONG_ROLE)
    const link = await share(api, editor, { name: 'Own' })
    const links: MemberLinkEnd[] = [{ kind: 'SHARED_CALENDAR', id: link.sharedCalendar.id, how: 'CLOSE' }]
    const leaving = await editor.request('DELETE', `/members/${editor.userId}`, {
      body: { password: editor.password, links },
    })
    expect(statusAndCode(leaving)).toEqual(WRONG_ROLE)
    await done(owner.request('POST', `/shared-calendars/${link.sharedCalendar.id}/close`))
  })
})

describe('a member whose role or brands lose the right', () => {
  test('is asked about in the same way, about what the member cannot see any more', async () => {
    const person = await signInAs(api, 'editor')
    const here = await share(api, person, { name: 'Here' })
    const there = await share({ socialSetId: other }, owner, { name: 'There' })
    const guest = await enter(api, there)
    expect(names(await linksOf(person, '?role=admin'))).toEqual([])
    const fewer = await linksOf(person, `?role=editor&socialSetIds=${api.socialSetId}`)
    expect(names(fewer)).toEqual(['SHARED_CALENDAR There false'])
    const looked = await preview(person, there.sharedCalendar.id)
    const stays = await preview(person, here.sharedCalendar.id)
    const body = { socialSetIds: [api.socialSetId], links: endsOf(fewer, 'RENEW') }
    expect((await done(change(person, body))).newAddresses).toMatchObject([{ name: 'There' }])
    expect([await looks(guest), await looks(looked), await looks(stays)]).toEqual([404, 404, 200])
    expect(names(await linksOf(person, '?role=author'))).toContain('SHARED_CALENDAR Here true')
    await done(change(person, { role: 'author' }))
    expect(await looks(stays)).toBe(404)
    // What they made before is still offered when they leave.
    expect(names(await linksOf(person))).toContain('SHARED_CALENDAR Here true')
  })

  test('is asked about again when they leave, as far as the addresses are those that they saw', async () => {
    const person = await signInAs(api, 'editor')
    const seen = [
      await share(api, owner, { name: 'Seen' }),
      await share({ socialSetId: other }, owner, { name: 'Seen there' }),
      await share(api, owner, { name: 'Renewed since' }),
    ]
    const renewed = seen[2]?.sharedCalendar.id
    const brandFeed = await giveFeed(owner, other)
    await done(change(person, { socialSetIds: [api.socialSetId] }))
    seen.push(await share({ socialSetId: other }, owner, { name: 'Never seen there' }))
    await done(change(person, { role: 'author' }))
    await done(change(person, { socialSetIds: null }))
    await done(owner.request('POST', `/shared-calendars/${renewed}/renew`))
    seen.push(await share(api, owner, { name: 'Never seen' }))
    const here = [other, ...seen.map(({ sharedCalendar }) => sharedCalendar.id)]
    const offered = (await linksOf(person)).filter(({ id }) => here.includes(id))
    expect(names(offered)).toEqual([
      'CALENDAR_FEED Other brand false',
      'SHARED_CALENDAR Seen false',
      'SHARED_CALENDAR Seen there false',
    ])
    await done(remove(person, { links: endsOf(offered, 'CLOSE') }))
    expect(await feed(brandFeed)).toBe(404)
    for (const { sharedCalendar } of seen) await owner.request('POST', `/shared-calendars/${sharedCalendar.id}/close`)
  })

  test('is asked about no address that was renewed without them, nor about what they could not see before either', async () => {
    const person = await signInAs(api, 'editor')
    const link = await share(api, person, { name: 'Renewed' })
    const offered = await linksOf(person, '?role=author')
    const ours = offered.filter(({ id }) => id === link.sharedCalendar.id)
    expect(names(ours)).toEqual(['SHARED_CALENDAR Renewed true'])
    expect((await done(change(person, { role: 'author', links: endsOf(ours, 'RENEW') }))).newAddresses).toHaveLength(1)
    expect(names(await linksOf(person))).not.toContainEqual(expect.stringContaining('Renewed'))
    // One that stayed is offered when they leave, and not with each change before.
    await done(change(person, { role: 'editor' }))
    const own = await share(api, person, { name: 'Stayed' })
    await done(change(person, { role: 'author' }))
    expect(names(await linksOf(person, '?role=reviewer'))).toEqual([])
    expect(names(await linksOf(person))).toContain('SHARED_CALENDAR Stayed true')
    // Who renews it knows it.
    const admin = await signInAs(api, 'admin')
    await done(admin.request('POST', `/shared-calendars/${own.sharedCalendar.id}/renew`))
    expect(names(await linksOf(person))).not.toContainEqual(expect.stringContaining('Stayed'))
    expect(names(await linksOf(admin))).toContain('SHARED_CALENDAR Stayed true')
    for (const { sharedCalendar } of [link, own]) {
      await done(owner.request('POST', `/shared-calendars/${sharedCalendar.id}/close`))
    }
  })

  test('what stays in sight cannot be ended with it', async () => {
    const person = await signInAs(api, 'editor')
    const link = await share(api, person, { name: 'Kept in sight' })
    const guest = await enter(api, link)
    const links: MemberLinkEnd[] = [{ kind: 'SHARED_CALENDAR', id: link.sharedCalendar.id, how: 'CLOSE' }]
    expect(await done(change(person, { role: 'admin', links }))).toMatchObject({ role: 'admin', newAddresses: [] })
    expect(await looks(guest)).toBe(200)
  })
})

test('a key reaches no address, so that there is none to end when it is revoked', () => {
  const reached = Object.keys(api.openApi.paths ?? {}).filter((path) => /shared|feed|member|invitation/.test(path))
  expect(reached).toEqual([])
})
