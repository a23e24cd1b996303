import type { IncomingMessage } from 'node:http'
import type { ImportedCalendar, Note } from '#contract'
import {
  type CalendarReader,
  type CalendarSettings,
  calendarDefaults,
  createCalendarReader,
  openCalendarProcess,
  type RunReadDeps,
} from '#icalendar'
import { createGuardedFetch } from '#media'
import { done } from '../browser/dashboard-api.ts'
import { type FileServer, startFileServer } from '../networks/file-server.ts'
import type { Api } from './api.ts'
import { SECRET_BOX } from './connections.ts'
import type { Person } from './members.ts'

/** An iCalendar file of components, each given by its lines. */
export function calendarOf(...components: string[][]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Tests//EN', ...components.flat(), 'END:VCALENDAR', ''].join(
    '\r\n',
  )
}

/** An event by its lines, with an id and a title. */
export function eventOf(uid: string, title: string, ...lines: string[]): string[] {
  return ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${title}`, ...lines, 'END:VEVENT']
}

/** A file of a calendar, in a body of a test. */
export interface TestFile {
  name: string
  content: string
}

/** Of a request about an imported calendar: JSON, or a form when it brings a file. */
export function calendarBody(body: object) {
  const { file, ...fields } = body as { file?: TestFile; [field: string]: unknown }
  if (!file) return { body: fields }
  const parts = Object.entries(fields).map(
    ([name, value]) => `--bound\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const last = `--bound\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\n\r\n${file.content}\r\n--bound--\r\n`
  return { raw: parts.join('') + last, headers: { 'content-type': 'multipart/form-data; boundary=bound' } }
}

/** Imported calendars of a server, on a web server of their own, read when a test says so. */
export interface CalendarStage {
  server: FileServer
  reader: CalendarReader
  logged: { level: string; fields: Record<string, unknown>; message: string }[]
  /** What was reported as failing. */
  reported: { calendarId: string; name: string; message: string }[]
  /** Serves a calendar at a path from now on, with an ETag when one is given; returns its address. */
  serve(path: string, text: string | Uint8Array, etag?: string): string
  /** Answers at a path with a status alone. */
  refuse(path: string, status: number): string
  /** The last request for a path. */
  lastRequest(path: string): IncomingMessage | undefined
  add(person: Person, body: object): Promise<ImportedCalendar>
  read(person: Person, id: string): Promise<ImportedCalendar>
  /** Reads what is due; then the notes of the social set from October 2026 to September 2027, by time. */
  notes(socialSetId: string): Promise<Note[]>
  /** The same, each as `2026-11-24T09:00:00.000Z Title`. */
  shown(socialSetId: string): Promise<string[]>
  /** Lets the calendars of a social set be due. */
  due(socialSetId: string): Promise<void>
  close(): Promise<void>
}

export async function openCalendarStage(
  api: Api,
  { settings, read = openCalendarProcess() }: { settings?: Partial<CalendarSettings>; read?: RunReadDeps['read'] } = {},
): Promise<CalendarStage> {
  const server = await startFileServer()
  const fetch = createGuardedFetch({ trustedHosts: [server.host] })
  const logged: CalendarStage['logged'] = []
  const reported: CalendarStage['reported'] = []
  const write = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, fields: fields as Record<string, unknown>, message })
  const reader = createCalendarReader({
    db: api.db,
    fetch,
    box: SECRET_BOX,
    read,
    settings: { ...calendarDefaults, ...settings },
    onFailing: async (_, { calendarId, name, message }) => void reported.push({ calendarId, name, message }),
    log: { info: write('info'), warn: write('warn'), error: write('error') },
  })
  const requests = new Map<string, IncomingMessage>()
  const stage: CalendarStage = {
    server,
    reader,
    logged,
    reported,
    serve: (path, text, etag) =>
      server.on(path, (request, response) => {
        requests.set(path, request)
        const headers = etag === undefined ? {} : { etag: `"${etag}"` }
        if (etag !== undefined && request.headers['if-none-match'] === `"${etag}"`)
          response.writeHead(304, headers).end()
        else response.writeHead(200, { 'content-type': 'text/calendar', ...headers }).end(text)
      }),
    refuse: (path, status) =>
      server.on(path, (request, response) => {
        requests.set(path, request)
        response.writeHead(status).end()
      }),
    lastRequest: (path) => requests.get(path),
    add: (person, body) => done(person.request('POST', '/imported-calendars', calendarBody(body)), 201),
    async read(person, id) {
      const { socialSetId } = await api.db
        .selectFrom('imported_calendars')
        .select('social_set_id as socialSetId')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { data } = await done(person.request('GET', `/imported-calendars?socialSetId=${socialSetId}`))
      return (data as ImportedCalendar[]).find((calendar) => calendar.id === id) as ImportedCalendar
    },
    async notes(socialSetId) {
      await reader.readDue()
      const query = new URLSearchParams({
        socialSetId,
        'filters[startDate]': '2026-10-01',
        'filters[endDate]': '2027-09-30',
      })
      return done(api.request('GET', `/v1/notes?${query}`))
    },
    async shown(socialSetId) {
      return (await stage.notes(socialSetId)).map(({ scheduledAt, content }) => `${scheduledAt} ${content}`)
    },
    async due(socialSetId) {
      const due = { next_at: new Date('2020-01-01') }
      await api.db.updateTable('imported_calendars').set(due).where('social_set_id', '=', socialSetId).execute()
    },
    async close() {
      await reader.stop()
      await fetch.close()
      await server.close()
    },
  }
  return stage
}
