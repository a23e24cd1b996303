import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createSecretBox, newId } from '#domain'
import { calendarDefaults, createCalendarReader, openCalendarProcess, placeOfCalendar } from '#icalendar'
import { createGuardedFetch } from '#media'
import { type Database, insertAccount, insertImportedCalendar, insertSocialSet } from '#persistence'
import { startFileServer } from '../test/_util/networks/file-server.ts'
import { inMs, printTable } from './measure.ts'
import { withPlace } from './place.ts'

/** Events of a calendar that repeat, that are single, and one that is as large as calendars may be. */
const day = (index: number) =>
  new Date(Date.now() + (index - 30) * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
const RULES = [
  'FREQ=WEEKLY;BYDAY=MO,WE',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=DAILY;INTERVAL=3;COUNT=200',
  'FREQ=YEARLY',
] as const
const event = (index: number, more: string[], start: string) =>
  [
    'BEGIN:VEVENT',
    `UID:${index}@bench`,
    `SUMMARY:Event ${index}`,
    `DTSTART;TZID=Europe/Berlin:${start}T093000`,
    'DURATION:PT1H',
    ...more,
    'END:VEVENT',
  ].join('\r\n')
const calendar = (events: string[]) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('\r\n')}\r\nEND:VCALENDAR\r\n`
const each = (count: number, make: (index: number) => string) =>
  calendar(Array.from({ length: count }, (_, index) => make(index)))

const CALENDARS = [
  ['5,000 single events', each(5_000, (index) => event(index, [], day(index % 390)))],
  [
    '5,000 events, each tenth repeats',
    each(5_000, (index) => event(index, index % 10 ? [] : [`RRULE:${RULES[(index / 10) % 4]}`], day(index % 390))),
  ],
  [
    '5,000 events that all repeat since 2020',
    each(5_000, (index) => event(index, [`RRULE:${RULES[index % 4]}`], '20200106')),
  ],
  [
    '10 MB of single events',
    each(10_500, (index) => event(index, [`DESCRIPTION:${'x'.repeat(780)}`], day(index % 390))),
  ],
  [
    '5,000 events with long titles',
    each(4_500, (index) => event(index, [`SUMMARY:${'Ж'.repeat(1_024)}`], day(index % 390))),
  ],
  [
    '10 MB that do not compress',
    each(10_500, (index) => event(index, [`DESCRIPTION:${randomBytes(585).toString('base64')}`], day(index % 390))),
  ],
] as const

const server = await startFileServer()
try {
  await withPlace(undefined, async (place) => run(await place.database('calendars', async () => {}, 5)))
} finally {
  await server.close()
}

async function run(db: Database): Promise<void> {
  const box = createSecretBox([Buffer.alloc(32, 1)])
  const fetch = createGuardedFetch({ trustedHosts: [server.host] })
  const log = { info: () => {}, warn: console.warn, error: console.error }
  const read = openCalendarProcess()
  const reader = createCalendarReader({
    db,
    fetch,
    box,
    read,
    settings: calendarDefaults,
    onFailing: async () => {},
    log,
  })
  const accountId = newId()
  await insertAccount(db, { id: accountId, name: 'Bench', slug: accountId, plan: 'SCALE' })
  const rows: string[][] = []
  for (const [index, [name, text]] of CALENDARS.entries()) {
    const [socialSetId, id] = [newId(), newId()]
    await insertSocialSet(db, { id: socialSetId, accountId, name, timezone: 'Europe/Berlin' })
    const url = server.on(`/${index}.ics`, (_, response) => response.end(text))
    const { bytes, keyId } = box.seal(Buffer.from(url), placeOfCalendar(id))
    const origin = { kind: 'address', sealed: { secret: bytes, secretKeyId: keyId }, host: server.host } as const
    await insertImportedCalendar(db, { id, accountId, socialSetId, name, hexColor: '#e1effc', createdBy: null, origin })
    const timed = async () => {
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const since = performance.now()
      await reader.readDue()
      const took = performance.now() - since
      delay.disable()
      return [inMs(took), inMs(delay.max / 1e6)]
    }
    const first = await timed()
    await db
      .updateTable('imported_calendars')
      .set({ next_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    const again = await timed()
    const row = await db
      .selectFrom('imported_calendars')
      .select(['failure_message', 'left_out'])
      .where('id', '=', id)
      .executeTakeFirst()
    const { count } = await db
      .selectFrom('notes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('social_set_id', '=', socialSetId)
      .executeTakeFirstOrThrow()
    rows.push([
      name,
      (text.length / 1e6).toFixed(1),
      String(count),
      String(row?.left_out ?? ''),
      ...first,
      ...again,
      row?.failure_message ?? '',
    ])
  }
  printTable(
    'Reading a calendar: from its address to its notes, and again without changes; the longest time that the thread was busy',
    ['calendar', 'MB', 'notes', 'left out', 'ms', 'busy ms', 'again ms', 'busy ms', 'failure'],
    rows,
  )
  await reader.stop()
  await fetch.close()
}
