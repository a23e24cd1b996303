import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailer } from '#identity'
import { type Api, startApi } from '../_util/api/api.ts'
import { newAddress } from '../_util/api/email-changes.ts'
import { enter, share } from '../_util/api/guests.ts'
import { type MailServer, type ReceivedMail, startMailServer, tokenIn } from '../_util/api/mail-server.ts'
import { signInAs } from '../_util/api/members.ts'
import { newMailPerson, newVisitor } from '../_util/api/visitor.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

/** Mails about who someone is, as they come over SMTP: in the reader's language, as text and HTML. */

let api: Api
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({ rate: anyRate, mailer: createMailer({ smtpUrl: mail.url, from: 'almanac@example.com' }) })
})
afterAll(async () => {
  await api.close()
  await mail.close()
})

const NEW = 'a password of this year'
const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }

/** Everything that a reader sees of it, in both forms. */
function read({ subject, text, html }: ReceivedMail) {
  const words = html.replace(/<title>.*?<\/title>|<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  return { subject, text: text.replace(/\s+/g, ' '), words, lang: /<html lang="([^"]*)"/.exec(html)?.[1] }
}

async function germanPerson() {
  const person = await newMailPerson(api)
  const visitor = newVisitor(api)
  expect((await visitor.signIn(person)).status).toBe(200)
  expect((await visitor.request('PATCH', '/preferences', { body: { locale: 'de-DE' } })).status).toBe(200)
  return { person, visitor }
}

describe('in German, as the profile says', () => {
  test('a link for a new password, and the news that it has changed', async () => {
    const { person } = await germanPerson()
    await newVisitor(api).request('POST', '/password-resets', { body: { email: person.email } })
    const link = await mail.next(person.email)
    const token = tokenIn(link.text)
    const address = `https://almanac.test/dashboard/reset-password#token=${token}`
    expect(read(link)).toEqual({
      subject: 'Ein neues Passwort für Almanac',
      lang: 'de',
      text: `Wähle ein neues Passwort für dein Konto auf https://almanac.test. Für diese Adresse wurde ein neues Passwort angefordert. Der Link gilt eine Stunde. Passwort wählen: ${address} Wenn du das nicht warst, musst du nichts tun: Dein Passwort bleibt, wie es ist. `,
      words: expect.stringMatching(/Passwort wählen .*Wenn du das nicht warst, musst du nichts tun/),
    })
    expect(link.html).toContain(`<a href="${address}"`)
    await done(newVisitor(api).request('POST', '/password-resets/redeem', { body: { token, password: NEW } }), 204)
    const changed = await mail.next(person.email)
    expect(read(changed)).toMatchObject({ subject: 'Dein Passwort für Almanac wurde geändert', lang: 'de' })
    expect(changed.text).toContain('Neues Passwort wählen: https://almanac.test/dashboard/forgot-password')
    expect(changed.content).not.toContain(NEW)
  })

  test('the link to another address, and the notice to the one there is', async () => {
    const { person, visitor } = await germanPerson()
    const email = newAddress()
    await done(visitor.request('PUT', '/profile/email', { body: { email, password: person.password } }))
    const [link, notice] = [await mail.next(email), await mail.next(person.email)]
    expect(read(link)).toMatchObject({ subject: 'Bestätige deine Adresse für Almanac', lang: 'de' })
    expect(link.html).toContain(`confirm-email#token=${tokenIn(link.text)}"`)
    expect(read(notice)).toMatchObject({ subject: 'Andere Adresse für dein Konto bei Almanac', lang: 'de' })
    expect(notice.text).toContain('Passwort ändern: https://almanac.test/dashboard/settings/security')
    expect(notice.text + notice.html).not.toContain('token=')
  })

  test('the password that a member has changed, no matter what the browser asks for', async () => {
    const { person, visitor } = await germanPerson()
    const body = { password: person.password, newPassword: NEW }
    await done(visitor.request('PUT', '/profile/password', { body, headers: { 'accept-language': 'en' } }), 204)
    expect(read(await mail.next(person.email))).toMatchObject({
      subject: expect.stringMatching(/geändert$/),
      lang: 'de',
    })
  })

  test('an invitation by someone who reads German, with the role in words and names as they are', async () => {
    const owner = await signInAs(api, 'owner')
    await done(owner.request('PATCH', '/preferences', { body: { locale: 'de' } }))
    await api.db.updateTable('users').set({ name: 'Ada <b>\nBcc: x' }).where('id', '=', owner.userId).execute()
    const email = newAddress()
    await done(owner.request('POST', '/invitations', { body: { email, role: 'reviewer', socialSetIds: null } }), 201)
    const first = await mail.next(email)
    expect(read(first)).toMatchObject({ subject: 'Einladung zu Account auf Almanac', lang: 'de' })
    expect(first.text).toContain('Ada <b> Bcc: x lädt dich ein, Beiträge von Account auf Almanac zu planen')
    expect(first.text).toContain('Prüfer: Liest den Kalender, gibt frei oder fordert Änderungen an.\n')
    expect(first.text).toContain('Der Link gilt 7 Tage.')
    expect(first.html).toContain('Ada &lt;b&gt; Bcc: x lädt dich ein')
    const [{ id }] = (await owner.request('GET', '/members')).body.invitations
    await done(owner.request('POST', `/invitations/${id}/resend`))
    expect(read(await mail.next(email))).toMatchObject({ subject: 'Einladung zu Account auf Almanac', lang: 'de' })
  })
})

describe('where the profile names no language', () => {
  test('it is the one that the browser asks for', async () => {
    const person = await newMailPerson(api)
    const ask = { body: { email: person.email }, headers: GERMAN }
    await newVisitor(api).request('POST', '/password-resets', ask)
    expect(read(await mail.next(person.email))).toMatchObject({ subject: 'Ein neues Passwort für Almanac', lang: 'de' })
    const owner = await signInAs(api, 'owner')
    const email = newAddress()
    const body = { email, role: 'author', socialSetIds: null }
    await done(owner.request('POST', '/invitations', { body, headers: GERMAN }), 201)
    expect(read(await mail.next(email))).toMatchObject({ subject: 'Einladung zu Account auf Almanac', lang: 'de' })
  })

  test('it is English where there are no words in that one', async () => {
    const person = await newMailPerson(api)
    const ask = { body: { email: person.email }, headers: { 'accept-language': 'tlh, *;q=0.5' } }
    await newVisitor(api).request('POST', '/password-resets', ask)
    const link = read(await mail.next(person.email))
    expect(link).toMatchObject({ subject: 'A new password for Almanac', lang: 'en' })
    expect(link.text).toContain('Choose a password: https://almanac.test/dashboard/reset-password#token=')
  })

  test('a guest confirms an address in the language of the browser', async () => {
    const owner = await signInAs(api, 'owner')
    const guest = await enter(api, await share(api, owner, { name: 'Frühling' }), { name: 'Clara' })
    const email = newAddress()
    await done(guest.request('PUT', '/visit/email', { body: { email }, headers: GERMAN }))
    const link = await mail.next(email)
    expect(read(link)).toMatchObject({ subject: 'Bestätige deine Adresse für Frühling', lang: 'de' })
    expect(link.text).toMatch(
      /Der Link gilt \d+ Stunden\.\nAdresse bestätigen: https:\/\/almanac\.test\/shared\/confirm\//,
    )
    expect(link.text + link.html).not.toContain('Clara')
  })
})
