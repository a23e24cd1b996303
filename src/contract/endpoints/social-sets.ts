import type { EndpointTable } from '../endpoint.ts'
import { pageOf } from '../pages.ts'
import { PageQuery } from '../queries.ts'
import { FreeSlots, FreeSlotsQuery, SavedTimes, SavedTimesBody } from '../saved-times.ts'
import {
  ChangedSocialSet,
  SocialSet,
  SocialSetBody,
  SocialSetUpdateBody,
  TimezoneChange,
  TimezoneQuery,
} from '../social-sets.ts'

/** Brands with their connections. */
export const SOCIAL_SET_ENDPOINTS = {
  'GET /social-sets': {
    api: {
      tag: 'Social sets',
      summary: 'List social sets',
      description: 'The brands that the key can see, with their connected accounts.',
    },
    query: PageQuery,
    status: 200,
    answer: pageOf(SocialSet),
    problems: [],
  },
  'POST /social-sets': {
    right: 'social-sets:manage',
    body: SocialSetBody,
    touches: ['social-sets', 'plan', 'session', 'members', 'news-choices'],
    status: 201,
    answer: SocialSet,
    problems: ['request:invalid_body', 'plan:social_sets_exceeded'],
  },
  'PATCH /social-sets/:id': {
    right: 'social-sets:manage',
    body: SocialSetUpdateBody,
    touches: [
      'social-sets',
      'post-sets',
      'calendar',
      'approvals',
      'results',
      'notes',
      'holds',
      'connections',
      'news',
      'news-choices',
    ],
    status: 200,
    answer: ChangedSocialSet,
    problems: ['request:invalid_body', 'social-set:not_found'],
  },
  'GET /social-sets/:id/timezone-change': {
    right: 'social-sets:manage',
    query: TimezoneQuery,
    status: 200,
    answer: TimezoneChange,
    problems: ['request:invalid_body', 'social-set:not_found'],
  },
  'GET /social-sets/:id/saved-times': {
    status: 200,
    answer: SavedTimes,
    problems: ['social-set:not_found'],
  },
  'PUT /social-sets/:id/saved-times': {
    right: 'post-sets:publish',
    body: SavedTimesBody,
    touches: ['social-sets', 'post-sets'],
    status: 200,
    answer: SavedTimes,
    problems: ['request:invalid_body', 'social-set:not_found'],
  },
  'GET /social-sets/:id/free-slots': {
    api: {
      tag: 'Social sets',
      summary: 'List free saved times',
      operationId: 'listFreeSlots',
      description:
        'Extension. The next saved posting times of the social set at which it has no post set yet. People save these times in the product.',
    },
    query: FreeSlotsQuery,
    status: 200,
    answer: FreeSlots,
    problems: ['social-set:not_found'],
  },
} as const satisfies EndpointTable
