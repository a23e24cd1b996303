import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type AccountType, accountTypes } from '#contract'
import { newId } from '#domain'
import { type Database, insertMediaItem } from '#persistence'
import { IMAGE } from '../_util/api/api.ts'
import { newKeyedClient } from '../_util/api/keyed-requests.ts'
import { countStatements } from '../_util/database/counted-statements.ts'
import { openKilledApi } from '../_util/faults/killed-api.ts'

/**
 * A month of post sets with files in one request, whose process is killed before its first statement, its second, and so on until one
 * gets through: repeated under its key, each set is made once.
 */

/** Statements that all are tried; behind them, each so many of the rest. */
const EACH_OF_FIRST = 12
const NEXT = 1.35

/** What a post of the type cannot be without. */
const OPTIONS: Partial<Record<AccountType, object>> = {
  INSTAGRAM: { type: 'IMAGE', collaborators: [] },
  FACEBOOK: { type: 'IMAGE', richCaption: [] },
  LINKEDIN_PAGE: { richCaption: [] },
  LINKEDIN_PERSONAL: { richCaption: [] },
  GMB: { ctaType: 'LEARN_MORE', ctaUrl: 'https://example.com/bread' },
  PINTEREST: { title: 'Bread', website: 'https://example.com/bread' },
  YOUTUBE: { title: 'Bread', privacy: 'PUBLIC' },
}

const setsIn = async (db: Database) =>
  (await db.selectFrom('post_sets').select('external_id').execute()).map((row) => row.external_id).toSorted()

const countIn = async (db: Database, table: 'posts' | 'post_media' | 'happened') => {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

test.each([
  ['EACH', 36, 11],
  ['ATOMIC', 36, 11],
  ['EACH', 100, 4],
  ['ATOMIC', 100, 4],
] as const)(
  '%s, %i sets of %i posts',
  async (mode, count, postsOfSet) => {
    await using closing = new AsyncDisposableStack()
    let statements = null as Awaited<ReturnType<typeof countStatements>> | null
    const { db, accountId, socialSetId, kill, killAndStart, ...api } = await openKilledApi(closing, {
      name: 'Month',
      scopes: ['post-sets:write'],
      async through(url) {
        statements = await countStatements(closing, url)
        return statements.url
      },
    })
    const mediaLibraryId = newId()
    await insertMediaItem(db, {
      ...{ id: mediaLibraryId, accountId, socialSetId, name: 'photo.jpg', altText: null, facts: IMAGE },
      ...{
        sha256: Buffer.alloc(32),
        storageKey: 'photo',
        thumbnailKey: 'thumbnail',
        source: 'UPLOAD',
        sourceUrl: null,
      },
    })
    const ask = newKeyedClient(api)
    const names = Array.from({ length: count }, (_, at) => `Set ${String(at).padStart(3, '0')}`)
    const postSets = names.map((externalId) => ({
      ...{ socialSetId, scheduledAt: '2030-06-01T10:00:00Z', status: 'DRAFT', approval: 'NONE', externalId },
      posts: accountTypes.slice(0, postsOfSet).map((accountType) => {
        return { accountType, caption: externalId, media: [{ mediaLibraryId }], ...OPTIONS[accountType] }
      }),
    }))
    const send = () =>
      ask({ method: 'POST', path: '/v1/post-sets/bulk', body: { mode, postSets }, key: 'a month' }).catch(() => null)

    let kills = 0
    const made: number[] = []
    let answer: Awaited<ReturnType<typeof send>> = null
    for (let number = 1; answer === null; number = Math.ceil(number < EACH_OF_FIRST ? number + 1 : number * NEXT)) {
      let killed = false
      statements?.at(number, () => {
        killed = true
        kill()
      })
      answer = await send()
      // What was under way when a process died is looked at again after a while.
      while (answer?.status === 409) {
        await pause(200)
        answer = await send()
      }
      if (!killed && answer === null) throw new Error('The process has died by itself.')
      if (!killed) break
      answer = null
      kills += 1
      await killAndStart()
      made.push((await setsIn(db)).length)
    }
    // The next request is let through.
    statements?.at(0, () => {})
    expect(kills).toBeGreaterThan(EACH_OF_FIRST)
    if (mode === 'ATOMIC') expect(made.every((sets) => sets === 0)).toBe(true)
    else expect(made).toEqual(made.toSorted((a, b) => a - b))

    const { data } = JSON.parse(answer?.text ?? '')
    expect(data.map(({ status }: { status: string }) => status)).toEqual(names.map(() => 'CREATED'))
    expect(await setsIn(db)).toEqual(names)
    for (const table of ['posts', 'post_media'] as const) expect(await countIn(db, table)).toBe(count * postsOfSet)
    expect(await countIn(db, 'happened')).toBe(count)
    const ids = data.map(({ postSet }: { postSet: { id: string } }) => postSet.id)
    const again = JSON.parse((await send())?.text ?? '')
    expect(again.data.map(({ postSet }: { postSet: { id: string } }) => postSet.id)).toEqual(ids)
    expect(await setsIn(db)).toEqual(names)
  },
  600_000,
)
