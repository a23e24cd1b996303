import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import { TOUCHES } from './touches.ts'

vi.stubGlobal('document', { querySelector: () => null })
const { readAgain } = await import('./change.ts')

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('who the member is is read before what that decides, and each noun once', async () => {
  const asked: unknown[] = []
  const session = Promise.withResolvers<void>()
  vi.spyOn(queryClient, 'invalidateQueries').mockImplementation(async (filters) => {
    const [noun] = filters?.queryKey ?? []
    asked.push(noun)
    if (noun === 'session') await session.promise
  })
  const reading = readAgain('PATCH /members/:id')
  await vi.waitUntil(() => asked.length > 0)
  expect(asked).toEqual(['session'])
  session.resolve()
  await reading
  expect(asked.toSorted()).toEqual(TOUCHES['PATCH /members/:id']?.toSorted())
})
