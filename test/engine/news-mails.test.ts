import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#domain'
import { readNewsFaults } from '#persistence'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import {
  addHistoryRow,
  addMember,
  PUBLIC_URL,
  type StartedNewsroom,
  sendsOf,
  startNewsroom,
} from '../_util/api/newsroom.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'
import { startAlertReceiver } from '../_util/networks/alert-receiver.ts'

const refused = { kind: 'refused', reason: 'ACCOUNT_RESTRICTED', message: 'The account may not post.' } as const
const expired = { kind: 'reconnect', mayRefresh: false, message: 'The token was withdrawn.' } as const
const MINUTE = 60_000

let mail: MailServer
const engines: Engine[] = []
const alerters: StartedNewsroom[] = []
beforeEach(async () => {
  mail = await startMailServer()
})
afterEach(async () => {
  for (const alerter of alerters.splice(0)) await alerter.stop({ graceMs: 0 })
  for (const engine of engines.splice(0)) await engine.close()
  await mail.close()
})

async function start(script: Script): Promise<Engine> {
  const engine = await createEngine({ networks: [scriptedNetwork(script)] })
  engines.push(engine)
  return engine
}

function alert(engine: Engine, options: Parameters<typeof startNewsroom>[1] = { smtpUrl: mail.url }): StartedNewsroom {
  const alerter = startNewsroom(engine, options)
  alerters.push(alerter)
  return alerter
}

/** Looks, lets the time pass in which mails wait for others, and looks again. */
async function lookTwice(engine: Engine, alerter: StartedNewsroom): Promise<void> {
  await alerter.lookNow()
  await engine.advance(MINUTE + 1_000)
  await alerter.lookNow()
}

const recipients = () => mail.mails.flatMap(({ to }) => to).toSorted()

describe('who gets a mail', () => {
  test('the author, who scheduled it, and the owners: one each', async () => {
    const engine = await start({ publish: [refused] })
    for (const name of ['owner', 'second-owner'])
      await addMember(engine, { email: `${name}@example.com`, role: 'owner' })
    await addMember(engine, { email: 'admin@example.com', role: 'admin' })
    const author = await addMember(engine, { email: 'author@example.com', role: 'author' })
    const earlier = await addMember(engine, { email: 'earlier@example.com', role: 'editor' })
    const editor = await addMember(engine, { email: 'editor@example.com', role: 'editor' })
    const set = await engine.schedule()
    await addHistoryRow(engine, set, { action: 'created', type: 'USER', id: author })
    await addHistoryRow(engine, set, { action: 'scheduled', type: 'USER', id: earlier })
    await addHistoryRow(engine, set, { action: 'scheduled', type: 'USER', id: editor })
    await engine.drain()
    await lookTwice(engine, alert(engine))
    const wanted = ['author', 'editor', 'owner', 'second-owner'].map((name) => `${name}@example.com`)
    expect(recipients()).toEqual(wanted)
    for (const { to } of mail.mails) expect(to).toHaveLength(1)
    const { text, subject } = await mail.next('author@example.com')
    expect(subject).toBe('Brand: a post was not published')
    expect(text).toContain('BLUESKY (Me, Brand): not published.')
    expect(text).toContain('The account may not post.')
    expect(text).toContain(`${PUBLIC_URL}/dashboard/scheduling/calendar/month?set=${engine.socialSetId}&post=${set}`)
    expect(text).toContain('(Europe/Berlin)')
    expect(text).not.toContain('hello')
    expect((await sendsOf(engine)).map(({ state }) => state)).toEqual(Array(4).fill('SENT'))
  })

  test('for a set of an API key, who created the key; without one the owners alone', async () => {
    const engine = await start({ publish: [refused] })
    await addMember(engine, { email: 'owner@example.com', role: 'owner' })
    const maker = await addMember(engine, { email: 'maker@example.com', role: 'admin' })
    const { account_id } = await engine.db.selectFrom('social_sets').select('account_id').executeTakeFirstOrThrow()
    const makeKey = async (createdBy: string | null) => {
      const id = newId()
      await engine.db
        .insertInto('api_keys')
        .values({
          id,
          account_id,
          name: id,
          prefix: id,
          secret_hash: Buffer.from(id),
          scopes: [],
          created_by: createdBy,
        })
        .execute()
      return id
    }
    const alerter = alert(engine)
    for (const createdBy of [maker, null]) {
      const set = await engine.schedule()
      await addHistoryRow(engine, set, { action: 'created', type: 'API_KEY', id: await makeKey(createdBy) })
      await engine.drain()
      await lookTwice(engine, alerter)
      await engine.advance(61 * MINUTE)
    }
    expect(recipients()).toEqual(['maker@example.com', 'owner@example.com', 'owner@example.com'])
  })

  test('not who no longer sees the social set, left meanwhile, or has an address that receives none', async () => {
    const engine = await start({ publish: [refused] })
    await addMember(engine, { email: 'owner@account.invalid', role: 'owner' })
    const elsewhere = await addMember(engine, {
      email: 'elsewhere@example.com',
      role: 'author',
      socialSetIds: [newId()],
    })
    const leaving = await addMember(engine, { email: 'leaving@example.com', role: 'owner' })
    const set = await engine.schedule()
    await addHistoryRow(engine, set, { action: 'created', type: 'USER', id: elsewhere })
    await engine.drain()
    const alerter = alert(engine)
    await alerter.lookNow()
    await engine.db.deleteFrom('memberships').where('user_id', '=', leaving).execute()
    await engine.advance(MINUTE + 1_000)
    await alerter.lookNow()
    expect(mail.mails).toEqual([])
    expect(await sendsOf(engine)).toMatchObject([{ state: 'GIVEN_UP' }, { state: 'GIVEN_UP' }])
    // Which is no fault that the operator has to know of.
    expect((await readNewsFaults(engine.db)).mail).toEqual({ waiting: 0, givenUp: 0, error: null })
    expect(alerter.logged).toEqual([])
  })
})

describe('folding', () => {
  test('fifty posts that fail by one dead connection are one mail, which lists them', async () => {
    const engine = await start({ prepare: [expired] })
    await addMember(engine, { email: 'owner@example.com', role: 'owner' })
    for (let post = 0; post < 50; post++) await engine.schedule()
    await engine.drain()
    await lookTwice(engine, alert(engine))
    expect(mail.mails).toHaveLength(1)
    const { text, subject } = await mail.next('owner@example.com')
    expect(subject).toBe('Brand: 50 posts were not published')
    expect(text.match(/the account has to be reconnected/g)).toHaveLength(1)
    expect(text).toContain(`Reconnect it here: ${PUBLIC_URL}/dashboard/connections`)
    expect(text.match(/&post=/g)).toHaveLength(20)
    expect(text).toContain('- and 30 more')
  })

  test('two causes are two sections; what comes later waits an hour', async () => {
    const engine = await start({ publish: [refused, refused, { ...refused, message: 'Too many hashtags.' }] })
    await addMember(engine, { email: 'owner@example.com', role: 'owner' })
    for (let post = 0; post < 3; post++) await engine.schedule()
    await engine.drain()
    const alerter = alert(engine)
    await lookTwice(engine, alerter)
    const first = await mail.next('owner@example.com')
    expect(first.text.match(/: not published\./g)).toHaveLength(2)
    expect(first.text).toContain('The account may not post.\n\n2 posts:')

    for (let post = 0; post < 2; post++) {
      await engine.schedule()
      await engine.drain()
      await lookTwice(engine, alerter)
    }
    expect(mail.mails).toHaveLength(1)
    await engine.advance(60 * MINUTE)
    await alerter.lookNow()
    expect(mail.mails).toHaveLength(2)
    expect((await mail.next('owner@example.com')).subject).toBe('Brand: 2 posts were not published')
  })

  test('two workers at once send each person one mail', async () => {
    const engine = await start({ publish: [refused] })
    await addMember(engine, { email: 'owner@example.com', role: 'owner' })
    for (let post = 0; post < 20; post++) await engine.schedule()
    await engine.drain()
    const both = [alert(engine), alert(engine), alert(engine)]
    await both[0]?.lookNow()
    await engine.advance(MINUTE + 1_000)
    await Promise.all(both.map((alerter) => alerter.lookNow()))
    expect(mail.mails).toHaveLength(1)
  })

  test('names and messages of others begin no line and no header', async () => {
    const engine = await start({
      publish: [{ ...refused, message: 'No.\r\n\r\nReconnect it here: https://evil.example' }],
    })
    await addMember(engine, { email: 'owner@example.com', role: 'owner' })
    await engine.db.updateTable('social_sets').set({ name: 'Brand\r\nBcc: other@example.com' }).execute()
    await engine.schedule()
    await engine.drain()
    await lookTwice(engine, alert(engine))
    expect(recipients()).toEqual(['owner@example.com'])
    const { content } = await mail.next('owner@example.com')
    expect(content).not.toMatch(/^(Bcc|Reconnect)/m)
  })
})

describe('a mail server', () => {
  test('that refuses gets the mail again later; log and doctor have its code and no address', async () => {
    const engine = await start({ publish: [refused] })
    await addMember(engine, { email: 'owner@example.com', role: 'owner' })
    await engine.schedule()
    await engine.drain()
    const alerter = alert(engine)
    mail.refuse()
    await lookTwice(engine, alerter)
    expect(alerter.logged).toEqual([
      {
        level: 'warn',
        message: 'A mail about news could not be sent and is tried again later',
        fields: { attempts: 1, error: 'The mail server did not take the mail (550).' },
      },
    ])
    expect((await readNewsFaults(engine.db)).mail).toMatchObject({ waiting: 1, error: expect.stringContaining('550') })
    const other = await startMailServer()
    try {
      await engine.advance(11_000)
      await alert(engine, { smtpUrl: other.url }).lookNow()
      expect(other.mails).toHaveLength(1)
    } finally {
      await other.close()
    }
  })

  test('that hangs, and a receiver that hangs, delay neither each other nor publishing', async () => {
    const engine = await start({ publish: [refused, published] })
    await addMember(engine, { email: 'owner@example.com', role: 'owner' })
    await engine.schedule()
    await engine.drain()
    const receiver = await startAlertReceiver()
    const hanging = await startHangingServer()
    try {
      const settings = { foldMs: 0, receiverLimitMs: 60_000 }
      const url = receiver.url
      // The mail server hangs: the receiver gets its alert.
      const slowMail = alert(engine, { url, smtpUrl: hanging.url, settings: { ...settings, mailLimitMs: 500 } })
      const looking = slowMail.lookNow()
      await hanging.reached
      await receiver.count(1)
      await vi.waitUntil(async () => (await sendsOf(engine)).some(({ state }) => state === 'SENT'))
      const set = await engine.schedule()
      await engine.drain()
      expect(await engine.set(set)).toMatchObject({ status: 'PUBLISHED', results: [{ status: 'POSTED' }] })
      await looking
      expect(slowMail.logged).toMatchObject([{ fields: { error: 'The mail server did not answer in time.' } }])
      // The receiver hangs: the mail goes out.
      receiver.answer(() => {})
      await engine.advance(11_000)
      await engine.db.updateTable('news_sends').set({ state: 'WAITING' }).where('way', '=', 'RECEIVER').execute()
      await engine.advance(2 * MINUTE)
      void alert(engine, { url, smtpUrl: mail.url, settings }).lookNow()
      await receiver.count(2)
      await mail.next('owner@example.com')
    } finally {
      await hanging.close()
      await receiver.close()
    }
  })

  test('that took a mail whose outcome was not stored gets it again after the lease', async () => {
    const engine = await start({ publish: [refused] })
    await addMember(engine, { email: 'owner@example.com', role: 'owner' })
    await engine.schedule()
    await engine.drain()
    const reached = Promise.withResolvers<void>()
    const killed = alert(engine, {
      smtpUrl: mail.url,
      settings: { foldMs: 0 },
      signals: () => {
        reached.resolve()
        return new Promise(() => {})
      },
    })
    void killed.lookNow()
    await reached.promise
    const other = alert(engine)
    await other.lookNow()
    expect(mail.mails).toHaveLength(1)
    await engine.advance(2 * MINUTE + 1_000)
    await other.lookNow()
    expect(mail.mails).toHaveLength(2)
    expect(await sendsOf(engine)).toMatchObject([{ state: 'SENT', attempts: 2 }])
  })
})

/** Takes connections and says nothing. */
async function startHangingServer(): Promise<{ url: string; reached: Promise<void>; close(): Promise<void> }> {
  const reached = Promise.withResolvers<void>()
  const sockets = new Set<{ destroy(): void }>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    reached.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    reached: reached.promise,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
