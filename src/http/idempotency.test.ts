import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { Database, DatabaseTransaction } from '#persistence'
import { type AnswerOnce, answerByKey } from './idempotency.ts'

const answer = { status: 201, headers: {}, body: '{}' }
const trx = { isTransaction: true } as DatabaseTransaction
const db = { isTransaction: false } as Database
const refusal = { notFound: 'social-set:not_found' } as const
const requestWith = (headers: Record<string, string>) =>
  ({ headers, caller: {}, method: 'POST', url: '/v1/notes', body: {} }) as unknown as FastifyRequest
const once: AnswerOnce = async (_, __, run) => ({ answer: await run(trx), replayed: false })

test('a route works in the transaction that stores its answer, or with its own deps when none is stored', async () => {
  const used: boolean[] = []
  for (const headers of [{ 'idempotency-key': 'a' }, {}]) {
    await answerByKey(once, requestWith(headers), refusal, async (within) => {
      used.push(within({ db }).db.isTransaction)
      return answer
    })
  }
  expect(used).toEqual([true, false])
})

test('a route that works elsewhere is an error with its first key', async () => {
  const elsewhere = async () => answer
  await expect(answerByKey(once, requestWith({ 'idempotency-key': 'a' }), refusal, elsewhere)).rejects.toThrow(
    /outside/,
  )
  await expect(answerByKey(once, requestWith({}), refusal, elsewhere)).resolves.toEqual({ answer, replayed: false })
})
