import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AnsweredFault, answerVisibleCall, type SimulatedAnswer, SimulatedRefusal, sendAnswer } from './faults.ts'
import { TooLargeError } from './request-body.ts'
import type { Simulator, SimulatorDeps } from './simulation.ts'

/** A request of a simulator, at a route. */
export interface Call<Who = null> {
  deps: SimulatorDeps
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
  /** Parts of the path by their names in the route: `:id`. */
  at: Readonly<Record<string, string>>
  /** Who asks; null at routes that are open to all. */
  by: Who
  /** What every answer gets. */
  finish(answer: SimulatedAnswer): SimulatedAnswer
}

/** Answers a call; null when it has sent its answer by itself. */
export type Answering<Who = null> = (call: Call<Who>) => SimulatedAnswer | null | Promise<SimulatedAnswer | null>

/** A simulated API. Routes are a method and a path below the simulator's address: `GET /api/v5/boards/:id/pins`. */
export interface SimulatedApi<Who, Need> {
  identityFor: Simulator['identityFor']
  /** Routes that want no token: sign-in, pages. */
  open: Readonly<Record<string, Answering>>
  /** The others, each with what a token must allow. */
  routes: Readonly<Record<string, readonly [Need, Answering<Who>]>>
  /** Whose token it is. @throws SimulatedRefusal when it is none, or does not allow what is needed */
  authorize(request: IncomingMessage, need: Need): Who
  notFound: SimulatedAnswer
  /** The answer to a body over its limit. */
  tooLarge: SimulatedAnswer
  finish?(answer: SimulatedAnswer): SimulatedAnswer
}

/** A simulator that answers by routes. A body is read by the route alone, so never for a client that may not send one. */
export function simulatedApi<Who, Need>(deps: SimulatorDeps, api: SimulatedApi<Who, Need>): Simulator {
  const finish = api.finish ?? ((answer) => answer)
  type Asked = Omit<Call, 'by'>
  const open = Object.entries(api.open).map(
    ([route, answer]) => [patternOf(route), (call: Asked) => answer({ ...call, by: null })] as const,
  )
  const guarded = Object.entries(api.routes).map(
    ([route, [need, answer]]) =>
      [patternOf(route), (call: Asked) => answer({ ...call, by: api.authorize(call.request, need) })] as const,
  )
  return {
    identityFor: api.identityFor,
    async handle(request, response, path) {
      const { pathname, searchParams: query } = new URL(path, 'http://simulator')
      try {
        let answer: SimulatedAnswer | null = api.notFound
        for (const [pattern, answering] of [...open, ...guarded]) {
          const at = partsOf(pattern, `${request.method} ${pathname}`)
          if (!at) continue
          answer = await answering({ deps, request, response, query, at, finish })
          break
        }
        if (answer) sendAnswer(response, finish(answer))
      } catch (error) {
        if (error instanceof SimulatedRefusal) sendAnswer(response, finish(error.answer))
        else if (error instanceof TooLargeError) sendAnswer(response, finish(api.tooLarge))
        else throw error
      }
    },
  }
}

const patternOf = (route: string): RegExp =>
  new RegExp(`^${route.replace(/[.?*+]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)

function partsOf(pattern: RegExp, asked: string): Readonly<Record<string, string>> | null {
  const found = pattern.exec(asked)
  if (!found) return null
  return Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, part]) => [name, decoded(part)]))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Answers the call that the world sees, with the fault that its text asks for. See `answerVisibleCall`. */
export async function visibly(
  { deps, response, finish }: Pick<Call<unknown>, 'deps' | 'response' | 'finish'>,
  call: {
    /** Tells this post from all others and is the same at every try. */
    key: unknown
    text: unknown
    answers: Partial<Record<AnsweredFault, SimulatedAnswer>> & { '500-before': SimulatedAnswer }
    accept(): SimulatedAnswer | Promise<SimulatedAnswer>
  },
): Promise<null> {
  const key = createHash('sha256').update(JSON.stringify(call.key)).digest('hex')
  const accept = async () => finish(await refusable(call.accept)())
  const text = typeof call.text === 'string' ? call.text : ''
  await answerVisibleCall({ store: deps.store, response, key, text, answers: call.answers, accept })
  return null
}

/** Deletes a post from its collection. The ledger goes on showing it, with the time at which it was deleted. */
export function deletePost({ store, now }: SimulatorDeps, collection: string, id: string): void {
  store.together(() => {
    store.remove(collection, id)
    const post = store.posts().find((each) => each.id === id)
    if (post) store.amendPost(id, { details: { ...post.details, deletedAt: now().toISOString() } })
  })
}

/** Leads the browser to the page on which the sandbox shows a post; without an id, to all of them. */
export function showPost({ deps, response }: Pick<Call<unknown>, 'deps' | 'response'>, id?: string): null {
  const { pathname } = new URL(deps.url)
  response.writeHead(302, { location: `${pathname}${id ? `/p/${encodeURIComponent(id)}` : ''}` }).end()
  return null
}

/** The answer of a call, also when it refuses. */
export function refusable<A extends SimulatedAnswer | null>(accept: () => A | Promise<A>) {
  return async (): Promise<A | SimulatedAnswer> => {
    try {
      return await accept()
    } catch (error) {
      if (error instanceof SimulatedRefusal) return error.answer
      throw error
    }
  }
}

/** The token of the header; undefined without one. */
export const bearerIn = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]

/** The S256 challenge of a PKCE verifier. */
export const challengeOf = (verifier = ''): string => createHash('sha256').update(verifier).digest('base64url')

/** An id of digits for a seed: the same in every process and after every restart. */
export function idFor(seed: string, prefix: string, digits: number): string {
  const number = createHash('sha256').update(seed).digest().readBigUInt64BE() % 10n ** BigInt(digits)
  return prefix + String(number).padStart(digits, '0')
}

/** A user name for an account of this name. */
export function usernameFor(name: string): string {
  const handle = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, 30)
  return handle || 'demo'
}
