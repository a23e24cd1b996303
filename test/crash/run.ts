import { setTimeout as pause } from 'node:timers/promises'
import type { AccountType } from '#contract'
import { newId } from '#domain'
import type { Answer, Cell } from './cell.ts'
import { check, type End, ledgerOf, liveOf, type Post } from './check.ts'
import { type Fault, type FaultName, faultOf, undo } from './faults.ts'
import type { Point, Recorded } from './gate.ts'
import { type Content, fieldsOf, itemsOf, type Kind, networkOf } from './posts.ts'

/** What is tried at once: a post to each of some account types, a fault, and the points at which it strikes. */
export interface Run {
  fault: FaultName
  /** One post each; at most one to a network. */
  accountTypes: readonly AccountType[]
  /** With `atMs`, posts are due one after the other so that they come to their points at the same moment. */
  points: readonly (Point & { atMs?: number })[]
  kind: Kind
}

/** The outcome of one post. */
export interface PostEnd {
  accountType: AccountType
  caption: string
  /** What the fault struck of it, if anything. */
  point: Point | null
  result: 'POSTED' | 'FAILED' | 'OPEN'
  message: string | null
  /** From the strike until another worker took the delivery, when one did. */
  takeoverMs: number | null
  /** From the strike to the end. */
  endedMs: number
  /** A network may not report it in time: such a result has none. */
  hasPermalink: boolean
  /** What should not be; empty when all is well. */
  faults: string[]
}

export interface RunEnd {
  run: Run
  /** Points that were held when the fault struck. */
  struck: Point[]
  /** Those that the posts did not come to, or came to at the other worker. */
  missed: Run['points'][number][]
  posts: PostEnd[]
  ms: number
}

/** Between the making of the posts and their time. */
const AHEAD_MS = 2_500
/** Around its time the post of a set is swapped for another: so long before and after. */
const [SWAPPED_BEFORE_MS, SWAPPED_AFTER_MS] = [10, 50]
/** Of a post that is due long after a run: less than clocks are set ahead by, more than a run takes. */
const LATER_MS = 45 * 60_000
/** How long posts may take from the strike to their end. */
const LONGEST_MS = 7 * 60_000

/** Plays what happens without a fault, and answers with every point that was passed. */
export async function record(cell: Cell, run: Omit<Run, 'fault' | 'points'>): Promise<Recorded[]> {
  const { posts, dueAt } = await schedule(cell, { ...run, points: [] })
  cell.gate.begin([], dueAt)
  const ends = await untilEnded(cell, posts)
  const points = [...cell.gate.recorded()]
  for (const post of posts) {
    const end = ends.get(post.setId)
    const { faults } = await check(cell, post, end)
    if (faults.length > 0 || end?.status !== 'POSTED' || end.warnings.length > 0) {
      throw new Error(`${post.accountType} was not published without a fault: ${faults} ${JSON.stringify(end)}`)
    }
  }
  return points
}

/**
 * Plays a run and checks the outcome of each of its posts.
 *
 * @param options.patienceMs how long messages are held until those of the other points come. By default so long that a visible
 * call among them still has time
 */
export async function play(
  cell: Cell,
  run: Run,
  { patienceMs = 0.4 * cell.leaseMs }: { patienceMs?: number } = {},
): Promise<RunEnd> {
  const startedAt = performance.now()
  const fault: Fault = faultOf(run.fault)
  const [victim, other] = startedAt % 2 < 1 ? cell.workers : [cell.workers[1], cell.workers[0]]
  // So that the posts are the victim's; the other one looks and claims as ever.
  other.proxy.keepFromTaking(true)
  const later = await scheduleLater(cell, run)
  const { posts, dueAt } = await schedule(cell, run)
  cell.gate.begin(run.points, dueAt)
  const swapping = Promise.all(posts.map((post, nth) => swap(cell, post, nth / posts.length, run.kind)))
  const longest = dueAt - performance.now() + 32_000
  await cell.gate.untilHeld(patienceMs, longest)
  const held = [...cell.gate.held()]
  const hit = held[0] ? cell.worker(held[0].worker) : victim
  const struck = held.filter(({ worker }) => worker === hit.name)
  const struckAt = performance.now()
  other.proxy.keepFromTaking(false)
  const ending = Promise.withResolvers<Map<string, End>>()
  const striking = struck.length > 0 ? fault.strike(cell, hit, struck, () => ending.promise) : Promise.resolve()
  cell.gate.disarm(struck)
  const [ends] = await Promise.all([
    untilEnded(cell, posts).then((all) => {
      ending.resolve(all)
      return all
    }),
    striking,
  ])
  await swapping
  const results = await Promise.all(
    posts.map(async (post): Promise<PostEnd> => {
      const end = ends.get(post.setId)
      const lapsed = cell.takings.filter(({ postId, takenOver, at }) => {
        return postId === post.postId && takenOver && at > struckAt
      })
      const taken = lapsed.find(({ worker }) => worker !== hit.name)
      const { faults, hasPermalink } = await check(cell, post, end)
      return {
        accountType: post.accountType,
        caption: post.content.caption,
        point: struck.find(({ point }) => point.subject === post.accountType)?.point ?? null,
        result: end?.status ?? 'OPEN',
        message: end?.message ?? null,
        takeoverMs: taken ? Math.round(taken.at - struckAt) : null,
        endedMs: Math.round((end?.at ?? performance.now()) - struckAt),
        hasPermalink,
        faults: [
          ...faults,
          ...(fault.keepsLeases && lapsed.length > 0 ? ['taken over although its worker went on'] : []),
        ],
      }
    }),
  )
  const early = await checkLater(cell, later)
  for (const post of results.slice(0, 1)) post.faults.push(...early)
  await undo(cell)
  // No one takes drafts out of an inbox here, which holds five.
  if (run.kind === 'other') await cell.newBrand()
  else await repairConnections(cell)
  const done = new Set(struck.map(({ point }) => point))
  return {
    run,
    struck: [...done],
    missed: run.points.filter((point) => !struck.some((each) => samePoint(each.point, point))),
    posts: results,
    ms: Math.round(performance.now() - startedAt),
  }
}

const samePoint = (a: Point, b: Point) =>
  a.subject === b.subject && a.name === b.name && a.nth === b.nth && a.side === b.side

/** A post whose time is after the run: whatever clocks say meanwhile, it stays. */
async function scheduleLater(cell: Cell, { accountTypes }: Pick<Run, 'accountTypes'>): Promise<Post> {
  const [accountType = 'BLUESKY'] = accountTypes
  const content = { caption: `Later ${newId()}`, items: 0 }
  return scheduleOne(cell, 'plain', { accountType, content, dueAt: Date.now() + LATER_MS })
}

/** What should not be of it; it is taken away. */
async function checkLater(cell: Cell, post: Post): Promise<string[]> {
  const set = await cell.ask('GET', `/v1/post-sets/${post.setId}`)
  const live = await liveOf(cell, post, post.content.caption)
  const faults = [
    ...(set?.body.status === 'SCHEDULED' ? [] : [`a post of later is ${set?.body.status}`]),
    ...(live.length === 0 ? [] : ['a post of later is there']),
  ]
  await cell.server.query(`delete from post_sets where id = '${post.setId}' and status = 'SCHEDULED'`)
  return faults
}

async function scheduleOne(
  cell: Cell,
  kind: Kind,
  { accountType, content, dueAt }: Pick<Post, 'accountType' | 'content' | 'dueAt'>,
): Promise<Post> {
  const before = new Set(content.items > 0 ? (await ledgerOf(cell, accountType)).map(({ id }) => id) : [])
  const body = {
    socialSetId: cell.brand.socialSetId,
    scheduledAt: new Date(dueAt).toISOString(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [postOf(cell, kind, accountType, content)],
  }
  let answer = await cell.ask('POST', '/v1/post-sets', body)
  // As many in a second as the plan has: like any client, it comes again in the next one.
  while (answer?.status === 429) {
    await pause(1_000)
    answer = await cell.ask('POST', '/v1/post-sets', body)
  }
  if (answer?.status !== 201) throw new Error(`${accountType} was not scheduled: ${JSON.stringify(answer)}`)
  const { id: setId, posts } = answer.body
  return { accountType, content, setId, postId: posts[0]?.id ?? '', dueAt, other: null, before }
}

async function schedule(
  cell: Cell,
  { accountTypes, points, kind }: Omit<Run, 'fault'>,
): Promise<{ posts: Post[]; dueAt: number }> {
  const { ids, underWay } = cell
  underWay.clear()
  const latestMs = Math.max(0, ...points.map(({ atMs }) => atMs ?? 0))
  const begin = Date.now() + AHEAD_MS
  const dueAt = performance.now() + AHEAD_MS + latestMs
  const posts = await Promise.all(
    accountTypes.map(async (accountType): Promise<Post> => {
      const content = newContent(kind, accountType, { isSwapped: false })
      const { atMs } = points.find(({ subject }) => subject === accountType) ?? {}
      const scheduledAt = new Date(begin + (atMs === undefined ? 0 : latestMs - atMs))
      const post = await scheduleOne(cell, kind, { accountType, content, dueAt: scheduledAt.getTime() })
      ids.add(post.setId, accountType)
      ids.add(post.postId, accountType)
      underWay.set(networkOf(accountType), accountType)
      return post
    }),
  )
  return { posts, dueAt }
}

const newContent = (kind: Kind, accountType: AccountType, which: { isSwapped: boolean }): Content => ({
  caption: `Crash ${newId()}${kind === 'refreshing' ? ' [[fault:token-expired]]' : ''}`,
  items: itemsOf(kind, accountType, which),
})
const postOf = ({ brand }: Cell, kind: Kind, accountType: AccountType, content: Content) => ({
  accountType,
  caption: content.caption,
  ...fieldsOf(kind, accountType, content, brand.media),
})

/** Has a new post take the place of that of a set, around its time. It is told what became of it, or the set says. */
async function swap(cell: Cell, post: Post, turn: number, kind: Kind): Promise<void> {
  await pause(Math.max(0, post.dueAt - SWAPPED_BEFORE_MS + turn * (SWAPPED_BEFORE_MS + SWAPPED_AFTER_MS) - Date.now()))
  const other = newContent(kind, post.accountType, { isSwapped: true })
  const path = `/v1/post-sets/${post.setId}`
  const answer = await cell.ask('PATCH', path, { posts: [postOf(cell, kind, post.accountType, other)] })
  const [now] = (answer?.status === 200 ? answer : await untilAnswered(() => cell.ask('GET', path))).body.posts
  if (!now) throw new Error(`The set of ${post.accountType} has no post.`)
  const isSwapped = now.caption === other.caption
  const { content } = post
  post.other = isSwapped ? content : other
  post.content = isSwapped ? other : content
  post.postId = now.id
  cell.ids.add(now.id, post.accountType)
}

async function untilAnswered(ask: () => Promise<Answer | null>): Promise<Answer> {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end; await pause(150)) {
    const answer = await ask()
    if (answer?.status === 200) return answer
  }
  throw new Error('Almanac does not answer.')
}

/** The result of each post, by its set; those that have none in time are left out. */
async function untilEnded(cell: Cell, posts: readonly Post[]): Promise<Map<string, End>> {
  const ends = new Map<string, End>()
  const deadline = performance.now() + LONGEST_MS
  while (ends.size < posts.length && performance.now() < deadline) {
    for (const { setId } of posts) {
      if (ends.has(setId)) continue
      const answer = await cell.ask('GET', `/v1/post-sets/${setId}`)
      const result = answer?.body.posts?.[0]?.result
      if (answer?.body.status !== 'PUBLISHED' || !result) continue
      const { status, message, permalink, thread, stories, warnings } = result
      ends.set(setId, {
        status,
        message: message ?? null,
        permalink: permalink ?? null,
        further: [...(thread ?? []), ...(stories ?? [])].map(({ providerId }) => providerId),
        warnings: (warnings ?? []).map((warning) => warning.message),
        at: performance.now(),
      })
    }
    await pause(150)
  }
  return ends
}

/** A connection that a fault has ended is replaced with its account. */
async function repairConnections(cell: Cell): Promise<void> {
  const [row] = await cell.server.query(
    `select count(*)::int as dead from connections
     where account_id = '${cell.brand.accountId}' and (closed_at is not null or status <> 'CONNECTED')`,
  )
  if (row?.dead !== 0) await cell.newBrand()
}
