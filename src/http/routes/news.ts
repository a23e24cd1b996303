import type { FastifyInstance } from 'fastify'
import { NEWS_ENDPOINTS } from '#contract'
import {
  listNews,
  listNewsChoices,
  type NewsChoiceDeps,
  putAllNewsRead,
  putNewsChoices,
  putNewsRead,
  readUnreadNews,
} from '#operations'
import { type Guard, serveRaw } from '../route.ts'

/** The bell of members, and what they want to hear of. */
export function newsRoutes(server: FastifyInstance, guard: Guard, deps: NewsChoiceDeps): void {
  serveRaw(server, guard, NEWS_ENDPOINTS, {
    'GET /news': (caller, { query }) => listNews(deps, caller, query),
    'GET /news/unread': (caller, { query }) => readUnreadNews(deps, caller, query),
    'PUT /news/:id/read': (caller, { params, query }) => putNewsRead(deps, caller, params.id, query),
    'PUT /news/read': (caller, request) => putAllNewsRead(deps, caller, request),
    'GET /news/choices': (caller, { query }) => listNewsChoices(deps, caller, query),
    'PUT /news/choices': (caller, request) => putNewsChoices(deps, caller, request),
  })
}
