import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Webhook, WebhookWithSecret } from '#contract'
import { change } from '../api/change.ts'
import { type Body, call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

export const webhooksQuery = queryOptions({
  queryKey: queryKeys.webhooks.list(),
  queryFn: ({ signal }) => call('GET /webhooks', { signal }),
})

const LOG_SIZE = 20

/** What was sent to an endpoint, the newest first. */
export const webhookLogQuery = ({ id, failed }: { id: string; failed: boolean }) =>
  infiniteQueryOptions({
    queryKey: queryKeys.webhooks.list({ id, failed }),
    queryFn: ({ pageParam, signal }) =>
      call('GET /webhooks/:id/attempts', {
        params: { id },
        query: { page: pageParam, size: LOG_SIZE, ...(failed ? { failed: true } : {}) },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.page < pagination.totalPages ? pagination.page + 1 : null),
  })

export const createWebhook = (body: Body<'POST /webhooks'>): Promise<WebhookWithSecret> =>
  change('POST /webhooks', { body })

export async function updateWebhook(id: string, body: Body<'PATCH /webhooks/:id'>): Promise<void> {
  await change('PATCH /webhooks/:id', { params: { id }, body })
}

export async function deleteWebhook({ id }: Webhook, password: string): Promise<void> {
  await change('DELETE /webhooks/:id', { params: { id }, body: { password } })
}

export const replaceSecret = (id: string, password: string): Promise<WebhookWithSecret> =>
  change('POST /webhooks/:id/rotate-secret', { params: { id }, body: { password } })

/** Opens a closed one again, for the account. */
export async function openWebhook({ id }: Webhook, password: string): Promise<void> {
  await change('POST /webhooks/:id/adopt', { params: { id }, body: { password } })
}

export async function testWebhook({ id }: Webhook): Promise<void> {
  await change('POST /webhooks/:id/test', { params: { id } })
}

/** Sends one event again, or all since a moment that could not be sent. Resolves with how many. */
export async function resend(id: string, body: Body<'POST /webhooks/:id/resend'>): Promise<number> {
  const { queued } = await change('POST /webhooks/:id/resend', { params: { id }, body })
  return queued
}
