import type { Sample } from '../conformance/index.ts'
import type { HttpRequest } from '../kit/http.ts'
import { answer, openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import type { ConnectContext } from '../network.ts'
import { network } from './index.ts'

export type Type = 'LINKEDIN_PAGE' | 'LINKEDIN_PERSONAL'

/** Headers of every call of the versioned API. For tests alone. */
export const headers = (context: ConnectContext) => ({
  'linkedin-version': context.setting('API_VERSION'),
  'x-restli-protocol-version': '2.0.0',
})

export const openStage = (type: Type): Promise<Stage> => openAnyStage(network, type, { base: 'api', headers })

/** The visible call. */
export const POST = 'POST rest/posts'
export const isVisible = ({ method, url }: HttpRequest) => method === 'POST' && url.endsWith('/rest/posts')
/** Bodies of the visible calls in order, as they went out. */
export const bodiesOf = (stage: Stage) => stage.calls(POST).map(({ request }) => String(request.body))

export const sample = (accountType: Type, more: Partial<Sample> = {}): Sample => ({
  title: 'a post',
  accountType,
  caption: 'Bread',
  ...more,
})

export const duplicate = (urn: string) =>
  answer(422, {
    message: `Content is a duplicate of ${urn}`,
    errorDetails: { inputErrors: [{ description: 'Duplicate post is detected', input: {}, code: 'DUPLICATE_POST' }] },
    status: 422,
  })

/** An id of the given time, of a post that no one has. */
export const urnAt = (time: Date) => `urn:li:share:${(BigInt(time.getTime()) << 22n) | 7n}`
