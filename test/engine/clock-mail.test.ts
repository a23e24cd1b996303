import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { createMailer } from '#identity'
import { believeDatabaseClock } from '#persistence'
import { mailClockJump } from '../../src/app/clock-mail.ts'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import { HOUR, MINUTE, SECOND } from '../_util/engine/clock-steps.ts'
import type { Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'

/** A clock that has jumped ahead is mailed to those who operate the installation: once, when it lasts. */

const startEngine = scriptedEngines()
let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
})
afterAll(() => server.close())

const operator = 'ada@example.com'

/** Workers on one database, whose mails go to one server, and a clock of the mails alone. */
async function startMailing(workers = 1) {
  const { engine } = await startEngine({})
  server.mails.splice(0)
  await sql`insert into users (id, name, email, is_operator) values (${newId()}, 'Ada', ${operator}, true)`.execute(
    engine.db,
  )
  let passedMs = 0
  const mailing = Array.from({ length: workers }, () => startOne(engine, () => passedMs))
  const pass = async (ms: number) => {
    passedMs += ms
    await engine.look()
    await Promise.all(mailing.map(({ look }) => look()))
  }
  await pass(0)
  return { engine, pass, startOne: () => startOne(engine, () => passedMs) }
}

function startOne({ db, clockAheadMs }: Engine, now: () => number) {
  const mail = mailClockJump({
    ...{ db, clockAheadMs, now, publicUrl: 'https://almanac.test', log: { warn: () => {} } },
    mailer: createMailer({ smtpUrl: server.url, from: 'Almanac <almanac@example.com>' }),
  })
  mail.stop()
  return mail
}

test('a jump that lasts a minute is mailed once by any number of workers, and so is the next one', async () => {
  const { engine, pass, startOne } = await startMailing(3)
  await engine.stepDatabase(2 * HOUR)
  await pass(0)
  await pass(59 * SECOND)
  expect(server.mails).toEqual([])
  await pass(2 * SECOND)
  await pass(HOUR)
  // A worker that begins in the jump finds that it was mailed.
  const later = startOne()
  await later.look()
  await pass(2 * MINUTE)
  await later.look()
  expect(server.mails.map(({ to }) => to)).toEqual([[operator]])
  const [mail] = server.mails
  expect(mail?.subject).toBe('The clock of Almanac has jumped ahead')
  for (const words of ['https://almanac.test has jumped ahead by 2 hours', 'almanac clock believe'])
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(words)

  await believeDatabaseClock(engine.db)
  await pass(SECOND)
  await engine.stepDatabase(90 * MINUTE)
  await pass(0)
  await pass(MINUTE)
  expect(server.mails).toHaveLength(2)
  expect(server.mails[1]?.text.replace(/\s+/g, ' ')).toContain('jumped ahead by 90 minutes')
})

test('a jump that is over within the minute is not mailed, however often it comes', async () => {
  const { engine, pass } = await startMailing()
  for (let nth = 0; nth < 3; nth++) {
    await engine.stepDatabase(2 * HOUR)
    await pass(0)
    await pass(50 * SECOND)
    await engine.stepDatabase(-2 * HOUR)
    await pass(SECOND)
  }
  expect(server.mails).toEqual([])
})

test('a mail server that takes none is asked again ten minutes later', async () => {
  const { engine, pass } = await startMailing()
  const refusing = await startMailServer()
  refusing.refuse()
  const mails = [refusing, server].map(({ url }) => createMailer({ smtpUrl: url, from: 'almanac@example.com' }))
  let nth = 0
  let nowMs = 0
  const mail = mailClockJump({
    ...{ db: engine.db, clockAheadMs: engine.clockAheadMs, now: () => nowMs, publicUrl: 'https://almanac.test' },
    mailer: { send: (one) => (mails[nth++] ?? mails[1])?.send(one) ?? Promise.reject(new Error('No server.')) },
    log: { warn: () => {} },
  })
  try {
    await engine.stepDatabase(HOUR)
    await engine.look()
    for (const ms of [0, MINUTE, 5 * MINUTE]) {
      nowMs += ms
      await mail.look()
    }
    expect([nth, server.mails.length]).toEqual([1, 0])
    nowMs += 6 * MINUTE
    await mail.look()
    expect([nth, server.mails.length]).toEqual([2, 1])
  } finally {
    mail.stop()
    await refusing.close()
  }
  await pass(0)
})

test('the row of a mail whose worker is gone keeps no later jump from its own', async () => {
  const { engine, pass, startOne } = await startMailing()
  await sql`insert into installation (name, value) values ('clock mail', '1')`.execute(engine.db)
  const next = startOne()
  await next.look()
  await engine.stepDatabase(HOUR)
  await pass(0)
  await pass(MINUTE)
  expect(server.mails).toHaveLength(1)
})
