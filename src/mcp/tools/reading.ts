import Type from 'typebox'
import {
  accountTypes,
  Calendar,
  CalendarQuery,
  type NetworkDescription as Described,
  EventPage,
  EventQuery,
  FreeSlots,
  FreeSlotsQuery,
  NetworkDescription,
  NO_QUERY,
  PageQuery,
  PostSet,
  PostSetCreate,
  PostSetValidation,
  ProblemError,
  SOCIAL_SET_ENDPOINTS,
} from '#contract'
import {
  describeNetworks,
  followEvents,
  getPostSet,
  listFreeSlots,
  listSocialSets,
  readCalendar,
  validatePostSet,
} from '#operations'
import { OF_POST_SETS, POSTS_AGAIN } from '../schemas.ts'
import { bodyOf, queryOf, readingTool, type Tool } from '../tool.ts'

const { socialSetId, scheduledAt } = PostSetCreate.properties
const id = Type.String({ description: 'Of the post set.' })

/** How the parameters of the calendar are called, whose names not every host takes. */
const CALENDAR_NAMES = { status: 'filters[status][]', approval: 'filters[approval][]', search: 'filters[search]' }
const {
  'filters[status][]': status,
  'filters[approval][]': approval,
  'filters[search]': search,
} = CalendarQuery.properties

export const READING: readonly Tool[] = [
  readingTool({
    name: 'list_brands',
    title: 'List brands',
    description:
      'The brands (social sets) of the key, with time zone and connected accounts. Begin here: other tools take their ids as socialSetId.',
    passed: PageQuery.properties,
    output: SOCIAL_SET_ENDPOINTS['GET /social-sets'].answer,
    run: async ({ deps, caller, args }) => ({ answer: await listSocialSets(deps, caller, queryOf(PageQuery, args)) }),
  }),
  readingTool({
    name: 'describe_networks',
    title: 'Describe a network',
    description:
      'What posts of an account type are written with: fields, options, kinds of posts with their captions and media, limits. Read it before you write a post for it.',
    own: { accountType: Type.Enum([...accountTypes]) },
    output: NetworkDescription,
    run: async ({ deps, args }) => ({ answer: describedAs(describeNetworks(deps.networks), args.accountType) }),
  }),
  readingTool({
    name: 'list_calendar',
    title: 'List the calendar',
    description:
      'Post sets and notes of a brand from one time to another, 62 days at most, each with its id, version, state and the beginning of its caption.',
    passed: {
      socialSetId,
      from: Type.String({ description: 'ISO 8601; without an offset in the time zone of the brand.' }),
      to: Type.String({ description: 'Not included.' }),
      status,
      approval,
      search,
    },
    output: Calendar,
    run: async ({ deps, caller, args }) => ({
      answer: await readCalendar(deps, caller, queryOf(CalendarQuery, args, CALENDAR_NAMES)),
    }),
  }),
  readingTool({
    name: 'get_post_set',
    title: 'Read a post set',
    description:
      'One post set in full: posts with their ids, version, status, approval, and once it is published the result of each post with its link.',
    own: { id },
    output: PostSet,
    run: async ({ deps, caller, args }) => ({ answer: await getPostSet(deps, caller, args.id) }),
  }),
  readingTool({
    name: 'find_free_slots',
    title: 'Find free slots',
    description: 'The next times at which the brand usually posts and has nothing planned yet.',
    own: { socialSetId },
    passed: FreeSlotsQuery.properties,
    output: FreeSlots,
    run: async ({ deps, caller, args: { socialSetId: brand, ...asked } }) => ({
      answer: await listFreeSlots(deps, caller, brand, queryOf(FreeSlotsQuery, asked)),
    }),
  }),
  readingTool({
    name: 'validate_post_set',
    title: 'Check a post set',
    description:
      'Says what would stop a post set from being scheduled, and how long its captions are as each network counts. Writes nothing. Call it before create_draft.',
    passed: { socialSetId, scheduledAt, posts: POSTS_AGAIN, ...OF_POST_SETS },
    output: PostSetValidation,
    run: async ({ deps, caller, args }) => {
      const body = bodyOf(PostSetCreate, { ...args, status: 'SCHEDULED', approval: 'NONE' })
      return { answer: await validatePostSet(deps, caller, { body, query: NO_QUERY }) }
    },
  }),
  readingTool({
    name: 'list_events',
    title: 'List events',
    description:
      'What happened behind a position: changes, results, failures. Call it without after for the position of now, later with nextAfter of the answer before.',
    passed: {
      after: EventQuery.properties.after,
      types: Type.Optional(Type.Array(Type.String(), { description: 'Such as post.failed.' })),
      socialSetId: EventQuery.properties.socialSetId,
      limit: EventQuery.properties.limit,
    },
    output: EventPage,
    run: async ({ deps, caller, args, gone }) => ({
      answer: await followEvents(deps, caller, queryOf(EventQuery, args, { types: 'types[]' }), gone),
    }),
  }),
]

function describedAs(all: readonly Described[], accountType: string): Described {
  const found = all.find((each) => each.accountType === accountType)
  if (!found) throw new ProblemError('route:not_found', `${accountType} is not an account type of this installation.`)
  return found
}
