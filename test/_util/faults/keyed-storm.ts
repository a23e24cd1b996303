import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { NOTE_COLORS } from '#contract'
import { newId } from '#domain'
import { type KeyedRequest, newKeyedClient, type Raw } from '../api/keyed-requests.ts'
import { openKilledApi } from './killed-api.ts'

export interface StormOptions {
  /** How many different requests with a key, notes and post sets in turn. */
  keys: number
  /** How often the process is killed, evenly spread over the answers. */
  kills: number
}

export interface Storm {
  /** Requests that were sent, those without an answer included. */
  sent: number
  /** Requests that ended without an answer, because the process was killed. */
  lost: number
  /** Answers 409. */
  waited: number
  /** Answers that were those of an earlier request. */
  replayed: number
  milliseconds: number
}

/** Keys that are under way at once. */
const AT_ONCE = 24
const COPIES = [1, 2, 3] as const
const AGAIN_MS = 50

/**
 * Sends every request one to three times in parallel, each copy until it is answered, to a process that is killed in
 * between. Every copy must get the same answer, and every key must have made one row.
 */
export async function runStorm({ keys, kills }: StormOptions): Promise<Storm> {
  await using closing = new AsyncDisposableStack()
  const scopes = ['notes:write', 'post-sets:write'] as const
  const { db, socialSetId, killAndStart, ...api } = await openKilledApi(closing, { name: 'Storm', scopes })
  const ask = newKeyedClient(api)

  const storm: Storm = { sent: 0, lost: 0, waited: 0, replayed: 0, milliseconds: 0 }
  /** Resolves when the process answers again. */
  let running: Promise<unknown> = Promise.resolve()
  let answered = 0
  let killed = 0
  function countAnswer(): void {
    answered += 1
    if (killed >= kills || answered < ((killed + 1) * keys) / (kills + 1)) return
    killed += 1
    running = killAndStart()
  }

  /** Sends a request until it is answered, as a client does that has to know. */
  async function persist(request: KeyedRequest): Promise<Raw> {
    for (;;) {
      await running
      storm.sent += 1
      const answer = await ask(request).catch(() => null)
      if (answer === null) storm.lost += 1
      else if (answer.status === 409) storm.waited += 1
      else if (answer.status < 300) return answer
      // Of a process that is killed, nothing else is expected.
      else throw new Error(`Answered ${answer.status}: ${answer.text}`)
      await pause(AGAIN_MS)
    }
  }

  async function sendCopies(index: number, request: Omit<KeyedRequest, 'key'>): Promise<Raw> {
    const key = newId()
    const copies = COPIES[index % COPIES.length] ?? 1
    const answers = await Promise.all(Array.from({ length: copies }, () => persist({ ...request, key })))
    const [first] = answers
    if (!first) throw new Error('There is no answer.')
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [first.status, first.text]))
    storm.replayed += answers.filter(({ headers }) => headers['idempotency-replayed'] !== undefined).length
    countAnswer()
    return first
  }

  const scheduledAt = '2030-06-01T10:00:00Z'
  const note = (index: number) => ({
    method: 'POST',
    path: '/v1/notes',
    body: { socialSetId, content: `Row ${index}`, hexColor: NOTE_COLORS[0], scheduledAt },
  })
  const postSet = (index: number) => ({
    method: 'POST',
    path: '/v1/post-sets',
    body: {
      socialSetId,
      scheduledAt,
      status: 'DRAFT',
      approval: 'NONE',
      posts: [{ accountType: 'BLUESKY', caption: `Row ${index}`, media: [] }],
    },
  })
  let next = 0
  let changed = 0
  async function work(): Promise<void> {
    for (let index = next++; index < keys; index = next++) {
      const { text } = await sendCopies(index, index % 3 === 0 ? postSet(index) : note(index))
      if (index % 30 !== 0) continue
      // Sent twice without a key it is refused, and it makes one row more.
      const body = { repeat: { interval: 'DAY', occurrences: 2 } }
      await sendCopies(index / 30, { method: 'PATCH', path: `/v1/post-sets/${JSON.parse(text).id}`, body })
      changed += 1
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await running
  storm.milliseconds = performance.now() - began

  const notes = await db.selectFrom('notes').select('content as row').execute()
  const posts = await db.selectFrom('posts').select('caption as row').execute()
  const rows = [...notes, ...posts].map(({ row }) => row)
  const wanted = Array.from({ length: keys }, (_, index) => Array(index % 30 === 0 ? 2 : 1).fill(`Row ${index}`)).flat()
  expect(rows.toSorted()).toEqual(wanted.toSorted())
  const { count } = await db
    .selectFrom('idempotency_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect([count, killed]).toEqual([keys + changed, kills])
  return storm
}
