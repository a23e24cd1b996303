import { fastify } from 'fastify'
import Type from 'typebox'
import { expect, test } from 'vitest'
import {
  type EndpointTable,
  PostSet,
  PostSetCreate,
  PostSetUpdate,
  Problem,
  SHIPPED_PLANS,
  SocialSet,
  validatorOf,
} from '#contract'
import { EXAMPLES } from './examples.ts'
import { addSharedSchemas } from './openapi.ts'
import { serve } from './route.ts'

const Answer = Type.Object({ id: Type.String() }, { additionalProperties: false })

async function answerOf(handle: () => Promise<{ id: string }>, strict: boolean, times = 1) {
  const logged: string[] = []
  const server = fastify()
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(() => (data) => JSON.stringify(data))
  addSharedSchemas(server)
  server.decorateRequest('caller', null)
  server.addHook('onRequest', async (request) => {
    request.caller = {
      accountId: 'a',
      actor: { type: 'API_KEY', id: 'k', name: 'K' },
      rights: [],
      socialSetIds: null,
      plan: SHIPPED_PLANS.SCALE,
      member: null,
    }
  })
  const table = {
    'GET /things/:id': { api: { tag: 'Things', summary: 'Read a thing' }, status: 200, answer: Answer, problems: [] },
  } as const satisfies EndpointTable
  const log = { error: (_: object, message: string) => void logged.push(message) }
  const answerOnce = async () => {
    throw new Error('A route that only reads has asked for a stored answer.')
  }
  await server.register(async (routes) =>
    serve(routes, { strict, log, answerOnce }, table, { 'GET /things/:id': handle }),
  )
  for (let asked = 1; asked < times; asked++) await server.inject('/v1/things/1')
  const { statusCode, body } = await server.inject('/v1/things/1')
  return { statusCode, body, logged }
}

test('an answer that fits is sent as it is', async () => {
  expect(await answerOf(async () => ({ id: '1' }), true)).toEqual({ statusCode: 200, body: '{"id":"1"}', logged: [] })
})

test('extension-08: an answer that does not fit is an error where that is wanted, elsewhere it is cleaned; the log hears of both', async () => {
  const leaking = async () => ({ id: '1', token: 'secret' })
  const strict = await answerOf(leaking, true)
  expect(strict.statusCode).toBe(500)
  expect(strict.body).not.toContain('secret')
  const lenient = await answerOf(leaking, false)
  expect(lenient).toMatchObject({ statusCode: 200, body: '{"id":"1"}' })
  expect([strict.logged, lenient.logged]).toEqual([[expect.any(String)], [expect.any(String)]])
})

test('an answer that does not fit is reported once, however often it is asked for', async () => {
  const { logged, body } = await answerOf(async () => ({ id: '1', token: 'secret' }), false, 3)
  expect(body).toBe('{"id":"1"}')
  expect(logged).toHaveLength(1)
})

test.each(Object.entries({ PostSet, PostSetCreate, PostSetUpdate, Problem, SocialSet }))(
  'the example of %s is one',
  (name, schema) => {
    expect(EXAMPLES[name]).toBeDefined()
    expect(validatorOf(schema).Errors(EXAMPLES[name])).toEqual([])
  },
)
