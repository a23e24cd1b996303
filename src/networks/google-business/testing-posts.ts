import type { Sample } from '../conformance/index.ts'
import { answer, openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'

/** Calls of the API for posts. */
export const [CREATE, LIST, READ] = ['POST /localPosts', 'GET /localPosts', 'GET /localPosts/{id}'] as const

/** The simulator with one location. For tests alone. */
export const openStage = () => openAnyStage(network, 'GMB', { base: 'posts/v4' })

/** `accounts/1/locations/9` */
export const parentOf = ({ world: { backend } }: Stage) =>
  `${backend.credentials.account}/${backend.account.externalId}`

/** Bodies of all posts that were sent, in order. */
export const created = (stage: Stage) => stage.calls(CREATE).map(({ json }) => json)

/** A token of the person of the sign-in, who reaches the bakery `locations/2000001` through two accounts. */
export const personToken = ({ world }: Stage) =>
  `ya29.sandbox-${world.backend.simulator?.tokens.write('access', { principal: { grant: 'g' } })}`

/** A post that the network takes. */
export function sample(caption: string, fields: object = {}, more: Partial<Sample> = {}): Sample {
  return { title: caption, accountType: 'GMB', caption, fields: { ctaType: 'NONE', ...fields }, ...more }
}

export const googleError = (code: number, status: string, more: object = {}) =>
  answer(code, { error: { code, status, ...more } })
export const info = (more: object) => ({
  details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...more }],
})
