import { type Called, type Listing, pages } from '../kit/api.ts'
import { lookUp } from '../kit/lookup.ts'
import { failedPreparing } from '../kit/outcomes.ts'
import type { Attempt, FindOutcome, Published, Reconnect, Retry } from '../network.ts'
import { call } from './api.ts'
import { comparable, writtenText } from './lookup-text.ts'
import { classify } from './outcomes.ts'
import { namesOf, readState } from './state.ts'
import { type ListedPost, parseTimeline } from './wire.ts'

/** The network's clock and ours may differ by so much. */
const CLOCK_SKEW_MS = 5 * 60_000
/** What is older than the visible call by more than this, and names none of its files, is another post. */
const OLDER_MS = 30_000
/** Posts of an account in some minutes; more pages are not looked through. */
const MAX_PAGES = 3

/**
 * How the fields of a post are asked for: by the present contract (OpenAPI 2.167), and by the older pages. `attachments` names
 * the files; an expansion would bring them too, and each is billed (https://docs.x.com/x-api/getting-started/pricing, read
 * 2026-11-23).
 */
const SPELLINGS = [
  { parameter: 'post.fields', fields: 'attachments,created_at,entities,note_post,text' },
  { parameter: 'tweet.fields', fields: 'attachments,created_at,entities,note_tweet,text' },
] as const

/**
 * Looks whether the post was made. A post names its files, which are nobody else's; without files its text and its time
 * tell it. Of a post with files the same text tells nothing: people write such things by hand as well. Reads cost the
 * operator money, so only posts since shortly before the visible call are asked for.
 */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const state = readState(attempt.handles)
  if (state.postId !== null) return found(attempt, state.postId)
  const called = (attempt.fencedAt ?? attempt.now()).getTime()
  const before = BigInt(state.lastBefore ?? 0)
  const names = new Set(namesOf(state))
  const text = comparable(attempt.post.caption)
  const told = await lookUp(attempt, {
    title: 'X',
    skewMs: CLOCK_SKEW_MS,
    list: (from) => ownPosts(attempt, from),
    at: ({ at }) => at,
    match(post) {
      if (BigInt(post.id) <= before) return null
      if (post.mediaKeys.some((key) => names.has(key) || names.has(idIn(key)))) return 'same'
      if (text === '' || comparable(writtenText(post)) !== text) return null
      if (names.size === 0) return 'same'
      return post.at.getTime() >= called - OLDER_MS ? 'similar' : null
    },
    meaningOf: (answer) => classify(answer, attempt.now(), attempt.post.caption).meaning,
  })
  return told.kind === 'entry' ? found(attempt, told.entry.id) : told
}

/** The key of a file ends in its id: `7_1880028106020515840`. */
const idIn = (key: string) => key.split('_').at(-1) ?? key

function found(attempt: Attempt, postId: string): FindOutcome {
  return { kind: 'found', ...liveAs(attempt, postId) }
}

/** A post that is there, with what it lacks. */
export function liveAs(attempt: Attempt, postId: string): Omit<Published, 'kind'> {
  const warnings = readState(attempt.handles).warnings.map((message) => ({ code: 'post:alt_text_refused', message }))
  const known = { providerId: postId, permalink: permalinkOf(attempt, postId) }
  return warnings.length > 0 ? { ...known, warnings } : known
}

/** Leads to the post also when the account has another name by then. */
function permalinkOf({ account, endpoint }: Attempt, postId: string): string {
  return `${endpoint('web')}/${account.username ?? 'i/web'}/status/${postId}`
}

/**
 * Notes down the newest post before the visible call, when no file tells the post apart. A listing that the network
 * refuses is no reason not to publish: then time alone tells old posts from new ones. Null when there is nothing to wait for:
 * an access token that has expired is refreshed first.
 */
export async function noteLatest(attempt: Attempt): Promise<Retry | Reconnect | null> {
  const { noted } = readState(attempt.handles)
  if (attempt.post.media.length > 0 || noted || attempt.fencedAt !== null) return null
  const listed = await ownPosts(attempt, new Date(attempt.now().getTime() - 2 * CLOCK_SKEW_MS))
  if (listed.kind === 'failed') return failedPreparing(listed)
  if (listed.kind === 'refused') {
    const { meaning } = classify(listed.answer, attempt.now(), attempt.post.caption)
    return meaning.kind === 'reconnect' && meaning.mayRefresh ? meaning : null
  }
  const [latest = null] = listed.value.entries.map(({ id }) => id).sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
  await attempt.store({ noted: true, lastBefore: latest })
  return null
}

/** The account's own posts since then. It is no whole listing where something is left out of it, or of a post. */
async function ownPosts(attempt: Attempt, since: Date): Promise<Called<Listing<ListedPost>>> {
  const [spelling, other] = SPELLINGS
  const asked = await listPosts(attempt, since, spelling)
  const isBare = asked.kind === 'ok' && asked.value.entries.some(({ complete }) => !complete)
  const isMisunderstood = isBare || (asked.kind === 'refused' && asked.answer.status === 400)
  return isMisunderstood ? listPosts(attempt, since, other) : asked
}

async function listPosts(
  attempt: Attempt,
  since: Date,
  spelling: (typeof SPELLINGS)[number],
): Promise<Called<Listing<ListedPost>>> {
  const listed = await pages(MAX_PAGES, (next) =>
    call(attempt, {
      method: 'GET',
      path: `2/users/${attempt.account.externalId}/tweets`,
      query: {
        max_results: '100',
        // Whole seconds, as the pages write it.
        start_time: since.toISOString().replace(/\.\d+Z$/, 'Z'),
        [spelling.parameter]: spelling.fields,
        ...(next === null ? {} : { pagination_token: next }),
      },
      timeoutMs: 15_000,
      parse: parseTimeline,
    }),
  )
  if (listed.kind !== 'ok') return listed
  const { entries, whole } = listed.value
  return { kind: 'ok', value: { entries, whole: whole && entries.every(({ complete }) => complete) } }
}
