import { describe, expect, test } from 'vitest'
import { openPageProcess } from './page-process.ts'

const never = new AbortController().signal
const limits = { heapMegabytes: 512, residentBytes: 768 * 1024 * 1024, seconds: 0.5 }
const page = (text: string) => ({ bytes: Buffer.from(text), charset: null })
const bread = page('<title>Bread</title>')

/** Every paragraph begins all of the elements again that have no end: each line makes the page longer by all lines before. */
const EVIL = `<p>${Array.from({ length: 5_000 }, (_, at) => `<b id=${at}>`).join('')}${'<p>x'.repeat(100_000)}`

describe('a page that takes too much', () => {
  test.each([
    ['memory', { ...limits, heapMegabytes: 32, seconds: 20 }],
    ['time', limits],
  ])('%s is not read, and the next one is', async (_, most) => {
    const read = openPageProcess(most)
    await expect(read(page(EVIL), never)).rejects.toThrow('takes too much memory or time')
    expect(await read(bread, never)).toMatchObject({ title: 'Bread' })
  })

  test('does not keep another one waiting', async () => {
    const read = openPageProcess({ ...limits, heapMegabytes: 512, seconds: 2 })
    let ended = false
    const slow = read(page(EVIL), never).catch(() => (ended = true))
    await read(bread, never)
    expect(ended).toBe(false)
    await slow
  })
})

test('what was stopped is not read on', async () => {
  const stopped = new AbortController()
  const reading = openPageProcess()(page(EVIL), stopped.signal)
  stopped.abort(new Error('The step is over.'))
  await expect(reading).rejects.toThrow('The step is over.')
})

test('pages that follow each other share a process', async () => {
  const read = openPageProcess()
  for (const title of ['Bread', 'Cake']) {
    expect(await read(page(`<title>${title}</title>`), never)).toMatchObject({ title })
  }
})
