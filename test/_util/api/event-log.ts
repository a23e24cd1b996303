import type { AlmanacEvent } from '#contract'
import { givePositions } from '#events'
import type { Api } from './api.ts'

type Reader = Pick<Api, 'db' | 'request'>

/** Gives positions to all that has happened. */
export async function giveAll({ db }: Pick<Api, 'db'>): Promise<void> {
  while ((await givePositions(db)) > 0);
}

/** What a request for events answers, after all that has happened has its position. */
export async function eventsBehind(
  api: Reader,
  after: number,
  query = '',
  options: { key?: string } = {},
): Promise<{ data: AlmanacEvent[]; nextAfter: number }> {
  await giveAll(api)
  const { status, body } = await api.request('GET', `/v1/events?after=${after}${query}`, options)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** The position of the newest event, after all that has happened has one. */
export async function newestPosition(api: Reader, options: { key?: string } = {}): Promise<number> {
  await giveAll(api)
  return (await api.request('GET', '/v1/events', options)).body.nextAfter
}
