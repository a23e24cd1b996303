import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { askedQuery, LIMITS, LiveQuery, ProblemError } from '#contract'
import { type LiveMessage, readFollowed, requireMember } from '#operations'
import type { ServerDeps } from '../server-deps.ts'

/**
 * Pages listen only while they are in sight. Browsers have six connections to one server without HTTP/2 (for all of its
 * pages), so that some are left for everything else.
 */
const STREAMS_PER_MEMBER = 4
/** How soon a stream ends at the latest whose session is over. */
const CHECK_MS = 45_000
/** A client that does not read what it is sent is let go of. */
const UNREAD_BYTES = 1_000_000

/**
 * What changes in a social set, or in all that the member sees, as it changes: server-sent events (WHATWG HTML, 9.2), which browsers take up again by
 * themselves. The route answers by itself, because its answer has no end.
 */
export function liveRoutes(server: FastifyInstance, { db, live }: Pick<ServerDeps, 'db' | 'live'>): void {
  const streams = new Map<string, Set<ServerResponse>>()
  // A stream would keep the server from closing for as long as it is let.
  server.addHook('preClose', async () => {
    for (const stream of [...streams.values()].flatMap((each) => [...each])) stream.end()
  })
  server.addHook('onClose', () => live.close())

  // A stream that answers HEAD would never end.
  const options = { schema: { hide: true }, config: { quiet: true }, exposeHeadRoute: false }
  server.get('/internal/live', options, async (request, reply) => {
    const { caller } = request
    if (!caller) throw new Error('A route of the dashboard was reached without a member.')
    const { userId } = requireMember(caller)
    const query = askedQuery(LiveQuery, (request.query as { text?: string }).text ?? '')
    const { socialSetIds, stillAllowed, present } = await readFollowed({ db }, caller, query)
    const own = streams.get(userId) ?? new Set()
    if (own.size >= STREAMS_PER_MEMBER) {
      const detail = `A member can follow changes in at most ${STREAMS_PER_MEMBER} windows.`
      throw new ProblemError('rate-limit:exceeded', detail, { headers: { 'retry-after': '60' } })
    }

    reply.hijack()
    const stream = reply.raw
    // The browser has left while all this was found out.
    if (stream.destroyed) return
    streams.set(userId, own.add(stream))
    stream.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      // nginx would keep events back.
      'x-accel-buffering': 'no',
    })
    const send = (text: string) => {
      if (stream.writableLength > UNREAD_BYTES) stream.destroy()
      else if (!stream.writableEnded) stream.write(text)
    }
    send('retry: 3000\n\n')
    // `ready` comes when of all nothing is missed any more, and the window can say which post it has open; then all is read.
    const missing = new Set(['bell', 'presence', ...socialSetIds])
    const begin = (what: string, later: LiveMessage) => {
      const first = missing.delete(what)
      if (missing.size === 0) send(written(first ? { event: 'ready', ids: null } : later))
    }
    const unfollow = socialSetIds.map((id) =>
      live.follow(id, (message) => {
        if (message.event === 'ready') begin(id, message)
        else send(written(message))
      }),
    )
    // The bell of the member, of any social set: the database reports it under the id of the user.
    const unfollowBell = live.follow(userId, ({ event, ids }) => {
      if (event === 'ready') begin('bell', { event: 'news', ids: [] })
      else if (event === 'news') send(written({ event, ids }))
    })
    const begun = present.begin().catch(lapses)
    void begun.then(() => begin('presence', { event: 'presence', ids: [] }))
    const beat = setInterval(() => send(': still here\n\n'), LIMITS.eventBeatSeconds * 1_000)
    const check = setInterval(() => {
      // Nothing else is held up while the database is away.
      stillAllowed().then(
        (allowed) => (allowed ? present.renew().catch(lapses) : void stream.end()),
        () => {},
      )
    }, CHECK_MS)
    stream.once('close', () => {
      clearInterval(beat)
      clearInterval(check)
      void begun.then(present.end).catch(lapses)
      for (const each of unfollow) each()
      unfollowBell()
      own.delete(stream)
      if (own.size === 0 && streams.get(userId) === own) streams.delete(userId)
    })
  })
}

/** While the database is away: the row lapses. */
const lapses = () => {}

function written({ event, ids }: LiveMessage): string {
  return `event: ${event}\ndata: ${JSON.stringify(ids === null ? {} : { ids })}\n\n`
}
