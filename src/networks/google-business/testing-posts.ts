import type { Exchange, Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpResult } from '../kit/http.ts'
import { type Stage as AnyStage, openStage as openAnyStage } from '../kit/testing.ts'
import { network } from './index.ts'

export const MINUTE = 60_000

/** The pretend network with one location. For tests alone. */
export interface Stage extends AnyStage {
  /** Bodies of all posts that were made, in order. */
  created(): unknown[]
  /** `accounts/1/locations/9` */
  parent: string
}

export async function openStage(): Promise<Stage> {
  const stage = await openAnyStage(network, 'GMB', { base: 'posts/v4' })
  const { account, credentials } = stage.world.backend
  return Object.assign(stage, {
    created: () => stage.sent.filter(({ method }) => method === 'POST').map(({ json }) => json),
    parent: `${credentials.account}/${account.externalId}`,
  })
}

/** A post that the network takes. */
export function sample(caption: string, fields: object = {}, more: Partial<Sample> = {}): Sample {
  return { title: caption, accountType: 'GMB', caption, fields: { ctaType: 'NONE', ...fields }, ...more }
}

const pathOf = ({ request }: Exchange) => new URL(request.url).pathname
export const isCreate = ({ request }: Exchange) => request.method === 'POST'
export const isRead = (exchange: Exchange) => /localPosts\/\d+$/.test(pathOf(exchange))
export const isList = (exchange: Exchange) => /localPosts$/.test(pathOf(exchange)) && !isCreate(exchange)

/** Changes what comes back of some requests; null: the real answer. */
export function changing(change: (exchange: Exchange) => Promise<HttpResult | null> | HttpResult | null): Trouble {
  return { intercept: async (exchange) => (await change(exchange)) ?? exchange.send() }
}
