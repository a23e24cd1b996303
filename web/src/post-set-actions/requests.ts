// What the actions ask the server for. Each answers the versions that it led to: by them it can be taken back.
import type {
  BulkAction,
  ChangesSince,
  Decision,
  HistoryItem,
  MoveScope,
  PostSet,
  PostSetBulkDone,
  PostSetDuplicate,
  SeriesMoved,
  SeriesRemoved,
} from '#contract'
import * as LIMITS from '#contract/limits'
import { ApiError } from '../api/api-error.ts'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { wordsOfProblem } from '../language/server-words.ts'

/** A post set as a change left it, or as it has to be for a change to be made. */
export interface Version {
  id: string
  version: number
}

/** The same where another version may be changed too. */
interface Seen {
  id: string
  version: number | null
}

/** Reads again what shows post sets: what is asked for here touches the same, all of it. */
export const readPostSetsAgain = () => readAgain('POST /post-sets/change')

const of = ({ id, version }: Version) => ({ params: { id }, ifMatch: version })

/** What is scheduled and would be published at once is refused, unless that is what is wanted. */
export function moveOne(version: Version, scheduledAt: string, publishNow = false): Promise<Version> {
  return call('PATCH /post-sets/:id', {
    ...of(version),
    query: { publishNow: publishNow || null },
    body: { scheduledAt },
  })
}

/** Moves what is scheduled, and makes a draft of it: a brand that requires approval takes it back with the change. */
export function moveToDrafts(version: Version, scheduledAt: string): Promise<Version> {
  return call('PATCH /post-sets/:id', { ...of(version), body: { scheduledAt, status: 'DRAFT' } })
}

/** The code of what a brand refuses that requires approval. */
export const APPROVAL_REQUIRED = 'post-set:approval_required'
/** The code of what was changed by others since it was seen. */
export const VERSION_CONFLICT = 'post-set:version_conflict'

/** What is different between a version that was seen and now. */
export function changesSince({ id, version }: Version): Promise<ChangesSince> {
  return call('GET /post-sets/:id/changes', { params: { id }, query: { since: version } })
}

/** A draft goes out at that time from now on. */
export function scheduleOne(version: Version, scheduledAt: string, publishNow = false): Promise<Version> {
  return call('PATCH /post-sets/:id', {
    ...of(version),
    query: { publishNow: publishNow || null },
    body: { status: 'SCHEDULED', scheduledAt },
  })
}

export function moveSeries(
  version: Version,
  scheduledAt: string,
  scope: MoveScope,
  preview: boolean,
): Promise<SeriesMoved> {
  return call('POST /post-sets/:id/move', { ...of(version), body: { scheduledAt, scope, preview } })
}

export function removeSeries(version: Version, scope: MoveScope, preview: boolean): Promise<SeriesRemoved> {
  return call('POST /post-sets/:id/remove', { ...of(version), body: { scope, preview } })
}

export function setLabels(version: Version, labelsId: readonly string[], scope: MoveScope = 'this'): Promise<PostSet> {
  return call('PUT /post-sets/:id/labels', { ...of(version), body: { labelsId, scope } })
}

/** The team, or the client, is asked about what was approved. */
export function askAgain(version: Version, whom: 'team' | 'client'): Promise<PostSet> {
  return call('PATCH /post-sets/:id', {
    ...of(version),
    body: { approval: whom === 'team' ? 'PENDING' : 'EXTERNAL_PENDING' },
  })
}

export function reviewOne(
  version: Version,
  decision: Decision,
  { message = null, reason = null }: { message?: string | null; reason?: string | null },
): Promise<PostSet> {
  return call('POST /post-sets/:id/review', { ...of(version), body: { decision, message, reason } })
}

export function duplicateOne(id: string, wanted: PostSetDuplicate = {}): Promise<PostSet> {
  return call('POST /post-sets/:id/duplicate', { params: { id }, body: wanted })
}

export async function newestChange(id: string): Promise<HistoryItem | undefined> {
  return (await newestOf(id, 1))[0]
}

/** The newest entry in which a reviewer asked for changes; null when it is long ago. */
export async function newestRequest(id: string): Promise<ChangesRequested | null> {
  const newest = await newestOf(id, 50)
  return newest.find((item) => item.action === 'changes requested') ?? null
}

type ChangesRequested = Extract<HistoryItem, { action: 'changes requested' }>

async function newestOf(id: string, size: number): Promise<HistoryItem[]> {
  return (await call('GET /post-sets/:id/history', { params: { id }, query: { page: 1, size } })).data
}

/** Approves several sets, of any brands, as they were seen. What is refused is answered, one by one. */
export function approveInBulk(versions: readonly Version[]): Promise<PostSetBulkDone> {
  return sendInBulk(versions, { approve: true })
}

/** Does something to several sets. Of one set alone, a refusal is thrown like that of any other request. */
export async function doInBulk(versions: readonly Seen[], action: BulkAction): Promise<PostSetBulkDone> {
  const all = await sendInBulk(versions, action)
  const [refused] = all.refused
  if (refused && all.done.length === 0) {
    throw new ApiError({ status: 412, code: refused.code, message: refused.message })
  }
  return all
}

async function sendInBulk(versions: readonly Seen[], action: BulkAction): Promise<PostSetBulkDone> {
  const all: PostSetBulkDone = { done: [], refused: [] }
  for (let from = 0; from < versions.length; from += LIMITS.postSetsAtOnce) {
    const ids = versions.slice(from, from + LIMITS.postSetsAtOnce).map(({ id, version }) => ({ id, version }))
    const { done, refused } = await call('POST /post-sets/change', { body: { ids, action } })
    all.done.push(...done)
    all.refused.push(...refused.map((each) => ({ ...each, message: wordsOfProblem(each) })))
  }
  return all
}
