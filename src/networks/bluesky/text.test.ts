import { describe, expect, test } from 'vitest'
import type { Sample } from '../conformance/harness.ts'
import { stageFor } from '../conformance/stages.ts'
import { lost, openStage, reported } from '../kit/testing.ts'
import { graphemes } from '../kit/text.ts'
import { network } from './index.ts'
import { checkPost, countCaption } from './rules.ts'

const post = (caption: string) => ({ accountType: 'BLUESKY' as const, caption, media: [], fields: {} })
const count = (caption: string) => countCaption(post(caption)).actual
const UTM = `https://example.com/news?utm_source=${'k'.repeat(200)}`
const words = (count: number) => 'x'.repeat(count)

/** As the app shows links: https://github.com/bluesky-social/social-app, src/lib/strings/url-helpers.ts (read 2026-11-29). */
test.each<[string, string]>([
  ['https://example.com', 'example.com'],
  ['https://example.com/', 'example.com'],
  ['https://example.com/?a=b', 'example.com?a=b'],
  ['http://example.com/news', 'example.com/news'],
  ['https://example.com/12345678901234', 'example.com/12345678901234'],
  ['https://example.com/123456789012345', 'example.com/123456789012...'],
  ['https://example.com:8443/a', 'example.com:8443/a'],
  ['https://Example.COM/a#b', 'example.com/a#b'],
  ['https://example.com?utm_source=kkkkkkkkkkkk', 'example.com?utm_source=k...'],
  ['https://ada:secret@example.com/a', 'example.com/a'],
  ['https://müller.example/straße?q=ü', 'xn--mller-kva.example/stra%C3%9Fe?...'],
  ['(https://example.com/a_(b))', '(example.com/a_(b))'],
  ['example.com/12345678901234567890', 'example.com/12345678901234567890'],
  ['„https://example.com/a“', '„example.com/a“'],
])('%j counts as %j', (link, shown) => {
  // Never as more than was written: the name of the host in ASCII may be longer.
  expect(count(`Bread ${link}`)).toBe(graphemes('Bread ') + Math.min(graphemes(shown), graphemes(link)))
})

test.each<[string, string, string[]]>([
  [
    '300 characters with a link that is shown in 27',
    `${words(273)} https://example.com/123456789012345`.replace(' ', ''),
    [],
  ],
  ['a long link behind 270', `${words(271)} ${UTM}`, []],
  ['the same and a character', `${words(274)} ${UTM}`, ['caption caption_too_long']],
  ['ten long links', `${UTM} `.repeat(10), []],
  ['more than 6,000 bytes of links', `https://example.com/${words(7_000)}`, []],
  ['long words', words(301), ['caption caption_too_long']],
  ['a long address without http in front', `example.com/${words(300)}`, ['caption caption_too_long']],
])('%s', (_, caption, expected) => {
  expect(reported(checkPost(post(caption)))).toEqual(expected)
})

describe('what is sent', () => {
  const stage = stageFor('each', () => openStage(network, 'BLUESKY', { base: 'pds/xrpc' }))
  const PUT = 'POST com.atproto.repo.putRecord'
  const sample = (caption: string): Sample => ({ title: 'post', accountType: 'BLUESKY', caption })
  type Sent = { text: string; facets?: { index: { byteStart: number; byteEnd: number }; features: object[] }[] }
  async function sent(caption: string) {
    const { post } = await stage.deliver(sample(caption))
    expect(post.kind).toBe('made')
    const { text, facets = [] } = (stage.calls(PUT).at(-1)?.json.record ?? { text: '' }) as Sent
    const bytes = Buffer.from(text)
    const shown = facets.map(({ index: { byteStart, byteEnd }, features: [feature = {}] }) => {
      const { uri, tag, did } = feature as Record<string, string>
      return [bytes.subarray(byteStart, byteEnd).toString(), uri ?? tag ?? did]
    })
    return { text, shown }
  }

  test('a text that fits, as it was written', async () => {
    const caption = `Ümläut ${UTM.slice(0, 100)} #bread`
    expect(await sent(caption)).toEqual({
      text: caption,
      shown: [
        [UTM.slice(0, 100), UTM.slice(0, 100)],
        ['#bread', 'bread'],
      ],
    })
  })

  test('else with its links shortened, which lead to the whole addresses', async () => {
    const other = 'https://example.org/wiki/Croissant_(pastry)?action=edit&section=14'
    const caption = `Ümläut 🥖 ${words(150)} (${UTM}), #bread “${other}” example.net/x. https://müller.example/ü`
    const short = `Ümläut 🥖 ${words(150)} (example.com/news?utm_sou...), #bread “example.org/wiki/Croissa...” example.net/x. https://müller.example/ü`
    expect(await sent(caption)).toEqual({
      text: short,
      shown: [
        ['example.com/news?utm_sou...', UTM],
        ['#bread', 'bread'],
        ['example.org/wiki/Croissa...', other],
        ['example.net/x', 'https://example.net/x'],
        ['https://müller.example/ü', 'https://müller.example/ü'],
      ],
    })
  })

  test.each<[string, string[][]]>([
    ['I like wiki.vg’s logo', []],
    ["I like wiki.vg's logo", []],
    ['I like https://wiki.vg’s logo', [['https://wiki.vg', 'https://wiki.vg']]],
    ['See example.com—new', [['example.com', 'https://example.com']]],
    [
      'See example.com/a”, and example.com.',
      [
        ['example.com/a', 'https://example.com/a'],
        ['example.com', 'https://example.com'],
      ],
    ],
    ['„https://example.com/a“', [['https://example.com/a', 'https://example.com/a']]],
    [
      "https://en.wikipedia.org/wiki/Baker's_yeast",
      [["https://en.wikipedia.org/wiki/Baker's_yeast", "https://en.wikipedia.org/wiki/Baker's_yeast"]],
    ],
    ['パンはhttps://example.com/aです', [['https://example.com/a', 'https://example.com/a']]],
    ['[a](https://example.com/b)', [['https://example.com/b', 'https://example.com/b']]],
    ['https://example.com/a🎉', [['https://example.com/a', 'https://example.com/a']]],
    ['ada@example.com', []],
    ['https://example.com/パン', [['https://example.com/パン', 'https://example.com/パン']]],
    ['example.com/パン 。', [['example.com/パン', 'https://example.com/パン']]],
    ['https://example.com/foo–bar', [['https://example.com/foo–bar', 'https://example.com/foo–bar']]],
    ['「https://example.com/パン」です', [['https://example.com/パン', 'https://example.com/パン']]],
    ['example.com:yes', [['example.com', 'https://example.com']]],
  ])('the links of %j', async (caption, links) => {
    expect(await sent(caption)).toEqual({ text: caption, shown: links })
  })

  test('a shortened post whose answer was lost is found in its place', async () => {
    const { post } = await stage.deliver(sample(`${words(260)} ${UTM}`), stage.on(PUT, lost, { reached: true }))
    expect(post.kind).toBe('made')
    expect(await stage.posts()).toHaveLength(1)
  })

  test('what a version before has written, before links were shortened, is found, and written again it is the very same', async () => {
    const caption = `${words(200)} https://example.com/a/long/way/to/bread`
    const delivery = await stage.fenced(sample(caption))
    const { rkey, createdAt, facets } = delivery.handles()
    const record = { $type: 'app.bsky.feed.post', text: caption, createdAt, facets }
    const { accessJwt } = stage.world.backend.credentials
    const put = {
      repo: stage.world.backend.account.externalId,
      collection: 'app.bsky.feed.post',
      rkey,
      swapRecord: null,
      record,
    }
    expect(await stage.api(PUT, put, { token: String(accessJwt) })).toMatchObject({ status: 200 })
    expect(await delivery.call('find')).toMatchObject({ kind: 'found' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(await stage.posts()).toHaveLength(1)
  })
})

test('a link that is too long for the network is refused in words', () => {
  const check = (bytes: number) => checkPost(post(`Bread: https://example.com/${'a'.repeat(bytes - 20)}`))
  expect(check(8_000)).toEqual([])
  expect(check(8_001)).toMatchObject([{ code: 'post:field_too_long', limit: 8_000, actual: 8_001 }])
})
