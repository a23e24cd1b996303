import { type Called, type Listing, pages } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { comparable, lookUp } from '../kit/lookup.ts'
import { failedFinding, whileFinding } from '../kit/outcomes.ts'
import type { Attempt, FindOutcome, Reconnect } from '../network.ts'
import { fieldsOf } from './fields.ts'
import { meaningOf, parseError } from './outcomes.ts'
import { probe } from './session.ts'
import { keepVideo, readState } from './state.ts'
import { askVerdict } from './verdict.ts'
import { ask, parseChannels, parseUploads, type Upload } from './wire.ts'

/** Clocks of two parties, and what a listing rounds. */
const CLOCK_SKEW_MS = 60_000
/** More than this many pages of 50 are not looked through. */
const MAX_PAGES = 4

type Found = { kind: 'found'; videoId: string }
type Looked = Found | { kind: 'absent' } | { kind: 'cannot-tell'; message: string } | Reconnect

/**
 * Whether the last piece has made the video: the session knows, for as long as it lives; then the uploads of the
 * channel are looked through. A video that is there is no post yet: what becomes of it is asked as `confirm` does.
 */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const { videoId, refusal } = readState(attempt.handles)
  if (refusal) return { kind: 'absent' }
  if (videoId !== null) return judge(attempt, videoId)
  const looked = await look(attempt)
  if (looked.kind !== 'found') return looked
  await keepVideo(attempt, looked.videoId)
  return judge(attempt, looked.videoId)
}

async function judge(attempt: Attempt, videoId: string): Promise<FindOutcome> {
  const verdict = await askVerdict(attempt, videoId)
  switch (verdict.kind) {
    case 'published':
      return { ...verdict, kind: 'found' }
    case 'accepted':
      return verdict
    case 'refused': {
      // A lookup can say no more than that nobody gets to see it. The video is known, so that nothing is sent again, and
      // `publish` tells why.
      const { reason, message } = verdict
      await attempt.store({ refusal: { reason, message } })
      return { kind: 'absent' }
    }
    case 'reconnect':
      return verdict
  }
}

async function look(attempt: Attempt): Promise<Looked> {
  const { session } = readState(attempt.handles)
  // Without a session no byte was ever sent.
  if (session === null) return { kind: 'absent' }
  const progress = await probe(attempt, session)
  switch (progress.kind) {
    case 'done':
      return { kind: 'found', videoId: progress.video.id }
    case 'holds':
      return { kind: 'absent' }
    case 'gone':
      return lookInUploads(attempt)
    case 'failed':
      return failedFinding(progress)
    case 'refused':
      return whileFinding(meaningOf(progress.answer, attempt.now()))
  }
}

/** Looks for the video among those that came to the channel since the session was opened, by title and description. */
export async function lookInUploads(attempt: Attempt): Promise<Looked> {
  const { openedAt } = readState(attempt.handles)
  const meaning = (answer: HttpAnswer) => meaningOf(answer, attempt.now())
  const query = { part: 'id,contentDetails', id: attempt.account.externalId }
  const channels = await ask(attempt, { path: 'channels', query, parse: parseChannels })
  if (channels.kind === 'failed') return failedFinding(channels)
  if (channels.kind === 'refused') return whileFinding(meaning(channels.answer))
  const playlistId = channels.value[0]?.uploads
  if (!playlistId) return { kind: 'cannot-tell', message: 'YouTube does not show the uploads of the channel.' }
  const title = comparable(fieldsOf(attempt.post.fields).title)
  const description = comparable(attempt.post.caption)
  const told = await lookUp(attempt, {
    title: 'YouTube',
    skewMs: CLOCK_SKEW_MS,
    since: openedAt ?? attempt.now(),
    list: (from) => listUploads(attempt, playlistId, from),
    at: ({ at }) => at,
    match(upload) {
      if (comparable(upload.title) !== title) return null
      return comparable(upload.description) === description ? 'same' : 'similar'
    },
    meaningOf: meaning,
  })
  return told.kind === 'entry' ? { kind: 'found', videoId: told.entry.videoId } : told
}

/** Newest first: behind a page without anything new there is nothing new. */
async function listUploads(attempt: Attempt, playlistId: string, from: Date): Promise<Called<Listing<Upload>>> {
  let isOld = false
  const listed = await pages(
    MAX_PAGES,
    async (pageToken) => {
      const more = pageToken === null ? {} : { pageToken }
      const query = { part: 'snippet,contentDetails', playlistId, maxResults: '50', ...more }
      const asked = await ask(attempt, { path: 'playlistItems', query, parse: parseUploads })
      const uploads = asked.kind === 'ok' ? asked.value.entries : []
      isOld = uploads.length > 0 && uploads.every(({ at }) => at !== null && at < from)
      return asked
    },
    () => isOld,
  )
  // The playlist of a channel comes to be with its first upload.
  const isMissing = listed.kind === 'refused' && parseError(listed.answer).reason === 'playlistNotFound'
  return isMissing ? { kind: 'ok', value: { entries: [], whole: true } } : listed
}
