import { queryOptions } from '@tanstack/react-query'
import { change } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { LabelFields } from '../planning/labels/create-label.ts'

/** All labels with how many post sets carry each. */
export const labelUsageQuery = queryOptions({
  queryKey: queryKeys.labels.list({ usage: true }),
  queryFn: async ({ signal }) => (await call('GET /labels/usage', { signal })).data,
})

export async function updateLabel(id: string, fields: LabelFields): Promise<void> {
  await change('PATCH /labels/:id', { params: { id }, body: fields })
}

export async function mergeLabel(id: string, into: string): Promise<void> {
  await change('POST /labels/:id/merge', { params: { id }, body: { into } })
}

export async function removeLabel(id: string): Promise<void> {
  await change('DELETE /labels/:id', { params: { id } })
}
