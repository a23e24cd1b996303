import { newId } from '#domain'
import type { DeclaredRoute } from '#http'
import type { Things } from './filled.ts'
import { type HostileHeaders, hostileHeaders } from './hostile-headers.ts'
import { type Case, type Measured, slowest, type Thread } from './thread.ts'

export interface Ways {
  key: Record<string, string>
  session: Record<string, string>
  nobody: Record<string, string>
}

/** A route with what it takes plainly, and the worst that it takes more. */
export interface RouteCost {
  route: string
  plain: Measured
  worst: Measured
  /** About what is full; null where nothing is read. */
  full: Measured | null
}

/** One of each way in: on these every text is tried, and the worst ones then on all. */
const SAMPLES = [
  'GET /v1/post-sets',
  'PATCH /v1/post-sets/:id',
  'PATCH /v1/media-upload/files/:id',
  'POST /v1/media-upload',
  'GET /internal/post-sets/:id',
  'POST /internal/session',
  'POST /internal/imported-calendars',
  'GET /shared/view/:link/visit',
  'GET /shared/view/:link',
  'POST /shared/:token',
  'GET /media/:id/:variant',
  'GET /feeds/:token',
  'GET /unsubscribe',
  'GET /connect/:network/callback',
  'GET /dashboard',
  'GET /docs',
  'GET /openapi.json',
]
const WORST_TEXTS = 6
/** A first request of a route compiles what later ones use. */
const WARM = 2

/** Every route as it is asked plainly, about what is full, and with hostile headers. */
export async function measureRoutes(
  { thread, ways, little, many }: { thread: Thread; ways: Ways; little: Things; many: Things },
  routes: readonly DeclaredRoute[],
): Promise<RouteCost[]> {
  const about = (route: DeclaredRoute, things: Things, body: string, hostile?: HostileHeaders): Case => {
    const headers = { ...headersFor(route, ways, things), ...hostile?.headers }
    const json = ['GET', 'HEAD', 'OPTIONS'].includes(route.method) ? null : '{}'
    const { method } = route
    return { route: nameOf(route), body, method, path: pathOf(route, things), headers, json }
  }
  const samples = routes.filter((route) => SAMPLES.includes(nameOf(route)))
  const tried: Measured[] = []
  for (const route of samples) {
    await thread.measureAll(Array(WARM).fill(about(route, little, 'warm')))
    const sets = hostileHeaders(headersFor(route, ways, little))
    tried.push(...(await thread.measureAll(sets.map((set) => about(route, little, set.name, set)))))
  }
  const worst = [...new Set(slowest(tried).map(({ body }) => body))].slice(0, WORST_TEXTS)
  const costs: RouteCost[] = []
  for (const route of routes) {
    const [first] = await thread.measureAll(Array(WARM).fill(about(route, little, 'plain')))
    const plains = await thread.measureAll(Array(3).fill(about(route, little, 'plain')))
    const plain = slowest(plains).at(-1) ?? first
    const sets = hostileHeaders(headersFor(route, ways, little)).filter(({ name }) => worst.includes(name))
    const reads = route.method === 'GET' || route.method === 'HEAD'
    const [full = null] = await thread.measureAll(reads ? [about(route, many, 'about what is full')] : [])
    const hostile = await thread.measureAll(sets.map((set) => about(route, little, set.name, set)))
    const before = tried.filter((each) => each.route === nameOf(route))
    const [most] = slowest([...(full ? [full] : []), ...hostile, ...before])
    if (plain && most) costs.push({ route: nameOf(route), plain, worst: most, full })
  }
  return costs.toSorted((a, b) => more(b) - more(a))
}

export const more = ({ plain, worst }: RouteCost) => worst.ms - plain.ms
const nameOf = ({ method, url }: DeclaredRoute) => `${method} ${url}`

function headersFor({ method, url, open }: DeclaredRoute, ways: Ways, { guest }: Things): Record<string, string> {
  if (url.startsWith('/v1/')) return ways.key
  if (url.startsWith('/shared/')) return { ...ways.nobody, cookie: guest.cookie }
  // It would end the session that all others need.
  if ((method === 'DELETE' && url.startsWith('/internal/session')) || open) return ways.nobody
  return url.startsWith('/internal/') ? ways.session : ways.nobody
}

/** What a route that only reads is asked about; what changes something is about nothing that there is. */
function pathOf({ method, url }: DeclaredRoute, things: Things): string {
  const reads = method === 'GET' || method === 'HEAD'
  const { socialSetId, postSetId, noteId, mediaId, guest } = things
  const ids: [RegExp, string][] = [
    [/\/(post-sets|posts)\/:id/, postSetId],
    [/\/social-sets\/:id/, socialSetId],
    [/\/notes\/:id/, noteId],
    [/\/(media-library|media)\/:id/, mediaId],
  ]
  const id = (reads && ids.find(([pattern]) => pattern.test(url))?.[1]) || newId()
  const names: Record<string, string> = {
    id,
    postId: things.postId,
    entryId: things.entryId,
    link: guest.link,
    token: url.startsWith('/feeds') ? things.feedToken : url === '/shared/:token' ? guest.token : 'a'.repeat(43),
    network: 'bluesky',
    variant: 'original',
    name: 'endpoints',
  }
  const path = url.replace(/:(\w+)/g, (_, name: string) => names[name] ?? id).replace('*', 'scheduling')
  const query = reads ? queryOf(url, things) : ''
  return query === '' ? path : `${path}?${query}`
}

function queryOf(url: string, { socialSetId, since, month }: Things): string {
  const from = `${month}-01`
  const to = Temporal.PlainDate.from(from).add({ days: 41 }).toString()
  const place = `socialSetId=${socialSetId}`
  const path = url.replace(/^\/(v1|internal)/, '')
  if (/^\/shared\/view\/:link\/calendar$/.test(url)) return `from=${from}&to=${to}`
  switch (path) {
    case '/post-sets':
    case '/media-library':
      return `${place}&size=100`
    case '/notes':
      return `${place}&filters[startDate]=${from}&filters[endDate]=${to}`
    case '/calendar':
    case '/calendar/elsewhere':
      return `${place}&from=${from}&to=${to}`
    case '/calendar/authors':
    case '/connections':
    case '/hashtag-groups':
    case '/kept-drafts':
    case '/imported-calendars':
    case '/events':
      return place
    case '/approvals':
      return `tab=waiting&${place}`
    case '/post-sets/:id/changes':
    case '/post-sets/:id/changes/:postId':
    case '/shared/view/:link/posts/:id/changes/:postId':
      return `since=${since}`
    case '/social-sets/:id/timezone-change':
      return 'timezone=America/New_York'
    case '/unsubscribe':
      return 'token=guessed'
    case '/connect/:network/callback':
      return 'state=guessed&code=guessed'
    default:
      return ''
  }
}
