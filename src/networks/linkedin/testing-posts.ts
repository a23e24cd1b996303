import type { Sample } from '../conformance/index.ts'
import { openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import type { ConnectContext } from '../network.ts'
import { network } from './index.ts'

export type Type = 'LINKEDIN_PAGE' | 'LINKEDIN_PERSONAL'

/** Headers of every call of the versioned API. For tests alone. */
export const headers = (context: ConnectContext) => ({
  'linkedin-version': context.setting('API_VERSION'),
  'x-restli-protocol-version': '2.0.0',
})

export const openStage = (type: Type): Promise<Stage> => openAnyStage(network, type, { base: 'api', headers })

export const POST = 'POST rest/posts'
/** Bodies of the visible calls in order, as they went out. */
export const bodiesOf = (stage: Stage) => stage.calls(POST).map(({ request }) => String(request.body))

export function sample(accountType: Type, more: Partial<Sample> = {}): Sample {
  return { title: 'a post', accountType, caption: 'Bread', ...more }
}
