import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#domain'
import { createMailer } from '#identity'
import { createGuardedFetch } from '#media'
import { networksOf } from '#networks'
import { createReceiver, testAlert } from '#news'
import { type Database, endHeldStart, openDatabase, readHeldStart } from '#persistence'
import { startMailServer } from '../../test/_util/api/mail-server.ts'
import { createDatabase } from '../../test/_util/database/database.ts'
import { holdAsCopy } from '../../test/_util/engine/held-start.ts'
import { startAlertReceiver } from '../../test/_util/networks/alert-receiver.ts'
import { type FileServer, startFileServer } from '../../test/_util/networks/file-server.ts'
import type { Log } from './log.ts'
import { createOutbound } from './outbound.ts'
import { openStartGate, requireGoing, type StartGate } from './start-gate.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
let world: FileServer
let closing: AsyncDisposableStack
const logged: string[] = []
const note = (_: object, message?: string) => void logged.push(message ?? '')
const log = { info: note, warn: note } as Pick<Log, 'info' | 'warn'>

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url, { poolSize: 2 })
  world = await startFileServer()
})
afterEach(() => closing.disposeAsync())
afterAll(async () => {
  await db.destroy()
  await world.close()
  await database.drop()
})

async function open(): Promise<StartGate> {
  closing = new AsyncDisposableStack()
  return openStartGate({ db, log, lookMs: 20 }, closing)
}
async function end(): Promise<void> {
  const held = await readHeldStart(db)
  if (held) await endHeldStart(db, held.id, 'operator', 'PARK')
}

test('it is closed from the first moment, says so once, opens with the answer and closes again', async () => {
  await holdAsCopy(db)
  const gate = await open()
  const seen: boolean[] = []
  gate.onLook(() => void seen.push(gate.held() !== null))
  expect(gate.held()).toMatchObject({ why: 'COPY', signs: ['The table was made anew.'] })
  expect(() => requireGoing(gate)).toThrow(/almanac resume/)
  expect(logged).toEqual([expect.stringMatching(/may be a copy.*The table was made anew\./)])
  await end()
  await vi.waitUntil(() => gate.held() === null, { interval: 5 })
  requireGoing(gate)
  await holdAsCopy(db)
  await vi.waitUntil(() => gate.held() !== null, { interval: 5 })
  expect(gate.fresh()).toBe(true)
  expect(seen).toEqual(expect.arrayContaining([true, false]))
  expect(logged).toHaveLength(3)
  await end()
})

test('no kind of call passes it, also on connections that are open, and nothing has left then', async () => {
  const gate = await open()
  const guarded = createGuardedFetch({ trustedHosts: [world.host], through: gate.through })
  const mail = await startMailServer()
  const alerts = await startAlertReceiver()
  const outbound = createOutbound({
    settingsOf: () => ({}),
    networks: networksOf([]),
    sandboxUrl: world.url('/sandbox'),
    sandboxKeys: [Buffer.alloc(32)],
    guarded,
    gate,
  })
  const receiver = createReceiver({
    url: alerts.url,
    trustedHosts: [],
    keys: [Buffer.alloc(32)],
    through: gate.through,
  })
  const mailer = gate.mailThrough(createMailer({ smtpUrl: mail.url, from: 'a@example.com' }))
  closing.defer(async () => {
    await Promise.all([receiver.close(), outbound.close(), guarded.close()])
    await Promise.all([mail.close(), alerts.close()])
  })
  const file = await world.fixture('photo.jpg')
  const http = outbound.httpFor({ sandbox: true, endpoints: {} })
  const signal = AbortSignal.timeout(20_000)
  const kinds: Record<string, () => Promise<unknown>> = {
    network: async () => {
      const result = await http({ method: 'POST', url: world.url('/token'), json: {}, signal })
      if (result.kind === 'failed') throw Object.assign(new Error(result.message), { sent: result.sent })
    },
    file: async () => {
      const limits = { maxBytes: 10_000_000, timeoutMs: 20_000, idleTimeoutMs: 20_000 }
      const downloaded = await guarded.download(file, { ...limits, signal })
      if (downloaded.kind !== 'ok') throw new Error('It was refused.')
      for await (const _ of downloaded.stream);
    },
    alert: async () => {
      const posted = await receiver.post(testAlert('http://here', new Date()), signal)
      if (!posted.taken) throw new Error(posted.message)
    },
    mail: () => mailer.send({ to: 'b@example.com', subject: newId(), text: 'Hello' }),
  }
  const went = () => [world.requests.length, alerts.received.length, mail.mails.length]
  const outcomes = async () => {
    const all = Object.entries(kinds).map(async ([name, call]) => [
      name,
      await call().then(
        () => 'went',
        (error) => error,
      ),
    ])
    return Object.fromEntries(await Promise.all(all))
  }
  expect(await outcomes()).toEqual({ network: 'went', file: 'went', alert: 'went', mail: 'went' })
  expect(went()).toEqual([2, 1, 1])
  await holdAsCopy(db)
  await vi.waitUntil(() => gate.held() !== null, { interval: 5 })
  const words = expect.objectContaining({
    message: expect.stringMatching(/may be a copy of another one and calls no one/),
  })
  const refused = await outcomes()
  expect(refused).toMatchObject({ network: words, mail: words })
  expect(refused.network.sent).toBe(false)
  expect(refused.file).toBeInstanceOf(Error)
  expect(refused.alert).toBeInstanceOf(Error)
  expect(went()).toEqual([2, 1, 1])
  await end()
})
