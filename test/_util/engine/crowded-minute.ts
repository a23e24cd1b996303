import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type AccountType, given, givenQuery, type PostSet, ProblemError, rightsOf, SHIPPED_PLANS } from '#contract'
import { newId } from '#domain'
import { networksOf } from '#networks'
import { type Caller, updatePostSet } from '#operations'
import { openDatabase } from '#persistence'
import { untilSomeoneWaits } from '../run/waiting.ts'
import { createEngine, type Engine } from './engine.ts'
import { accountOf } from './holds.ts'
import { scriptedNetwork } from './scripted-network.ts'

/** Sets whose posts people add, remove and swap while they fall due, with workers that run as ever. */

const TYPES: readonly AccountType[] = ['BLUESKY', 'THREADS', 'TWITTER']
/** Before and after the time of the sets. */
const [BEFORE_MS, AFTER_MS] = [30, 50]
/** Longer than a tick, so that the workers know of it. */
const AHEAD_MS = 1_200
const DAY_MS = 86_400_000
/** Key of an advisory lock. */
const GATE = sql.lit(4_711)

type Posts = { id?: string; accountType: AccountType; caption: string }[]

/** What a person makes of the posts of a set. */
const EDITS = {
  'a post is added': (posts, caption) => [...posts, { accountType: 'TWITTER', caption }],
  'a post is removed': (posts) => posts.slice(0, 1),
  'a post is swapped': (posts, caption) => [...posts.slice(0, 1), { accountType: 'TWITTER', caption }],
  'all posts are new': (_, caption) => [{ accountType: 'BLUESKY', caption }],
  'captions are changed': (posts, caption) => posts.map((post) => ({ ...post, caption })),
} satisfies Record<string, (posts: Posts, caption: string) => Posts>
export type Edit = keyof typeof EDITS
export const edits = Object.keys(EDITS) as Edit[]

export interface CrowdedMinute {
  /** Edits a hundred sets around their time; answers how many edits were taken, and what is wrong, in words. */
  round(): Promise<{ taken: number; wrong: string[] }>
  /** The same with one set, which is edited between the moment that the claim's first statement sees and its lock. */
  between(edit: Edit): Promise<{ taken: number; wrong: string[] }>
  close(): Promise<void>
}

export async function openCrowdedMinute({ sets = 100 } = {}): Promise<CrowdedMinute> {
  /** Account type and caption of what went out. */
  const ledger: string[] = []
  const networks = TYPES.map((accountType) => {
    const network = scriptedNetwork({
      name: accountType === 'TWITTER' ? 'x' : accountType.toLowerCase(),
      accountType,
      publish: [
        ({ post }) => {
          ledger.push(`${post.accountType} ${post.caption}`)
          return { kind: 'published', providerId: newId(), permalink: 'https://example.test/post' }
        },
      ],
    })
    return network
  })
  const engine = await createEngine({ networks })
  const workers = [engine, await createEngine({ networks, on: engine })]
  // As of another process: edits do not wait for the workers' connections.
  const db = openDatabase(engine.databaseUrl, { poolSize: 20 })
  const deps = { db, networks: networksOf(networks), urls: { sign: () => '', verify: () => 'invalid' as const } }
  const caller = await callerOf(engine)

  /** Answers null when it came too late. */
  let rounds = 0
  const schedule = (at: number, caption: string) =>
    engine.schedule({ at: new Date(at).toISOString(), accountTypes: ['BLUESKY', 'THREADS'], caption })

  /** Answers null when it came too late. */
  async function change(id: string, edit: Edit, posts: Posts): Promise<PostSet | null> {
    const body = { posts: EDITS[edit](posts, `edited ${id}`).map((post) => ({ media: [], ...post })) }
    try {
      return await updatePostSet(deps, caller, id, { body: given(body), query: givenQuery({}), seen: null })
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'post-set:read_only') return null
      throw error
    }
  }

  /** What is wrong with a set that was published. */
  async function wrongOf(id: string, answer: PostSet | null | undefined, caption: string): Promise<string[]> {
    const { posts, results } = await postsOf({ db }, id)
    const are = posts.map((post) => `${post.accountType} ${post.caption}`)
    const answered = answer?.posts.map((post) => `${post.accountType} ${post.caption}`) ?? are
    const wentOut = (post: string) => ledger.filter((entry) => entry === post).length
    const own = ledger.filter((entry) => entry.endsWith(` ${caption}`) || entry.endsWith(` edited ${id}`))
    return [
      ...(answered.join() === are.join() ? [] : [`answered ${answered}, is ${are}`]),
      ...are.flatMap((post, nth) =>
        results[nth] === 'POSTED' && wentOut(post) === 1
          ? []
          : [`${post}: ${results[nth]}, went out ${wentOut(post)} times`],
      ),
      ...own.filter((entry) => !are.includes(entry)).map((entry) => `${entry} went out and is not there`),
    ]
  }

  return {
    async round() {
      for (const each of workers) each.start()
      rounds += 1
      const captions = Array.from({ length: sets }, (_, nth) => `round ${rounds} ${nth}`)
      const ids = await Promise.all(captions.map((caption) => schedule(Date.now() + DAY_MS, caption)))
      const before = await Promise.all(ids.map(async (id) => (await postsOf({ db }, id)).posts))
      // Once all of them have their posts.
      const dueAt = Date.now() + AHEAD_MS
      await db
        .updateTable('post_sets')
        .set({ scheduled_at: new Date(dueAt) })
        .where('id', 'in', ids)
        .execute()
      const answers = await Promise.all(
        ids.map(async (id, nth) => {
          await pause(Math.max(0, dueAt - BEFORE_MS + (nth / sets) * (BEFORE_MS + AFTER_MS) - Date.now()))
          return change(id, edits[nth % edits.length] ?? 'a post is added', before[nth] ?? [])
        }),
      )
      await untilPublished({ db }, ids)
      const wrong = await Promise.all(ids.map((id, nth) => wrongOf(id, answers[nth], captions[nth] ?? '')))
      return { taken: answers.filter((answer) => answer !== null).length, wrong: wrong.flat() }
    },
    async between(edit) {
      const id = await schedule(Date.now() + DAY_MS, `between ${edit}`)
      const { posts } = await postsOf({ db }, id)
      await sql`update post_sets set scheduled_at = almanac_now() where id = ${id}`.execute(db)
      const { looked, answer } = await db.connection().execute(async (session) => {
        await sql`select pg_advisory_lock(${GATE})`.execute(session)
        // Where the claim asks for the time, it waits; planning does not ask a volatile function.
        await sql`create or replace function almanac_now() returns timestamptz language plpgsql volatile as ${sql.lit(`
          begin
            if current_query() like '%full_connections%' then
              perform pg_advisory_lock_shared(4711), pg_advisory_unlock_shared(4711);
            end if;
            return date_trunc('milliseconds', clock_timestamp());
          end`)}`.execute(session)
        const looked = engine.look()
        await untilSomeoneWaits(session)
        const answer = await change(id, edit, posts)
        await sql`select pg_advisory_unlock(${GATE})`.execute(session)
        return { looked, answer }
      })
      await looked
      await engine.stepDatabase(0)
      await engine.drain()
      await untilPublished({ db }, [id])
      return { taken: answer === null ? 0 : 1, wrong: await wrongOf(id, answer, `between ${edit}`) }
    },
    async close() {
      await db.destroy()
      for (const each of workers.toReversed()) await each.close()
    },
  }
}

async function callerOf(engine: Engine): Promise<Caller> {
  const userId = newId()
  return {
    accountId: await accountOf(engine),
    actor: { type: 'USER', id: userId, name: 'Ada' },
    rights: rightsOf('editor'),
    socialSetIds: null,
    plan: SHIPPED_PLANS.SCALE,
    member: { userId, sessionId: newId(), role: 'editor', operator: false },
  }
}

async function postsOf({ db }: Pick<Engine, 'db'>, id: string) {
  const rows = await db
    .selectFrom('posts')
    .leftJoin('deliveries', 'deliveries.post_id', 'posts.id')
    .select(['posts.id', 'posts.account_type as accountType', 'posts.caption', 'deliveries.result'])
    .where('posts.post_set_id', '=', id)
    .orderBy('posts.position')
    .execute()
  return {
    posts: rows.map(({ result: _, ...post }) => post),
    results: rows.map(({ result }) => result?.status ?? 'no result'),
  }
}

async function untilPublished({ db }: Pick<Engine, 'db'>, ids: readonly string[]): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await pause(20)) {
    const open = db.selectFrom('post_sets').select('id').where('id', 'in', ids).where('status', '!=', 'PUBLISHED')
    if ((await open.limit(1).execute()).length === 0) return
  }
  throw new Error('Not all sets were published.')
}
