import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fuzz } from '../_util/fuzz/fuzz.ts'
import { brokenInvariants, type INVARIANTS } from '../_util/fuzz/invariants.ts'
import { operationsOf } from '../_util/fuzz/operations.ts'
import { type FuzzStage, startFuzzStage } from '../_util/fuzz/stage.ts'
import { startThings } from '../_util/fuzz/things.ts'
import { complaints, type FuzzCaller } from '../_util/fuzz/verdict.ts'

const { CI, ALMANAC_FUZZ_SEED, ALMANAC_FUZZ_PATH, ALMANAC_FUZZ_REQUESTS } = process.env
/** Fixed where every run must say the same; elsewhere another one each time. */
const seed = Number(ALMANAC_FUZZ_SEED ?? (CI ? 20_260_301 : Math.floor(Math.random() * 2 ** 31)))
/** `npm run test:long` has more of them. */
const requests = Number(ALMANAC_FUZZ_REQUESTS ?? 1_200)

/** So few requests of an operation say nothing about refusals. */
const FEW = 20

let stage: FuzzStage
beforeAll(async () => {
  stage = await startFuzzStage()
})
afterAll(() => stage.api.close())

test('generated requests over all operations are answered as declared and leave nothing half-written', async () => {
  console.log(`Fuzz: ALMANAC_FUZZ_SEED=${seed} ALMANAC_FUZZ_REQUESTS=${requests} makes this run again.`)
  const report = await fuzz(stage, { requests, seed, ...(ALMANAC_FUZZ_PATH ? { path: ALMANAC_FUZZ_PATH } : {}) })
  const table = [...report.statuses].map(
    ([name, statuses]) => `${name} ${JSON.stringify(Object.fromEntries(statuses))}`,
  )
  console.log(
    `${report.sent} requests, the slowest took ${Math.round(report.slowestMs)} ms\n${table.sort().join('\n')}`,
  )
  expect(await brokenInvariants(stage.api.db)).toEqual([])
  expect(stage.api.logged()).not.toMatch(/"level":[56]0/)
  if (ALMANAC_FUZZ_PATH) return

  // It has tried what it is there for: every operation was done and refused, and most of what is allowed was taken.
  expect(report.sent).toBe(requests)
  for (const { name } of operationsOf(stage.openApi)) {
    const counted = report.statuses.get(name) ?? new Map<number, number>()
    const statuses = [...counted.keys()]
    const sent = [...counted.values()].reduce((sum, count) => sum + count, 0)
    // Uploads in pieces are headers that belong together: media-upload-files.*.test.ts send them.
    // Nothing of its calendar has failed, so nothing of it can be sent again: results.*.test.ts do that.
    // Twenty webhooks are enough for one account, and few of them close: webhooks.*.test.ts do what is done with one.
    const never = name.includes('/media-upload/files') || name.endsWith('/retry') || name.includes('/webhooks/{id}')
    const done = statuses.some((status) => status < 300) || never
    expect(done, name).toBe(true)
    // A few may all have been right by chance: on every row unknown-input.error.test.ts is refused.
    const refused = statuses.some((status) => status >= 400) || sent < FEW
    expect(refused, name).toBe(true)
  }
  expect(report.valid.taken / report.valid.sent).toBeGreaterThan(0.5)
  expect(report.compared).toBeGreaterThan(requests / 100)
}, 600_000)

describe('the fuzz itself', () => {
  test('finds the one value that is answered with an undeclared status, and says how to repeat it', async () => {
    const things = await startThings((size) => ({ status: size > 70 ? 418 : 201, body: { id: String(size) } }))
    try {
      const found = await fuzz(things, { requests: 2_000, seed: 1 }).catch((error: Error) => error.message)
      expect(found).toMatch(/answered 418, which is not declared/)
      expect(found).toContain(`curl -ig --path-as-is -X POST`)
      expect(found).toContain(`--data-binary '{"size":71}' '${things.url}/v1/things'`)
      expect(found).toMatch(/ALMANAC_FUZZ_SEED=1 runs it all again, with ALMANAC_FUZZ_PATH=[\d:]+ this alone/)
    } finally {
      await things.close()
    }
  })

  test('finds a refusal that has changed something', async () => {
    const things = await startThings((size) => (size > 50 ? 'refused and kept' : { status: 201, body: { id: '1' } }))
    try {
      const found = await fuzz(things, { requests: 2_000, seed: 1 }).catch((error: Error) => error.message)
      expect(found).toMatch(/Refused with 400, and yet something changed/)
    } finally {
      await things.close()
    }
  })

  test('finds an answer that does not come, and a body that is not what it says', async () => {
    for (const [answer, words] of [
      ['hang up', /No answer/],
      [{ status: 201, body: { id: 1 } }, /keyword: 'type'/],
      [{ status: 500, body: {} }, /the status is 500/],
    ] as const) {
      const things = await startThings(() => answer)
      const found = await fuzz(things, { requests: 10, seed: 1 }).catch((error: Error) => error.message)
      await things.close()
      expect(found).toMatch(words)
    }
  })
})

describe('an answer is complained of', () => {
  const caller: FuzzCaller = {
    name: 'main',
    authorization: null,
    home: 'a',
    media: [],
    sees: new Set(['a']),
    shut: false,
    writes: true,
    whole: true,
  }
  const problem = {
    type: 'https://almanac.test/docs/errors/request:invalid_body',
    title: 'The body has a wrong, missing or unknown field',
    status: 400,
    detail: 'No.',
    code: 'request:invalid_body',
    message: 'No.',
    requestId: '1',
    errors: [{ code: 'request:invalid_body', message: 'No.', path: 'posts[0]', pointer: '#/posts/0' }],
  }
  const [entry] = problem.errors
  const reported = (status: number, body: unknown, more: { method?: string; caller?: Partial<FuzzCaller> } = {}) => {
    const request = { method: more.method ?? 'POST', path: '/v1/post-sets', headers: {}, body: null }
    const answer = { status, headers: new Headers({ 'x-request-id': '1' }), body }
    return complaints(request, { ...caller, ...more.caller }, answer, () => {})
  }

  test('when it is an error that is not a whole problem of the catalog', () => {
    expect(reported(400, problem)).toEqual([])
    const broken: [number, unknown][] = [
      [503, problem],
      [400, 'No.'],
      [400, { ...problem, code: 'toString' }],
      [422, { ...problem, status: 422 }],
      [400, { ...problem, status: 422 }],
      [400, { ...problem, title: 'No' }],
      [400, { ...problem, detail: '', message: '' }],
      [400, { ...problem, message: 'Another one.' }],
      [400, { ...problem, type: 'about:blank' }],
      [400, { ...problem, requestId: '2' }],
      [400, { ...problem, errors: [] }],
      [400, { ...problem, errors: undefined }],
      [400, { ...problem, errors: [{ ...entry, code: 'post:unheard_of' }] }],
      [400, { ...problem, errors: [{ ...entry, path: undefined }] }],
      [400, { ...problem, errors: [{ ...entry, path: '' }] }],
      [400, { ...problem, errors: [{ ...entry, pointer: '/posts/0' }] }],
    ]
    for (const [status, body] of broken) expect(reported(status, body), JSON.stringify(body)).not.toEqual([])
  })

  test('when its caller may not see or do that', () => {
    const set = { id: '1', socialSetId: 'a' }
    expect(reported(200, { data: [set] }, { method: 'GET' })).toEqual([])
    expect(reported(200, { data: [set, { ...set, socialSetId: 'b' }] }, { method: 'GET' })).toHaveLength(1)
    expect(reported(201, { ...set, socialSetId: 'b' })).toHaveLength(1)
    expect(reported(201, set, { caller: { writes: false } })).toHaveLength(1)
    expect(reported(204, '', { method: 'DELETE', caller: { writes: false } })).toHaveLength(1)
    expect(reported(200, set, { method: 'GET', caller: { shut: true } })).toHaveLength(1)
  })
})

describe('what is stored', () => {
  /** Each breaks one invariant, in a transaction that is taken back. */
  const set = sql`(select id from post_sets where series_id is not null order by id limit 1)`
  const post = sql`(select id from posts where post_set_id = ${set} order by position limit 1)`
  const elsewhere = sql`(select id from social_sets where account_id <>
    (select account_id from post_sets where id = ${set}) limit 1)`
  const BREAKS: Record<keyof typeof INVARIANTS, ReturnType<typeof sql>> = {
    'a set has 1 to 11 posts at places from 0': sql`update posts set position = 5 where id = ${post}`,
    'the media of a post stand at places from 0': sql`update post_media set position = 1`,
    'media are of the social set of their set': sql`update media_items set social_set_id = ${elsewhere}`,
    'a post names the social set of its set': sql`update posts set social_set_id = ${elsewhere} where id = ${post}`,
    'a set, a note, a series and an upload are of the account of their social set': sql`
      update post_sets set social_set_id = ${elsewhere} where id = ${set}`,
    'labels are of the account of their set': sql`insert into post_set_labels select ${set}, id from labels`,
    'a series has as many occurrences as its rule says, the deleted ones included': sql`
      update post_sets set series_id = null, starts_series = false where id = ${set}`,
    'a series begins with one set, which is of its social set': sql`update post_sets set starts_series = true`,
    'the history of every set begins with its creation, once': sql`delete from history where post_set_id = ${set}`,
    'the history of every deleted set ends with its deletion': sql`delete from history where action = 'deleted'`,
    'every set that was made is counted': sql`update account_usage_parts set post_sets = post_sets - 1`,
    'no month passes the limit of the plan': sql`update accounts set plan = 'FREE'`,
    'versions begin at 1': sql`update post_sets set version = 0 where id = ${set}`,
    'times lie in the years that are allowed': sql`update post_sets set scheduled_at = '2101-01-01Z' where id = ${set}`,
    'notes have a text, a colour, and a series when they recur': sql`
      insert into notes (id, account_id, social_set_id, type, source, content, hex_color, scheduled_at)
      select gen_random_uuid(), account_id, id, 'ONE_TIME', 'APP', '', '#faf785', '2030-01-01Z' from social_sets`,
    'few uploads are pending at once': sql`insert into media_uploads (id, account_id, social_set_id, url)
      select gen_random_uuid(), account_id, id, '' from social_sets, generate_series(1, 6)`,
  }

  beforeAll(async () => {
    const { api, callers } = stage
    const { home: socialSetId, media: [mediaLibraryId] = [] } = callers[0] ?? {}
    const posts = ['BLUESKY', 'THREADS'].map((accountType) => ({
      accountType,
      caption: '',
      media: [{ mediaLibraryId }],
    }))
    const repeat = { interval: 'DAY', occurrences: 12 }
    await api.create({ socialSetId, posts, repeat })
    const { id } = await api.create({ socialSetId })
    await api.request('DELETE', `/v1/post-sets/${id}`)
  })

  test.each(Object.entries(BREAKS))('is looked at: %s', async (name, damage) => {
    const { db } = stage.api
    const undone = new Error('undone')
    let found: string[] = []
    const outcome = db.transaction().execute(async (trx) => {
      await damage.execute(trx)
      found = await brokenInvariants(trx)
      throw undone
    })
    await expect(outcome).rejects.toBe(undone)
    expect(found.map((line) => line.slice(0, line.indexOf(':')))).toContain(name)
    expect(await brokenInvariants(db)).toEqual([])
  })
})
