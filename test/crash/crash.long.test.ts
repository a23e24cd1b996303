import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AccountType } from '#contract'
import { type Cell, openCell } from './cell.ts'
import type { FaultName } from './faults.ts'
import { type Point, pointKey } from './gate.ts'
import { play } from './run.ts'

/** A short part of `npm run test:crash`: see README.md. */

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 })

const closing = new AsyncDisposableStack()
let cell: Cell
beforeAll(async () => {
  cell = await openCell({ leaseMs: 3_000 }, closing)
})
afterAll(() => closing.disposeAsync())

const sql = (subject: AccountType, name: string, nth: number, side: Point['side']): Point => ({
  subject,
  name,
  nth,
  side,
  kind: 'sql',
  inTransaction: true,
})
const call = (subject: AccountType, name: string, side: Point['side'], nth = 1): Point => ({
  subject,
  name,
  nth,
  side,
  kind: 'call',
  inTransaction: false,
})
const APPLY_WRITES = 'POST /pds/xrpc/com.atproto.repo.applyWrites'
const TWEETS = 'POST /api/2/tweets'
const PUBLISH = 'POST /graph/v25.0/:id/media_publish'
const PHOTO_STORIES = 'POST /graph/v25.0/:id/photo_stories'
const UPLOAD = 'PUT /upload/video/'
const COMMENT = 'POST /graph/v25.0/:id/comments'
const THREADS_PUBLISH = 'POST /graph/v1.0/me/threads_publish'

/** The same for posts of several stories. */
const STORY_RUNS: readonly (readonly [FaultName, readonly Point[]])[] = [
  ['kill', [call('INSTAGRAM', PUBLISH, 'after', 2), call('FACEBOOK', PHOTO_STORIES, 'after', 2)]],
  ['backend', [sql('INSTAGRAM', 'fence', 2, 'after'), sql('FACEBOOK', 'fence', 3, 'before')]],
]

/**
 * The fence is the first commit of a post. Instagram and Threads are struck when they have the post: before, they list it too
 * late for a test, where a lookup has to wait for that.
 */
const RUNS: readonly (readonly [FaultName, readonly Point[]])[] = [
  ['kill', [sql('BLUESKY', 'COMMIT', 1, 'after'), call('INSTAGRAM', PUBLISH, 'after')]],
  ['kill', [call('INSTAGRAM', COMMENT, 'after'), call('THREADS', THREADS_PUBLISH, 'after')]],
  ['kill', [call('TWITTER', TWEETS, 'after', 2), call('THREADS', THREADS_PUBLISH, 'after', 3)]],
  ['stop', [call('BLUESKY', APPLY_WRITES, 'before'), sql('THREADS', 'publish sets', 1, 'before')]],
  ['backend', [sql('BLUESKY', 'fence', 1, 'after'), sql('THREADS', 'fence', 1, 'before')]],
  ['restart-immediate', [sql('BLUESKY', 'COMMIT', 2, 'after'), sql('THREADS', 'COMMIT', 2, 'before')]],
  ['silence', [sql('BLUESKY', 'COMMIT', 1, 'before'), sql('INSTAGRAM', 'COMMIT', 3, 'after')]],
  ['database-ahead', [sql('BLUESKY', 'COMMIT', 1, 'after'), sql('THREADS', 'fence', 1, 'before')]],
]

/** The same for a document, a picture that is brought into shape, and a video for the inbox. */
const OTHER_RUNS: readonly (readonly [FaultName, readonly Point[]])[] = [
  ['kill', [call('LINKEDIN_PAGE', 'POST /rest/posts', 'after'), call('TIKTOK', UPLOAD, 'after')]],
  ['stop', [sql('LINKEDIN_PAGE', 'fence', 1, 'after'), call('INSTAGRAM', PUBLISH, 'after')]],
]

const all = [
  ...RUNS.map((run) => [...run, 'plain'] as const),
  ...STORY_RUNS.map((run) => [...run, 'stories'] as const),
  ...OTHER_RUNS.map((run) => [...run, 'other'] as const),
]
test.each(all.map(([fault, points, kind]) => [fault, points.map(pointKey).join(' and '), { points, kind }] as const))(
  '%s at %s: once there, and so it is reported',
  async (fault, _, { points, kind }) => {
    const accountTypes = points.map(({ subject }) => subject as AccountType)
    const end = await play(cell, { fault, accountTypes, points, kind }, { patienceMs: 30_000 })
    expect(end.missed).toEqual([])
    expect(end.posts.map(({ accountType, result, faults }) => ({ accountType, result, faults }))).toEqual(
      accountTypes.map((accountType) => ({ accountType, result: 'POSTED', faults: [] })),
    )
  },
)
