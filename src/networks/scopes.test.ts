import { expect, test } from 'vitest'
import { answerOf } from './conformance/describe-reads.ts'
import type { ErrorTable } from './kit/errors.ts'
import { whilePreparing } from './kit/outcomes.ts'
import { loadManifests } from './registry.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const names = (await loadManifests()).map(({ name }) => name)
const rooms = names.map((name) => import(`./${name}/outcomes.ts`) as Promise<{ errors: ErrorTable }>)
const tables = new Map((await Promise.all(rooms)).map(({ errors }, index) => [names[index], errors]))

function scopeOf(table: ErrorTable | undefined, example: ErrorTable['rows'][number]['example']): string | null {
  const meaning = table?.lookUp(answerOf(example), NOW).meaning
  if (meaning?.kind !== 'wait') return null
  const outcome = whilePreparing(meaning)
  return (outcome.kind === 'retry' && outcome.scope) || 'post'
}

test('every limit of a network is of the account, but for those of an app or of one post', () => {
  const limits = [...tables].flatMap(([name, table]) =>
    table.rows.flatMap(({ title, example }) => {
      const scope = scopeOf(table, example)
      return scope === null ? [] : [`${name}, ${title}: ${scope}`]
    }),
  )
  expect(limits.length).toBeGreaterThan(30)
  expect(limits.filter((each) => !each.endsWith(': identity'))).toEqual([
    'bluesky, 400 DailyLimitExceeded: Daily upload limit exceeded: post',
    'facebook, 4: Application request limit reached: app',
    'instagram, 4: Application request limit reached: app',
    'threads, 4: Application request limit reached: app',
    'tiktok, 403 spam_risk_too_many_pending_share: post',
    'youtube, 403 quotaExceeded: The quota of the day is used up: app',
    'youtube, 403 dailyLimitExceeded: The quota of the day is used up: app',
  ])
})

test("the limits of a day of X's app, and those of a Google project, are of the app", () => {
  const reset = { 'x-app-limit-24hour-remaining': '0', 'x-app-limit-24hour-reset': '1795392000' }
  const title = 'Too Many Requests'
  expect(scopeOf(tables.get('x'), { status: 429, headers: reset, body: { title, status: 429 } })).toBe('app')
  const ofGoogle = (limit: string) => {
    const metadata = { quota_limit: limit, quota_limit_value: '300' }
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'RATE_LIMIT_EXCEEDED', metadata }
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded.', details: [info] }
    return scopeOf(tables.get('google-business'), { status: 429, body: { error } })
  }
  expect(ofGoogle('DefaultRequestsPerMinutePerProject')).toBe('app')
  expect(ofGoogle('DefaultRequestsPerMinutePerUser')).toBe('identity')
})
