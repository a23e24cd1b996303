import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from '#contract'
import { networksOf } from '#domain'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connections.ts'
import { addressOf } from './rate-limit.ts'

/**
 * Bounds the bodies that clients announce and do not send: their number for each client's address, and their time on routes
 * that answer anybody. Every one of them holds a connection.
 *
 * @returns called with a request before its body is read. Throws ProblemError `rate-limit:exceeded`
 */
export function createBodyBounds(given: Partial<ConnectionLimits> = {}) {
  const { bodiesPerAddress, openBodyMs } = { ...CONNECTION_LIMITS, ...given }
  const byNetwork = new Map<string, Set<IncomingMessage>>()

  return function boundBody(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request
    if (raw.complete || !announcesBody(raw)) return
    const counted = networksOf(addressOf(request)).map(({ name, times }) => {
      const unfinished = byNetwork.get(name) ?? new Set()
      // Here in full, though perhaps not read yet.
      for (const each of unfinished) if (each.complete) unfinished.delete(each)
      const most = bodiesPerAddress * times
      if (unfinished.size >= most) {
        const detail = `${most} request bodies from this address are still arriving. Finish sending them, then try again.`
        throw new ProblemError('rate-limit:exceeded', detail, { headers: { 'retry-after': '1', connection: 'close' } })
      }
      return { name, unfinished }
    })
    for (const { name, unfinished } of counted) byNetwork.set(name, unfinished.add(raw))
    const { open } = request.routeOptions.config
    const timer = open ? setTimeout(giveUp, openBodyMs) : undefined
    // After its answer a request does not learn that its connection has closed.
    raw.once('close', forget).socket.once('close', forget)

    function forget(): void {
      clearTimeout(timer)
      raw.off('close', forget).socket.off('close', forget)
      for (const { name, unfinished } of counted) {
        unfinished.delete(raw)
        if (unfinished.size === 0 && byNetwork.get(name) === unfinished) byNetwork.delete(name)
      }
    }

    function giveUp(): void {
      if (raw.complete || reply.sent) return
      const detail = 'The request did not arrive completely in time.'
      void reply.header('connection', 'close').send(new ProblemError('request:invalid_json', detail))
    }
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
