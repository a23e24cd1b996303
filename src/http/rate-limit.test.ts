import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test, vi } from 'vitest'
import { createGuestAdmission } from './guests.ts'
import { createRefusals, rateWindow } from './rate-limit.ts'

const refused = { code: 'rate-limit:exceeded' }

test('who is refused stays so until their second is over, and no one else is', () => {
  let ms = 0
  const refusals = createRefusals(() => ms)
  const inHalfASecond = () => new Date(Date.now() + 500)
  refusals.settle('one', rateWindow(2, 2, inHalfASecond()))
  refusals.refuse('one')
  expect(() => refusals.settle('one', rateWindow(2, 3, inHalfASecond()))).toThrow(expect.objectContaining(refused))
  expect(() => refusals.refuse('one')).toThrow(expect.objectContaining(refused))
  refusals.refuse('another')
  ms += 501
  refusals.refuse('one')
  // A clock of the database that is ahead keeps no one out for longer than a second.
  const ahead = rateWindow(2, 3, new Date(Date.now() + 3_600_000))
  expect(() => refusals.settle('one', ahead)).toThrow(expect.objectContaining(refused))
  ms += 1_001
  refusals.refuse('one')
})

test('a guest who asks on and on is looked up and counted once more, and not again in that second', async () => {
  const take = vi.fn(async (subject: string, limit: number) =>
    rateWindow(limit, subject.startsWith('visit:') ? limit + 1 : 1, new Date(Date.now() + 900)),
  )
  const authenticateGuest = vi.fn(async () => ({ id: 'guest', calendar: { id: 'link' } }) as never)
  const admit = createGuestAdmission({
    authenticateGuest,
    rate: { take } as never,
    publicUrl: 'https://almanac.test',
    trustedOrigins: [],
  })
  const request = (cookie: string) =>
    ({
      ip: '203.0.113.7',
      method: 'GET',
      headers: { cookie, host: 'almanac.test' },
      params: { link: 'link' },
      routeOptions: { config: {} },
      socket: {},
    }) as unknown as FastifyRequest
  const reply = { header: () => reply } as unknown as FastifyReply
  for (let nth = 0; nth < 5; nth++)
    await expect(admit(request('almanac_visit=one; junk=1'), reply)).rejects.toMatchObject(refused)
  await expect(admit(request('almanac_visit=one; junk=2'), reply)).rejects.toMatchObject(refused)
  expect([authenticateGuest.mock.calls.length, take.mock.calls.length]).toEqual([1, 2])
  await expect(admit(request('almanac_visit=two'), reply)).rejects.toMatchObject(refused)
  expect(authenticateGuest.mock.calls).toHaveLength(2)
})
