import { afterAll, describe, expect, test } from 'vitest'
import { newLinkToken, unsubscribeToken } from '#domain'
import { openGuestFixture } from '../_util/api/guest-fixture.ts'
import { enter, share } from '../_util/api/guests.ts'
import { UNSUBSCRIBE_KEYS } from '../_util/api/newsroom.ts'
import { done } from '../_util/browser/dashboard-api.ts'

/** The pages before a shared calendar, in the language of the browser. */

const fixture = await openGuestFixture()
const { api, owner, guest, mails } = fixture
afterAll(() => api.close())

const OWN_FORM = { origin: 'null', 'sec-fetch-site': 'same-origin' }

interface Asked {
  language?: string
  /** Sends the form of the page. */
  form?: Record<string, string>
  address?: string
}

async function look(path: string, { language = 'de-AT,de;q=0.9,en;q=0.5', form, address = '203.0.113.9' }: Asked = {}) {
  const page = await fetch(`${api.url}${path}`, {
    redirect: 'manual',
    headers: { 'accept-language': language, 'x-forwarded-for': address, ...(form ? OWN_FORM : {}) },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  })
  const html = await page.text()
  const headers = [...page.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  return {
    status: page.status,
    vary: page.headers.get('vary'),
    lang: /<html lang="([^"]*)"/.exec(html)?.[1],
    heading: /<h1>([^<]*)<\/h1>/.exec(html)?.[1],
    text: html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
    all: JSON.stringify([page.status, headers, html]),
  }
}

async function confirmPath(email: string): Promise<string> {
  await done(guest.request('PUT', '/visit/email', { body: { email } }))
  return /https:\/\/almanac\.test(\/shared\/confirm\/\S+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
}

const german = { vary: 'Accept-Language', lang: 'de' }

describe('a browser that asks for German gets', () => {
  test('the form for a passcode, and what is wrong with one', async () => {
    const { token } = await share(api, owner, { passcode: 'tulips' })
    const path = `/shared/${token}`
    const heading = 'Dieser Kalender hat einen Passcode'
    expect(await look(path)).toMatchObject({ ...german, status: 200, heading })
    const wrong = await look(path, { form: { passcode: 'roses' } })
    expect(wrong).toMatchObject({ ...german, status: 403, heading })
    expect(wrong.text).toContain('Das ist nicht der Passcode. Versuche es noch einmal.')
    expect(wrong.text).toContain('Kalender öffnen')
    const tries = Array.from({ length: 10 }, () => look(path, { form: { passcode: 'roses' } }))
    await Promise.all(tries)
    const refused = await look(path, { form: { passcode: 'tulips' } })
    expect(refused).toMatchObject({ ...german, status: 429, heading: 'Zu viele falsche Passcodes' })
    expect(refused.text).toMatch(/In \d+ Minuten geht es wieder/)
    const entered = await look(path, { form: { passcode: 'tulips' }, address: '203.0.113.8' })
    expect(entered).toMatchObject({ status: 303, vary: 'Accept-Language' })
  })

  test('the question whether an address is right, and the outcome', async () => {
    const path = await confirmPath('clara@example.com')
    const question = await look(path)
    expect(question).toMatchObject({ ...german, status: 200, heading: 'Bestätige deine Adresse' })
    expect(question.text).toContain('Neuigkeiten aus einem geteilten Kalender werden an diese Adresse geschickt.')
    const confirmed = await look(path, { form: {} })
    expect(confirmed).toMatchObject({ ...german, status: 200, heading: 'Deine Adresse ist bestätigt' })
    const nothing = { ...german, status: 404, heading: 'Es gibt nichts zu bestätigen' }
    expect(await look(path, { form: {} })).toMatchObject(nothing)
    expect(await look(path)).toMatchObject(nothing)
  })

  test('the same page at every address that opens nothing', async () => {
    const closed = await share(api, owner, { passcode: 'tulips' })
    await done(owner.request('POST', `/shared-calendars/${closed.sharedCalendar.id}/close`))
    const expired = await share(api, owner, { lastDay: '2020-01-01' })
    const left = await enter(api, await share(api, owner))
    for (const language of ['de', 'en', 'fr, de;q=0.1']) {
      const paths = [closed.token, expired.token, newLinkToken().token, 'short', `view/${left.id}`, 'view/nonsense']
      const pages = await Promise.all(paths.map((path) => look(`/shared/${path}`, { language })))
      expect(new Set(pages.map(({ all }) => all)).size).toBe(1)
      expect(pages[0]).toMatchObject(
        language === 'en'
          ? { lang: 'en', heading: 'This calendar is not shared any more' }
          : { ...german, heading: 'Dieser Kalender wird nicht mehr geteilt' },
      )
    }
  })

  test('the brands of the mails that end, and no promise before the button is pressed', async () => {
    const visit = await done(guest.request('GET', '/visit'))
    const wanted = {
      type: 'guest',
      id: visit.guest.id,
      accountId: api.accountId,
      causes: ['REVIEW_REQUESTED'],
    } as const
    await api.db.updateTable('shared_guests').set({ locale: 'de' }).where('id', '=', visit.guest.id).execute()
    const path = `/unsubscribe?token=${unsubscribeToken(UNSUBSCRIBE_KEYS, wanted)}`
    const asked = await look(path)
    expect(asked.text).toContain(visit.brands[0].name)
    expect(asked.text).not.toContain('keine Mails mehr.')
    const ended = await look(path, { form: {} })
    expect(ended.text).toContain(visit.brands[0].name)
  })

  test('“Sie” on all of them where the link says so', async () => {
    const formal = await share(api, owner, { passcode: 'tulips', formal: true })
    const wrong = await look(`/shared/${formal.token}`, { form: { passcode: 'roses' } })
    expect(wrong.text).toContain('Das ist nicht der Passcode. Versuchen Sie es noch einmal.')

    const { id } = (await done(guest.request('GET', '/visit'))).guest
    const link = await api.db.selectFrom('shared_guests').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const say = (formal: boolean) =>
      done(owner.request('PATCH', `/shared-calendars/${link.shared_calendar_id}`, { body: { formal } }))
    await say(true)
    const path = await confirmPath('dora@example.com')
    expect((await look(path)).heading).toBe('Bestätigen Sie Ihre Adresse')
    const confirmed = await look(path, { form: {} })
    expect(confirmed.heading).toBe('Ihre Adresse ist bestätigt')
    expect(confirmed.text).toContain('Sie können diese Seite schließen.')
    await api.db.updateTable('shared_guests').set({ locale: 'de' }).where('id', '=', id).execute()
    const token = unsubscribeToken(UNSUBSCRIBE_KEYS, {
      type: 'guest',
      id,
      accountId: api.accountId,
      causes: ['REVIEW_REQUESTED'],
    })
    const asked = await look(`/unsubscribe?token=${token}`)
    expect(asked.text).toContain('Drücken Sie auf den Knopf')
    expect(asked.text).toContain('auf Ihre Freigabe')
    expect((await look(`/unsubscribe?token=${token}`, { form: {} })).text).toContain('Almanac schickt Ihnen dazu')
    await say(false)
    expect((await look(`/unsubscribe?token=${token}`)).text).toContain('auf deine Freigabe')
  })

  test('a page about mails that cannot be ended, where it is not known who reads it', async () => {
    const heading = 'Dieser Link funktioniert nicht'
    expect(await look('/unsubscribe?token=nonsense')).toMatchObject({ ...german, status: 404, heading })
  })
})

test.each(['fr', '*', 'constructor', '"><script>'])('a browser that asks for %s gets English', async (language) => {
  expect(await look('/shared/short', { language })).toMatchObject({
    vary: 'Accept-Language',
    lang: 'en',
    heading: 'This calendar is not shared any more',
  })
})
