import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EVENT_TYPES, HISTORY, type HistoryAction, POST_SET_STATUSES } from '#contract'
import { EVENTS_OF_ACTION, eventsOf } from './events-of.ts'

const page = await readFile(join(import.meta.dirname, '../../docs/interface/events.md'), 'utf8')
const FIELDS = ['scheduledAt', 'status', 'approval', 'externalId', 'posts', 'seriesId', 'timezone']

const happened = (what: string, data: object) => ({
  ...{
    sequence: 1,
    accountId: 'account',
    socialSetId: 'set',
    at: new Date(0),
    what,
    data: { postSetId: 'id', ...data },
  },
})

/** All types of events that an action can make. */
function typesOf(action: HistoryAction): string[] {
  const cases = POST_SET_STATUSES.flatMap((status) =>
    FIELDS.map((field) => ({ status, changed: [field], postId: 'post' })),
  )
  return [...new Set(cases.flatMap((data) => eventsOf(happened(action, data)).map(({ type }) => type)))].sort()
}

test('each action of history has events, or says why not, as the docs page says', () => {
  expect(Object.keys(EVENTS_OF_ACTION).sort()).toEqual(Object.keys(HISTORY).sort())
  const rows = [...page.matchAll(/^\| `([a-z ]+)` \| (.+) \|$/gm)].map(([, action = '', events = '']) => [
    action,
    [...events.matchAll(/`((?:post_set|post)\.\w+)`/g)].map(([, type]) => type).sort(),
  ])
  const table = Object.entries(EVENTS_OF_ACTION).map(([action, made]) => [
    action,
    typeof made === 'string' ? [] : typesOf(action as HistoryAction),
  ])
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(table))
})

test('the page names every type', () => {
  const named = new Set([...page.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, type = '']) => type))
  expect(EVENT_TYPES.filter((type) => !named.has(type))).toEqual([])
})

test('what a newer version has written makes no event', () => {
  expect(eventsOf(happened('renamed', {}))).toEqual([])
  expect(eventsOf(happened('toString', {}))).toEqual([])
})
