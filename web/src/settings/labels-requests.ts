import { queryOptions } from '@tanstack/react-query'
import type { Label, LabelUsageList } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** All labels with how many post sets carry each. */
export const labelUsageQuery = queryOptions({
  queryKey: queryKeys.labels.list({ usage: true }),
  queryFn: async ({ signal }) => (await api.get<LabelUsageList>('/labels/usage', { signal })).data,
})

export interface LabelFields {
  name: string
  color: string | null
}

export async function createLabel(fields: LabelFields): Promise<void> {
  await api.post<Label>('/labels', fields)
  await readAgain()
}

export async function updateLabel(id: string, fields: LabelFields): Promise<void> {
  await api.patch<Label>(`/labels/${id}`, fields)
  await readAgain()
}

export async function mergeLabel(id: string, into: string): Promise<void> {
  await api.post<Label>(`/labels/${id}/merge`, { into })
  await readAgain({ postSets: true })
}

export async function removeLabel(id: string): Promise<void> {
  await api.delete(`/labels/${id}`)
  await readAgain({ postSets: true })
}

async function readAgain({ postSets = false } = {}): Promise<void> {
  const nouns = postSets ? [queryKeys.labels, queryKeys.postSets, queryKeys.calendar] : [queryKeys.labels]
  await Promise.all(nouns.map(({ all }) => queryClient.invalidateQueries({ queryKey: all })))
}
