import { createHash } from 'node:crypto'
import { SimulatedRefusal } from '../kit/faults.ts'
import { simulatedGoogle } from '../kit/google-sign-in.ts'
import type { Simulator, SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, bearerIn, showPost, simulatedApi, usernameFor } from '../kit/simulator.ts'
import { COMMENT, SCOPES as NEEDED } from './connect.ts'
import { manifest } from './manifest.ts'
import { addComment, comments } from './simulator-comments.ts'
import {
  type Asked,
  apiError,
  beginUpload,
  CATEGORIES,
  type Channel,
  continueUpload,
  demand,
  type Entry,
  findVideo,
  keep,
  partsIn,
  partsOf,
  refuse,
  resource,
  setThumbnail,
  unauthorized,
  videosOf,
} from './simulator-videos.ts'

interface Claims {
  /** Connection; null for the account of the sign-in. */
  id: string | null
  name: string
  /** Granted scopes. */
  scope: string
}

/** Somewhat less than what the manifest allows for. */
const LISTING_MS = 90_000
const SCOPES = [...NEEDED, COMMENT]
const UPLOADING = SCOPES.filter((scope) => scope.endsWith('.upload'))
const READING = NEEDED.filter((scope) => !UPLOADING.includes(scope))
const PREFIXES = { access: 'ya29.pretend-', refresh: '1//pretend-' }

/**
 * The simulated YouTube: Google's sign-in (`/accounts`, `/token`), the Data API with its resumable uploads (`/api`) and
 * the pages of videos (`/web`). Where the documents are silent it does the worst that they allow: it takes the first
 * piece of a file in part, refuses bytes that it has, and does not show a new video to its first reader.
 */
export function simulate(deps: SimulatorDeps): Simulator {
  const { tokens, page, answerToken } = simulatedGoogle<Claims>(deps, {
    title: 'Google',
    clientId: manifest.settings.CLIENT_ID?.sandbox ?? '',
    prefixes: PREFIXES,
    scope: SCOPES.join(' '),
    signIn: ({ scope }) => ({ id: null, name: 'Demo channel', scope }),
  })
  // A route wants one of its scopes.
  return simulatedApi<Channel, readonly string[]>(deps, {
    /** The same connection has the same identity and the same tokens, in every process and after every restart. */
    identityFor({ id, name }) {
      const claims: Claims = { id, name, scope: SCOPES.join(' ') }
      const { id: externalId, handle: username } = channelOf(claims)
      const token = (kind: 'access' | 'refresh') => PREFIXES[kind] + deps.tokens.write(kind, claims)
      const credentials = { accessToken: token('access'), refreshToken: token('refresh') }
      const profileUrl = `${deps.url}/web/channel/${externalId}`
      return { externalId, name, username, profileUrl, avatarUrl: null, credentials, expiresAt: null }
    },
    authorize(request, scopes) {
      const claims = tokens.access(bearerIn(request))
      if (!claims) throw new SimulatedRefusal(unauthorized)
      const granted = claims.scope.split(' ')
      if (scopes.some((scope) => granted.includes(scope))) return channelOf(claims)
      return refuse(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
    },
    notFound: { status: 404, body: '<html>Error 404 (Not Found)!!1</html>' },
    tooLarge: apiError(413, 'uploadTooLarge', 'Too large.'),
    open: {
      'GET /accounts/o/oauth2/v2/auth': page,
      'POST /token/token': answerToken,
      'GET /web/watch': (call) => {
        const id = call.query.get('v') ?? ''
        return findVideo(call.deps, id) ? showPost(call, id) : { status: 404, body: 'This video is not available' }
      },
    },
    routes: {
      'POST /api/upload/youtube/v3/thumbnails/set': [UPLOADING, setThumbnail],
      'POST /api/upload/youtube/v3/videos': [UPLOADING, beginUpload],
      'PUT /api/upload/youtube/v3/videos': [UPLOADING, continueUpload],
      'POST /api/youtube/v3/commentThreads': [[COMMENT], addComment],
      'GET /api/youtube/v3/commentThreads': [[COMMENT], paged('commentThread', comments)],
      'GET /api/youtube/v3/channels': [READING, listing('channel', channels)],
      'GET /api/youtube/v3/videos': [READING, listing('video', videos)],
      'GET /api/youtube/v3/playlistItems': [READING, paged('playlistItem', uploads)],
      'GET /api/youtube/v3/videoCategories': [SCOPES, listing('videoCategory', categories)],
    },
  })
}

function channelOf({ id, name }: Claims): Channel {
  const hash = createHash('sha256').update(id ?? 'sign-in')
  const channelId = `UC${hash.digest('base64url').slice(0, 22)}`
  return { id: channelId, accountId: id ?? channelId, name, handle: usernameFor(name) }
}

/** A listing of what `entries` gives: the parts that are asked for. Items are left out when there are none. */
function listing(kind: string, entries: (asked: Asked) => Entry[]): Answering<Channel> {
  return (call) => {
    const all = entries(call)
    return { status: 200, body: listBody(call, kind, all, { totalResults: all.length, resultsPerPage: all.length }) }
  }
}

/** The same, page by page; a token is that of the first entry of its page. */
function paged(kind: string, entries: (asked: Asked) => Entry[]): Answering<Channel> {
  return (call) => {
    const perPage = Number(call.query.get('maxResults') ?? 5)
    demand(perPage >= 0 && perPage <= 50, 400, 'invalidParameter', "Invalid value for 'maxResults'.")
    const all = entries(call)
    const token = call.query.get('pageToken')
    const from = token === null ? 0 : all.findIndex(([id]) => id === token)
    demand(from >= 0, 400, 'invalidPageToken', 'The request specifies an invalid page token.')
    const next = all[from + perPage]?.[0]
    const body = listBody(call, kind, all.slice(from, from + perPage), {
      totalResults: all.length,
      resultsPerPage: perPage,
    })
    return { status: 200, body: next === undefined ? body : { ...body, nextPageToken: next } }
  }
}

function listBody({ query }: Asked, kind: string, entries: readonly Entry[], pageInfo: object) {
  const asked = partsIn(query)
  demand(asked.length > 0, 400, 'missingRequiredParameter', 'Required parameter: part')
  const items = entries.map(([id, parts]) => resource(kind, id, parts, asked))
  const body = { kind: `youtube#${kind}ListResponse`, etag: 'demo', pageInfo }
  return items.length === 0 ? body : { ...body, items }
}

const playlistOf = ({ id }: Channel) => `UU${id.slice(2)}`

function channels({ deps, query, by: channel }: Asked): Entry[] {
  if (query.get('mine') !== 'true' && query.get('id') !== channel.id) return []
  const snippet = {
    title: channel.name,
    customUrl: `@${channel.handle}`,
    thumbnails: { default: { url: `${deps.url}/web/avatar.png`, width: 88, height: 88 } },
    country: 'DE',
  }
  const contentDetails = { relatedPlaylists: { likes: '', uploads: playlistOf(channel) } }
  const status = { privacyStatus: 'public', isLinked: true, longUploadsStatus: 'allowed', madeForKids: false }
  return [[channel.id, { snippet, contentDetails, status }]]
}

/** A fresh video is unknown to its first reader. */
function videos({ deps, query, by: channel }: Asked): Entry[] {
  const video = findVideo(deps, query.get('id') ?? '')
  if (video?.channelId !== channel.id) return []
  if (video.seen) return [[video.id, partsOf(video, deps.now())]]
  keep(deps, { ...video, seen: true })
  return []
}

/** The playlist of a channel without a video does not exist. */
function uploads({ deps, query, by: channel }: Asked): Entry[] {
  const before = deps.now().getTime() - LISTING_MS
  const listed = videosOf(deps, channel).filter(({ createdAt }) => new Date(createdAt).getTime() <= before)
  const playlistId = query.get('playlistId')
  const isThere = playlistId === playlistOf(channel) && listed.length > 0
  const words = "The playlist identified with the request's playlistId parameter cannot be found."
  demand(isThere, 404, 'playlistNotFound', words)
  return listed.reverse().map(({ id: videoId, title, description, createdAt, privacy }): Entry => {
    const resourceId = { kind: 'youtube#video', videoId }
    const snippet = { publishedAt: createdAt, channelId: channel.id, title, description, playlistId, resourceId }
    const contentDetails = { videoId, videoPublishedAt: createdAt }
    return [`PL${videoId}`, { snippet, contentDetails, status: { privacyStatus: privacy } }]
  })
}

function categories({ query }: Asked): Entry[] {
  const isKnown = /^[A-Z]{2}$/.test(query.get('regionCode') ?? '')
  demand(isKnown, 400, 'invalidRegionCode', 'The region is not known.')
  return Object.entries(CATEGORIES).map(([id, snippet]) => [id, { snippet }])
}
