import { expect, test } from 'vitest'
import { errors as bluesky } from './bluesky/outcomes.ts'
import { answerOf } from './conformance/describe-reads.ts'
import { errors as facebook } from './facebook/outcomes.ts'
import { errors as google } from './google-business/outcomes.ts'
import { errors as instagram } from './instagram/outcomes.ts'
import type { ErrorTable } from './kit/errors.ts'
import { whilePreparing } from './kit/outcomes.ts'
import { errors as linkedin } from './linkedin/outcomes.ts'
import { errors as pinterest } from './pinterest/outcomes.ts'
import { errors as threads } from './threads/outcomes.ts'
import { errors as tiktok } from './tiktok/outcomes.ts'
import { errors as x } from './x/outcomes.ts'
import { errors as youtube } from './youtube/outcomes.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const tables = { bluesky, facebook, google, instagram, linkedin, pinterest, threads, tiktok, x, youtube }

function scopeOf(table: ErrorTable, example: ErrorTable['rows'][number]['example']): string | null {
  const { meaning } = table.lookUp(answerOf(example), NOW)
  if (meaning.kind !== 'wait') return null
  const outcome = whilePreparing(meaning)
  return (outcome.kind === 'retry' && outcome.scope) || 'post'
}

test('every limit of a network is of the account, but for those of an app or of one post', () => {
  const limits = Object.entries(tables).flatMap(([name, table]) =>
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
    'youtube, 403 quotaExceeded: The quota of the day is used up: app',
    'youtube, 403 dailyLimitExceeded: The quota of the day is used up: app',
  ])
})

test("the limits of a day of X's app, and those of a Google project, are of the app", () => {
  const reset = { 'x-app-limit-24hour-remaining': '0', 'x-app-limit-24hour-reset': '1795392000' }
  const title = 'Too Many Requests'
  expect(scopeOf(x, { status: 429, headers: reset, body: { title, status: 429 } })).toBe('app')
  const ofProject = (limit: string) => ({
    status: 429,
    body: {
      error: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        message: 'Quota exceeded.',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'RATE_LIMIT_EXCEEDED',
            metadata: { quota_limit: limit, quota_limit_value: '300' },
          },
        ],
      },
    },
  })
  expect(scopeOf(google, ofProject('DefaultRequestsPerMinutePerProject'))).toBe('app')
  expect(scopeOf(google, ofProject('DefaultRequestsPerMinutePerUser'))).toBe('identity')
})
