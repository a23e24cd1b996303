import type { EndpointTable } from '../endpoint.ts'
import { NewsChoices, NewsChoicesBody, NewsPage, NewsQuery, ReadNews, UnreadNews } from '../news.ts'

/** Notifications of the calling member; no right is needed. */
export const NEWS_ENDPOINTS = {
  'GET /news': {
    query: NewsQuery,
    status: 200,
    answer: NewsPage,
    problems: [],
  },
  'GET /news/unread': {
    status: 200,
    answer: UnreadNews,
    problems: [],
  },
  'PUT /news/:id/read': {
    touches: ['news'],
    status: 200,
    answer: UnreadNews,
    problems: ['news:not_found'],
  },
  'PUT /news/read': {
    body: ReadNews,
    touches: ['news'],
    status: 200,
    answer: UnreadNews,
    problems: ['request:invalid_body'],
  },
  'GET /news/choices': {
    status: 200,
    answer: NewsChoices,
    problems: [],
  },
  'PUT /news/choices': {
    body: NewsChoicesBody,
    touches: ['news-choices'],
    status: 200,
    answer: NewsChoices,
    problems: ['request:invalid_body', 'social-set:not_found'],
  },
} as const satisfies EndpointTable
