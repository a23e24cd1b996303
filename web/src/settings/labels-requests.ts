import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { isLabelColor } from '../design/label-colors.ts'

/** All labels with how many post sets carry each. */
export const labelUsageQuery = queryOptions({
  queryKey: queryKeys.labels.list({ usage: true }),
  queryFn: async ({ signal }) => (await call('GET /labels/usage', { signal })).data,
})

export interface LabelFields {
  name: string
  color: string | null
}

export async function createLabel({ name, color }: LabelFields): Promise<void> {
  await call('POST /labels', { body: { name, color: color !== null && isLabelColor(color) ? color : null } })
  await readAgain()
}

export async function updateLabel(id: string, fields: LabelFields): Promise<void> {
  await call('PATCH /labels/:id', { params: { id }, body: fields })
  await readAgain()
}

export async function mergeLabel(id: string, into: string): Promise<void> {
  await call('POST /labels/:id/merge', { params: { id }, body: { into } })
  await readAgain({ postSets: true })
}

export async function removeLabel(id: string): Promise<void> {
  await call('DELETE /labels/:id', { params: { id } })
  await readAgain({ postSets: true })
}

async function readAgain({ postSets = false } = {}): Promise<void> {
  const nouns = postSets ? [queryKeys.labels, queryKeys.postSets, queryKeys.calendar] : [queryKeys.labels]
  await Promise.all(nouns.map(({ all }) => queryClient.invalidateQueries({ queryKey: all })))
}
