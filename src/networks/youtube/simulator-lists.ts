import type { SimulatedAnswer } from '../kit/faults.ts'
import type { Call } from '../kit/simulator.ts'
import type { SimulatedChannel } from './simulator-accounts.ts'
import { listOf, refuse } from './simulator-answers.ts'
import { partsIn } from './simulator-uploads.ts'
import { type Behaviour, CATEGORIES, findVideo, keep, videoResourceAt, videosOf } from './simulator-videos.ts'

/** Somewhat less than what the manifest allows for. */
const LISTING_MS = 90_000

type Listing = Call<SimulatedChannel>

/** Refuses parameters that a listing does not know, and one without parts. */
function checkQuery(query: URLSearchParams, known: readonly string[]): readonly string[] {
  const stranger = [...query.keys()].find((name) => name !== 'part' && !known.includes(name))
  if (stranger) refuse(400, 'invalidParameter', `Unknown name "${stranger}": Cannot bind query parameter.`)
  const parts = partsIn(query)
  if (parts.length === 0) refuse(400, 'missingRequiredParameter', 'Required parameter: part')
  return parts
}

const idsIn = (query: URLSearchParams) => query.getAll('id').flatMap((ids) => ids.split(','))
const uploadsOf = ({ id }: SimulatedChannel) => `UU${id.slice(2)}`

/** `GET /youtube/v3/channels` */
export function listChannels({ deps, query, by: channel }: Listing, behaviour: Behaviour): SimulatedAnswer {
  const parts = checkQuery(query, ['mine', 'id'])
  const mine = query.get('mine') === 'true' || idsIn(query).includes(channel.id)
  const all: Record<string, object> = {
    snippet: {
      title: channel.name,
      description: '',
      customUrl: `@${channel.handle}`,
      publishedAt: '2020-01-01T00:00:00Z',
      thumbnails: { default: { url: `${deps.url}/web/avatar.png`, width: 88, height: 88 } },
      country: 'DE',
    },
    contentDetails: { relatedPlaylists: { likes: '', uploads: uploadsOf(channel) } },
    status: {
      privacyStatus: 'public',
      isLinked: true,
      longUploadsStatus: behaviour.unverified ? 'eligible' : 'allowed',
      madeForKids: false,
    },
  }
  const asked = Object.entries(all).filter(([part]) => parts.includes(part))
  const resource = { kind: 'youtube#channel', etag: 'pretend', id: channel.id, ...Object.fromEntries(asked) }
  return listOf('channel', mine ? [resource] : [])
}

/** `GET /youtube/v3/videos` */
export function listVideos({ deps, query, by: channel }: Listing): SimulatedAnswer {
  const parts = checkQuery(query, ['id'])
  const videos = idsIn(query).flatMap((id) => {
    const video = findVideo(deps, id)
    if (!video || video.channelId !== channel.id) return []
    if (video.seen) return [video]
    keep(deps, { ...video, seen: true })
    return []
  })
  return listOf(
    'video',
    videos.map((video) => videoResourceAt(video, deps.now(), parts)),
  )
}

/** `GET /youtube/v3/playlistItems`. The playlist of a channel without a video does not exist. */
export function listUploads({ deps, query, by: channel }: Listing, behaviour: Behaviour): SimulatedAnswer {
  const parts = checkQuery(query, ['playlistId', 'maxResults', 'pageToken'])
  const before = deps.now().getTime() - (behaviour.listingMs ?? LISTING_MS)
  const videos = videosOf(deps, channel)
    .filter(({ createdAt }) => new Date(createdAt).getTime() <= before)
    .reverse()
  const playlistId = query.get('playlistId')
  if (playlistId !== uploadsOf(channel) || videos.length === 0) {
    refuse(404, 'playlistNotFound', "The playlist identified with the request's playlistId parameter cannot be found.")
  }
  const perPage = Number(query.get('maxResults') ?? 5)
  if (!(perPage >= 0 && perPage <= 50)) refuse(400, 'invalidParameter', "Invalid value for 'maxResults'.")
  const from = Number(query.get('pageToken') ?? 0)
  const items = videos.slice(from, from + perPage).map((video) => {
    const all: Record<string, object> = {
      snippet: {
        publishedAt: video.createdAt,
        channelId: channel.id,
        title: video.title,
        description: video.description,
        playlistId,
        resourceId: { kind: 'youtube#video', videoId: video.id },
      },
      contentDetails: { videoId: video.id, videoPublishedAt: video.createdAt },
      status: { privacyStatus: video.privacy },
    }
    const asked = Object.entries(all).filter(([part]) => parts.includes(part))
    return { kind: 'youtube#playlistItem', etag: 'pretend', id: `PL${video.id}`, ...Object.fromEntries(asked) }
  })
  const next = from + perPage < videos.length ? String(from + perPage) : null
  return listOf('playlistItem', items, { total: videos.length, perPage, next })
}

/** `GET /youtube/v3/videoCategories` */
export function listCategories({ query }: Listing): SimulatedAnswer {
  checkQuery(query, ['regionCode', 'hl'])
  if (!/^[A-Z]{2}$/.test(query.get('regionCode') ?? '')) refuse(400, 'invalidRegionCode', 'The region is not known.')
  return listOf(
    'videoCategory',
    Object.entries(CATEGORIES).map(([id, snippet]) => ({
      kind: 'youtube#videoCategory',
      etag: 'pretend',
      id,
      snippet,
    })),
  )
}
