import type { Attempt, FindOutcome, Reconnect } from '../network.ts'
import { failedFinding, whileFinding } from '../toolkit/outcomes.ts'
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
  const since = new Date((readState(attempt.handles).openedAt ?? attempt.now()).getTime() - CLOCK_SKEW_MS)
  const listed = await listUploads(attempt, since)
  if (listed.kind !== 'listed') return listed
  const title = normalized(fieldsOf(attempt.post.fields).title)
  const description = normalized(attempt.post.caption)
  const titled = listed.uploads.filter((upload) => normalized(upload.title) === title)
  const [only, ...others] = titled.filter((upload) => normalized(upload.description) === description)
  if (only && others.length === 0) return { kind: 'found', videoId: only.videoId }
  if (titled.length === 0) return { kind: 'absent' }
  return {
    kind: 'cannot-tell',
    message: 'The channel has a new video of this title, and nothing tells whether it is that of this post.',
  }
}

async function listUploads(
  attempt: Attempt,
  since: Date,
): Promise<{ kind: 'listed'; uploads: Upload[] } | Exclude<Looked, Found | { kind: 'absent' }>> {
  const channels = await ask(attempt, {
    path: 'channels',
    query: { part: 'id,contentDetails', id: attempt.account.externalId },
    parse: parseChannels,
  })
  if (channels.kind === 'failed') return failedFinding(channels)
  if (channels.kind === 'refused') return whileFinding(meaningOf(channels.answer, attempt.now()))
  const playlistId = channels.value[0]?.uploads
  if (!playlistId) return { kind: 'cannot-tell', message: 'YouTube does not show the uploads of the channel.' }

  const uploads: Upload[] = []
  let pageToken: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const asked: Awaited<ReturnType<typeof askPage>> = await askPage(attempt, playlistId, pageToken)
    if (asked.kind === 'failed') return failedFinding(asked)
    if (asked.kind === 'refused') {
      // The playlist of a channel comes to be with its first upload.
      if (parseError(asked.answer).reason === 'playlistNotFound') return { kind: 'listed', uploads: [] }
      return whileFinding(meaningOf(asked.answer, attempt.now()))
    }
    const fresh = asked.value.uploads.filter(({ at }) => at === null || at >= since)
    uploads.push(...fresh)
    pageToken = asked.value.next
    // Newest first: behind a page without anything new there is nothing new.
    if (pageToken === null || (fresh.length === 0 && asked.value.uploads.length > 0)) return { kind: 'listed', uploads }
  }
  return { kind: 'cannot-tell', message: 'The channel has more new videos than can be looked through.' }
}

const askPage = (attempt: Attempt, playlistId: string, pageToken: string | null) =>
  ask(attempt, {
    path: 'playlistItems',
    query: {
      part: 'snippet,contentDetails',
      playlistId,
      maxResults: '50',
      ...(pageToken === null ? {} : { pageToken }),
    },
    parse: parseUploads,
  })

/** As far as the network may have changed a text without changing its words. */
const normalized = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()
