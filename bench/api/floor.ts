import Fastify from 'fastify'
import pg from 'pg'
import { type AccountType, POST_FIELDS } from '#contract'
import { newId, searchTextOf } from '#domain'
import { CREATE, LIST, READ, VALIDATE } from './statements.ts'

/**
 * The floor: a bare Fastify that answers, byte for byte, what Almanac answers, from one SQL statement a request. It knows
 * no keys, rates, rights, plans, rules, time zones and pages. Its statements are sent as `pg` sends them by default, or with
 * FLOOR_PREPARES are prepared once. Run as a process of its own: reads DATABASE_URL, FLOOR_ACCOUNT and FLOOR_TOTAL (post sets
 * of the social set) and FLOOR_VALIDATED (what a check of a post set answers), prints its address.
 */
const { DATABASE_URL, FLOOR_ACCOUNT, FLOOR_TOTAL, FLOOR_PREPARES, FLOOR_VALIDATED } = process.env
const total = Number(FLOOR_TOTAL)
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 })
const server = Fastify()
const JSON_TYPE = 'application/json'

const query = async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
  (await pool.query<Row>(FLOOR_PREPARES ? { name, text, values } : { text, values })).rows

server.get<{ Querystring: { socialSetId: string; size: string } }>(
  '/v1/post-sets',
  async ({ query: { socialSetId, ...page } }, reply) => {
    const size = Number(page.size)
    const rows = await query<StoredSet>('list', LIST, [socialSetId, size])
    const pagination = { page: 1, size, total, totalPages: Math.ceil(total / size), totalIsExact: true }
    return reply.type(JSON_TYPE).send(JSON.stringify({ data: rows.map(answerOf), pagination }))
  },
)

server.get<{ Params: { id: string } }>('/v1/post-sets/:id', async ({ params }, reply) => {
  const rows = await query<StoredSet>('read', READ, [params.id])
  return reply.type(JSON_TYPE).send(JSON.stringify(rows.map(answerOf)[0]))
})

server.post<{ Body: Draft }>('/v1/post-sets/validate', async ({ body }, reply) => {
  await query('validate', VALIDATE, [body.socialSetId])
  return reply.type(JSON_TYPE).send(FLOOR_VALIDATED)
})

server.post<{ Body: Draft }>('/v1/post-sets', async ({ body }, reply) => {
  const id = newId()
  const posts = body.posts.map(({ accountType, caption, media: _, ...fields }) => ({
    id: newId(),
    accountType,
    caption,
    fields,
    media: [],
    result: null,
  }))
  const stored = posts.map(({ accountType, media: _, result: __, ...post }, position) => ({
    ...post,
    position,
    account_type: accountType,
  }))
  const { socialSetId, scheduledAt, status, approval } = body
  const changes = { status, scheduledAt, approval, accountTypes: posts.map(({ accountType }) => accountType) }
  const [made] = await query<Pick<StoredSet, 'version' | 'createdAt' | 'updatedAt'>>('create', CREATE, [
    ...[id, FLOOR_ACCOUNT, socialSetId, scheduledAt, status, approval, searchTextOf(posts)],
    ...[JSON.stringify(stored), JSON.stringify(changes)],
  ])
  if (!made) throw new Error('Nothing was made.')
  const set = {
    ...{ ...made, id, socialSetId, scheduledAt: new Date(scheduledAt), status, approval, posts },
    ...{ seriesId: null, repeat: null, labelsId: [], isLocked: false },
  }
  return reply
    .code(201)
    .type(JSON_TYPE)
    .send(JSON.stringify(answerOf(set)))
})

console.log(await server.listen({ host: '127.0.0.1', port: 0 }))

interface Draft {
  socialSetId: string
  scheduledAt: string
  status: string
  approval: string
  posts: { accountType: AccountType; caption: string; media: [] }[]
}

interface StoredSet {
  id: string
  socialSetId: string
  scheduledAt: Date
  status: string
  approval: string
  isLocked: boolean
  version: number
  seriesId: string | null
  repeat: object | null
  labelsId: string[]
  posts: {
    id: string
    accountType: AccountType
    caption: string
    fields: Record<string, unknown>
    media: object[]
    result: object | null
  }[]
  createdAt: Date
  updatedAt: Date
}

function answerOf(set: StoredSet): object {
  return {
    id: set.id,
    socialSetId: set.socialSetId,
    scheduledAt: set.scheduledAt.toISOString(),
    status: set.status,
    posts: set.posts.map((post) => {
      const answer: Record<string, unknown> = { id: post.id, accountType: post.accountType, caption: post.caption }
      answer.media = post.media
      for (const [name, { missing }] of Object.entries(POST_FIELDS[post.accountType])) {
        answer[name] = post.fields[name] ?? missing
      }
      if (post.result) answer.result = post.result
      return answer
    }),
    ...(set.seriesId === null ? {} : { seriesId: set.seriesId }),
    ...(set.repeat === null ? {} : { repeat: set.repeat }),
    labelsId: set.labelsId,
    approval: set.approval,
    isLocked: set.isLocked,
    version: set.version,
    createdAt: set.createdAt.toISOString(),
    updatedAt: set.updatedAt.toISOString(),
  }
}
