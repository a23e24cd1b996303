import type { FastifyReply, FastifyRequest } from 'fastify'

/** A request that was answered, for figures: nothing that a client wrote. */
export interface Answered {
  method: string
  /** The pattern of its route, such as `/v1/post-sets/:id`; `none` where there is no such route. */
  route: string
  status: number
  /** From the head of the request to the end of the answer. */
  ms: number
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Every file of the dashboard is a route of its own. */
const ASSETS = '/dashboard/assets/'

export function answered(request: FastifyRequest, reply: FastifyReply): Answered {
  const url = request.is404 ? undefined : request.routeOptions.url
  return {
    method: METHODS.includes(request.method) ? request.method : 'OTHER',
    route: url === undefined ? 'none' : url.startsWith(ASSETS) ? `${ASSETS}*` : url,
    status: reply.statusCode,
    ms: reply.elapsedTime,
  }
}
