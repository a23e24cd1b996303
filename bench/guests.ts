import { parseArgs } from 'node:util'
import { startDashboard } from '../test/_util/browser/dashboard.ts'
import { inMs, printTable } from './measure.ts'

/**
 * What guests who ask for ten times what they may take of members: how long a comment, an approval and a new post take without them
 * and meanwhile, and the ratio.
 */

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
/** What a link may be asked for in a second is 500: so much is tried. */
const WANTED_PER_SECOND = 5_000
const dashboard = await startDashboard({
  newContext: () => {
    throw new Error('Nothing is opened here.')
  },
  allowProblem: () => {},
})
const { url, key, socialSetId, owner } = dashboard

async function ask(method: string, path: string, headers: Record<string, string>, body?: object, status?: number) {
  const type = body ? { 'content-type': 'application/json' } : {}
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...type },
    redirect: 'manual',
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  if (status !== undefined && answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return { status: answer.status, headers: answer.headers, text }
}
const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .filter((one) => !one.includes('Max-Age=0;'))
    .map((one) => one.split(';')[0])
    .join('; ')

try {
  const ours = { origin: url, 'sec-fetch-site': 'same-origin' }
  const session = await ask('POST', '/internal/session', ours, owner)
  const member = { ...ours, cookie: cookieOf(session.headers) }
  const program = { authorization: `Bearer ${key}` }
  const post = () => ({
    ...{ socialSetId, status: 'DRAFT', approval: 'EXTERNAL_PENDING', scheduledAt: '2030-06-12T10:00:00Z' },
    posts: [{ accountType: 'BLUESKY', caption: 'Fresh bread every morning', media: [] }],
  })
  const create = async () => JSON.parse((await ask('POST', '/v1/post-sets', program, post(), 201)).text).id as string
  const everything = {
    shows: { scheduled: true, drafts: true, published: true },
    allows: { comment: true, decide: true, notes: true },
  }
  const shared = { name: 'Bench', socialSetIds: [socialSetId], ...everything }
  const link = JSON.parse((await ask('POST', '/internal/shared-calendars', member, shared, 201)).text)
  const [calendar, crowded] = [await create(), await create()]
  const entered = await ask('GET', new URL(link.address).pathname, {})
  const page = entered.headers.get('location') ?? ''
  const loaded = await ask('GET', page, { cookie: cookieOf(entered.headers) })
  const guest = { ...ours, cookie: cookieOf(loaded.headers) }
  await ask('PUT', `${page}/visit/name`, guest, { name: 'Clara' }, 200)

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const timed = async (work: () => Promise<unknown>) => {
    const since = performance.now()
    await work()
    return performance.now() - since
  }
  /** The middle of each for so many seconds. */
  async function members(seconds: number) {
    const times: Record<string, number[]> = { comment: [], approval: [], post: [] }
    const end = performance.now() + seconds * 1_000
    while (performance.now() < end) {
      // An account has five requests a second by its key; a member twenty comments a minute.
      await pause(3_200)
      const made: string[] = []
      times.post?.push(await timed(async () => void made.push(await create())))
      const comment = { text: 'For us alone', audience: 'INNER' }
      times.comment?.push(
        await timed(() => ask('POST', `/internal/post-sets/${calendar}/comments`, member, comment, 201)),
      )
      const review = { decision: 'approve' }
      times.approval?.push(
        await timed(() =>
          ask('POST', `/internal/post-sets/${made[0]}/review`, { ...member, 'if-match': '*' }, review, 200),
        ),
      )
    }
    return times
  }

  const alone = await members(Math.min(20, Number(values.seconds)))
  const counts = new Map<number, number>()
  const stop = new AbortController()
  const works = [
    () => ask('POST', `${page}/posts/${crowded}/comments`, guest, { text: 'Once more' }),
    () => ask('GET', `${page}/calendar?from=2030-05-25&to=2030-07-06`, guest),
    () => ask('GET', new URL(link.address).pathname, {}),
  ]
  const flood = Array.from({ length: 50 }, async (_, nth) => {
    for (let count = nth; !stop.signal.aborted; count++) {
      const [since, work] = [performance.now(), works[count % works.length]]
      const status = (await work?.().catch(() => null))?.status ?? 0
      counts.set(status, (counts.get(status) ?? 0) + 1)
      await pause(Math.max(0, (50 * 1_000) / WANTED_PER_SECOND - (performance.now() - since)))
    }
  })
  const meanwhile = await members(Number(values.seconds))
  stop.abort()
  await Promise.all(flood)
  const middle = (times: readonly number[] = []) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  const rows = Object.keys(alone).map((name) => {
    const [before, after] = [middle(alone[name]), middle(meanwhile[name])]
    return [name, inMs(before), inMs(after), (after / before).toFixed(1), String(meanwhile[name]?.length)]
  })
  printTable(
    'Members, beside guests at ten times their bounds',
    ['of a member', 'alone', 'meanwhile', 'ratio', 'times'],
    rows,
  )
  console.log(`Answers to guests: ${[...counts].map(([status, count]) => `${count} of ${status}`).join(', ')}`)
} finally {
  await dashboard.stop()
}
