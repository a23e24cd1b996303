import { randomBytes } from 'node:crypto'
import { SECOND_MS } from '#contract/durations'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readJson } from '../kit/request-body.ts'
import { type Call, visibly } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import {
  type Asked,
  apiError,
  type Channel,
  demand,
  type Entry,
  findVideo,
  partsIn,
  pieceFaults,
  refuse,
  resource,
} from './simulator-videos.ts'

interface SimulatedComment {
  id: string
  videoId: string
  channelId: string
  text: string
  at: string
}

/** A comment is listed so much later. */
const LISTED_AFTER_MS = 5 * SECOND_MS

/** Faults that last, in the words of comments. */
const faults = {
  ...pieceFaults,
  'caption-too-long': apiError(400, 'commentTextTooLong', 'The comment resource text is too long.'),
  'media-rejected': apiError(400, 'invalidCommentThreadMetadata', 'The comment is not valid.'),
  'account-restricted': apiError(403, 'forbidden', 'The comment cannot be made.'),
  'account-suspended': apiError(403, 'authenticatedUserAccountSuspended', 'The account of the user is suspended.'),
}

const commentsOf = ({ store }: Asked['deps'], videoId: string) =>
  store.list<SimulatedComment>('comments').filter((each) => each.videoId === videoId)

/** The video that is commented on. @throws SimulatedRefusal */
function videoIn({ deps, by }: Asked, videoId: string) {
  const video = findVideo(deps, videoId)
  if (video?.channelId !== by.id || video.fate !== 'processed') {
    return refuse(404, 'videoNotFound', 'The video identified by the videoId parameter could not be found.')
  }
  const isOff = video.madeForKids || video.privacy === 'private'
  if (isOff) refuse(403, 'commentsDisabled', 'The video identified by the videoId parameter has disabled comments.')
  return video
}

/** `POST commentThreads`. The same words a second time make a second comment. */
export async function addComment(call: Call<Channel>): Promise<null> {
  const { deps, by, query } = call
  const body = record(record(await readJson(call.request))?.snippet)
  const videoId = String(body?.videoId ?? '')
  const text = record(record(body?.topLevelComment)?.snippet)?.textOriginal
  return visibly(call, {
    key: ['comment', videoId],
    text,
    answers: faults,
    accept(): SimulatedAnswer {
      demand(partsIn(query).includes('snippet'), 400, 'missingRequiredParameter', 'Required parameter: part')
      videoIn(call, videoId)
      if (typeof text !== 'string' || text === '') return refuse(400, 'commentTextRequired', 'The text is missing.')
      demand(text.length <= limits.commentLength.value, 400, 'commentTextTooLong', 'The text is too long.')
      const id = `Ug${randomBytes(12).toString('base64url')}`
      const kept: SimulatedComment = { id, videoId, channelId: by.id, text, at: deps.now().toISOString() }
      deps.store.together(() => {
        const others = commentsOf(deps, videoId)
        deps.store.put('comments', id, kept)
        deps.store.amendPost(videoId, { comments: [...others, kept].map((each) => ({ id: each.id, text: each.text })) })
      })
      return { status: 200, body: resource('commentThread', id, partsOf(kept), ['snippet']) }
    },
  })
}

function partsOf({ videoId, channelId, text, at }: SimulatedComment) {
  const authorChannelId = { value: channelId }
  const snippet = { textDisplay: text, textOriginal: text, authorChannelId, publishedAt: at }
  return { snippet: { videoId, topLevelComment: { kind: 'youtube#comment', snippet } } }
}

/**
 * Newest first, or by relevance, in which a new one comes last here. Time is the default:
 * https://developers.google.com/youtube/v3/docs/commentThreads/list (read 2026-12-01).
 */
export function comments(asked: Asked): Entry[] {
  const { deps, query } = asked
  const order = query.get('order') ?? 'time'
  demand(order === 'time' || order === 'relevance', 400, 'operationNotSupported', 'The order is not supported.')
  const { id } = videoIn(asked, query.get('videoId') ?? '')
  const until = deps.now().getTime() - LISTED_AFTER_MS
  const listed = commentsOf(deps, id).filter(({ at }) => Date.parse(at) <= until)
  return (order === 'time' ? listed.toReversed() : listed).map((each) => [each.id, partsOf(each)])
}
