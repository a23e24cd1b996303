import { expect, test } from 'vitest'
import { errors as bluesky } from './bluesky/outcomes.ts'
import { errors as facebook } from './facebook/outcomes.ts'
import { errors as google } from './google-business/outcomes.ts'
import { errors as instagram } from './instagram/outcomes.ts'
import type { ErrorTable } from './kit/errors.ts'
import type { HttpAnswer } from './kit/http.ts'
import { whilePreparing } from './kit/outcomes.ts'
import { errors as linkedin } from './linkedin/outcomes.ts'
import { errors as pinterest } from './pinterest/outcomes.ts'
import { errors as threads } from './threads/outcomes.ts'
import { errors as tiktok } from './tiktok/outcomes.ts'
import { errors as x } from './x/outcomes.ts'
import { errors as youtube } from './youtube/outcomes.ts'

const NOW = new Date('2026-11-22T12:00:00Z')
const tables = { bluesky, facebook, google, instagram, linkedin, pinterest, threads, tiktok, x, youtube }

function answerOf({ status, headers = {}, body }: ErrorTable['rows'][number]['example']): HttpAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {}
  return { kind: 'answer', status, headers, text, json } as HttpAnswer
}

function scopeOf(table: ErrorTable, example: ErrorTable['rows'][number]['example']): string | null {
  const { meaning } = table.lookUp(answerOf(example), NOW)
  if (meaning.kind !== 'wait') return null
  const outcome = whilePreparing(meaning)
  return (outcome.kind === 'retry' && outcome.scope) || 'post'
}

test('every limit of a network says whose requests it limits', () => {
  const limits = Object.entries(tables).flatMap(([name, table]) =>
    table.rows.flatMap(({ title, example }) => {
      const scope = scopeOf(table, example)
      return scope === null ? [] : [`${name}, ${title}: ${scope}`]
    }),
  )
  expect(limits).toMatchInlineSnapshot(`
    [
      "bluesky, 429 RateLimitExceeded: Rate Limit Exceeded: identity",
      "bluesky, 400 DailyLimitExceeded: Daily upload limit exceeded: post",
      "facebook, 4: Application request limit reached: app",
      "facebook, 17: Too many requests: identity",
      "facebook, 32: Too many requests: identity",
      "facebook, 613: Too many requests: identity",
      "facebook, 80001: Too many requests: identity",
      "google, 429 RESOURCE_EXHAUSTED: too many requests or edits in a minute: identity",
      "instagram, 9/2207042: The number of posts of the day is reached: identity",
      "instagram, 429 without an envelope: Too many requests: identity",
      "instagram, 4: Application request limit reached: app",
      "instagram, 17: Too many requests: identity",
      "instagram, 32: Too many requests: identity",
      "instagram, 613: Too many requests: identity",
      "instagram, 80002: Too many requests: identity",
      "linkedin, 429: the quota of the day is used up: identity",
      "linkedin, 429: too many requests: identity",
      "pinterest, 429: Too many requests: identity",
      "pinterest, 403: The account has reached a limit: identity",
      "threads, 9: The number of posts of the day is reached: identity",
      "threads, 4: Application request limit reached: app",
      "threads, 17: Too many requests: identity",
      "threads, 32: Too many requests: identity",
      "threads, 613: Too many requests: identity",
      "threads, 429: Too many requests: identity",
      "tiktok, 403 spam_risk_too_many_posts: identity",
      "tiktok, 429 rate_limit_exceeded: identity",
      "x, 429, 88: Rate limit exceeded: identity",
      "x, 429 rate-limit-exceeded: Too Many Requests: identity",
      "youtube, 403 quotaExceeded: The quota of the day is used up: app",
      "youtube, 403 dailyLimitExceeded: The quota of the day is used up: app",
      "youtube, 429 rateLimitExceeded: Too many requests: identity",
      "youtube, 429 userRateLimitExceeded: Too many requests: identity",
      "youtube, 429 uploadRateLimitExceeded: Too many requests: identity",
      "youtube, 429 RESOURCE_EXHAUSTED: Too many requests: identity",
      "youtube, 429: Too many requests: identity",
    ]
  `)
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
