import type { SimulatedAnswer } from '../kit/faults.ts'
import { readForm } from '../kit/request-body.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, showPost, simulatedApi } from '../kit/simulator.ts'
import {
  chosen,
  type Params as Fields,
  ok,
  timestamp,
  tooLarge,
  unknownObject,
  unknownPath,
} from '../meta/simulator.ts'
import { findContainer, findPost, listPosts, quotaOf, readContainer, readPost } from '../meta/simulator-containers.ts'
import type { Asked, ThreadsPost, World } from './simulator-asked.ts'
import { type Container, createContainer, noteFinished, publishContainer } from './simulator-containers.ts'
import { identityFor, PUBLISH, READ, type SimulatedAccount, signIn } from './simulator-sign-in.ts'

/** Far above the network's 250, so that trying things out with many posts does not end in a wait of a day. */
const QUOTA_TOTAL = 10_000
/** Servers refuse longer addresses before they look at them. Which length the network's do is not known. */
const LONGEST_ADDRESS = 8_192
/** The listing shows a post only after this time. The network names none. */
const LISTED_AFTER_MS = 10_000

/** What a profile has, and what can be read of an id alone, each with what a token must have been granted. */
const EDGES: Readonly<Record<string, readonly [string, (asked: Asked) => ReturnType<Answering>]>> = {
  'GET ': [READ, showObject],
  'GET threads': [READ, listThreads],
  'GET replies': [READ, listReplies],
  'GET threads_publishing_limit': [PUBLISH, readQuota],
  'POST threads': [PUBLISH, createContainer],
  'POST threads_publish': [PUBLISH, publishContainer],
}

/**
 * The simulated Threads: containers, publishing and listings under `/graph/v1.0`, tokens under `/graph`, the sign-in under
 * `/web`. It fetches media for real and refuses what the network is known to refuse. Where the documents are silent it
 * does the worst that they allow: publishing a container twice makes two posts, a fresh post is unknown to its first
 * reader and missing in the listing for a while.
 */
export function simulate(deps: SimulatorDeps, quirks: Partial<World> = {}): Simulator {
  const world: World = {
    quotaTotal: QUOTA_TOTAL,
    races: 0,
    requireProof: false,
    counts: 'characters',
    replies: 'allowed',
    ...quirks,
  }
  const { open, authorize } = signIn(deps, world.requireProof)
  const edges = Object.entries(EDGES).map(([route, [need, answer]]) => {
    const [method = '', edge = ''] = route.split(' ')
    const answering: Answering<SimulatedAccount> = async (call) => {
      const { version = '', id = '' } = call.at
      if (!/^v\d+\.\d+$/.test(version)) return unknownPath(version)
      if (edge !== '' && !isOwn(id, call.by)) return unknownObject(id)
      const given = { ...Object.fromEntries(call.query), ...(await readForm(call.request)) }
      const { access_token: _, appsecret_proof: __, ...params } = given
      return answer({ ...call, world, params })
    }
    return [`${method} /graph/:version/:id${edge && `/${edge}`}`, [need, answering]] as const
  })
  const api = simulatedApi<SimulatedAccount, string>(deps, {
    identityFor: (connection) => identityFor(deps, connection),
    open: { ...open, 'GET /web/@:username': (call) => showPost(call) },
    routes: Object.fromEntries(edges),
    authorize,
    notFound: unknownPath('of no edge'),
    tooLarge,
  })
  return {
    ...api,
    async handle(request, response, path) {
      if (path.length > LONGEST_ADDRESS) response.writeHead(414).end('URI Too Long')
      else await api.handle(request, response, path)
    },
  }
}

const isOwn = (id: string, account: SimulatedAccount) => id === 'me' || id === account.id

/** `GET /{container}`, `GET /{post}` and `GET /me` */
function showObject({ deps, by, at, query }: Asked): SimulatedAnswer {
  const { id = '' } = at
  if (isOwn(id, by)) {
    const { ledgerId: _, ...profile } = by
    return ok(chosen(profile, query, [...Object.keys(profile), 'threads_profile_picture_url', 'threads_biography']))
  }
  const container = findContainer<Container>(deps, by.id, id)
  if (container) {
    return readContainer(
      deps,
      noteFinished(deps, container),
      query,
      ['id', 'status', 'error_message'],
      (each, status) => ({
        status,
        error_message: status === 'ERROR' ? each.failure : undefined,
      }),
    )
  }
  const post = findPost<ThreadsPost>(deps, by.id, id)
  return post ? readPost(deps, post, (each) => shown(each, query)) : unknownObject(id)
}

/** `GET /me/threads`. Newest first. */
function listThreads({ deps, by, query }: Asked): SimulatedAnswer {
  return listPosts(deps, by.id, query, {
    shows: ({ answers }: ThreadsPost, age) => answers === undefined && age >= LISTED_AFTER_MS,
    show: (post) => shown(post, query),
  })
}

/** `GET /me/replies`, where the token may. */
function listReplies({ deps, by, query, world }: Asked): SimulatedAnswer {
  return listPosts(deps, by.id, query, {
    shows: ({ answers }: ThreadsPost, age) =>
      world.replies === 'allowed' && answers !== undefined && age >= LISTED_AFTER_MS,
    show: (post) => shown(post, query),
  })
}

function shown(post: ThreadsPost, query: URLSearchParams): Fields {
  const { id, mediaType: media_type, permalink, answers } = post
  const place = { is_reply: answers !== undefined, replied_to: answers === undefined ? undefined : { id: answers } }
  const all = { id, media_type, permalink, text: post.text ?? undefined, timestamp: timestamp(post.at), ...place }
  return chosen(all, query, Object.keys(all))
}

/** `GET /me/threads_publishing_limit` */
function readQuota({ deps, by, query, world }: Asked): SimulatedAnswer {
  const all = quotaOf(deps, by.ledgerId, world.quotaTotal)
  return ok({ data: [chosen(all, query, Object.keys(all))] })
}
