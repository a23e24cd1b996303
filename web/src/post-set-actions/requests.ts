// What the actions ask the server for. Each answers the versions that it led to: by them it can be taken back.
import type {
  BulkAction,
  HistoryItem,
  MoveScope,
  PostSet,
  PostSetBulkDone,
  PostSetDuplicate,
  SeriesMoved,
  SeriesRemoved,
} from '#contract'
import { ApiError } from '../api/api-error.ts'
import { api, requestVersioned } from '../api/client.ts'

/** A post set as a change left it, or as it has to be for a change to be made. */
export interface Version {
  id: string
  version: number
}

const path = (id: string, rest = '') => `/post-sets/${encodeURIComponent(id)}${rest}`
const ifMatch = ({ version }: Version) => ({ ifMatch: `"${version}"` })

/** What is scheduled and would be published at once is refused, unless that is what is wanted. */
export async function moveOne(version: Version, scheduledAt: string, publishNow = false): Promise<Version> {
  const { body } = await requestVersioned<PostSet>('PATCH', path(version.id), {
    ...(publishNow ? { query: { publishNow } } : {}),
    body: { scheduledAt },
    ...ifMatch(version),
  })
  return body
}

export function moveSeries(
  version: Version,
  scheduledAt: string,
  scope: MoveScope,
  preview: boolean,
): Promise<SeriesMoved> {
  return api.post(path(version.id, '/move'), { scheduledAt, scope, preview }, ifMatch(version))
}

export function removeSeries(version: Version, scope: MoveScope, preview: boolean): Promise<SeriesRemoved> {
  return api.post(path(version.id, '/remove'), { scope, preview }, ifMatch(version))
}

export function setLabels(version: Version, labelsId: readonly string[]): Promise<PostSet> {
  return api.put(path(version.id, '/labels'), { labelsId }, ifMatch(version))
}

export function reviewOne(
  version: Version,
  decision: 'approve' | 'request-changes',
  message: string | null,
): Promise<PostSet> {
  return api.post(path(version.id, '/review'), { decision, message }, ifMatch(version))
}

export function duplicateOne(id: string, wanted: PostSetDuplicate = {}): Promise<PostSet> {
  return api.post(path(id, '/duplicate'), wanted)
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
  return (await api.get<{ data: HistoryItem[] }>(path(id, '/history'), { query: { page: 1, size } })).data
}

/** As many sets as one request takes. */
const BULK_LIMIT = 100

/** Does something to several sets. Of one set alone, a refusal is thrown like that of any other request. */
export async function doInBulk(versions: readonly Version[], action: BulkAction): Promise<PostSetBulkDone> {
  const all: PostSetBulkDone = { done: [], refused: [] }
  for (let from = 0; from < versions.length; from += BULK_LIMIT) {
    const ids = versions.slice(from, from + BULK_LIMIT).map(({ id, version }) => ({ id, version }))
    const { done, refused } = await api.post<PostSetBulkDone>('/post-sets/bulk', { ids, action })
    all.done.push(...done)
    all.refused.push(...refused)
  }
  const [refused] = all.refused
  if (refused && all.done.length === 0) {
    throw new ApiError({ status: 412, code: refused.code, message: refused.message })
  }
  return all
}
