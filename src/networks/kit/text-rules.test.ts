import { expect, test, vi } from 'vitest'
import { codePoints, graphemes, utf8Bytes } from './text.ts'
import { hashtagsIn, linksIn, mentionsIn, tooLong } from './text-rules.ts'

test.each<[string, string[]]>([
  ['no link', []],
  ['See https://a.example/b, then (https://c.example/d).', ['https://a.example/b', 'https://c.example/d']],
  ['https://en.example/wiki/Rye_(bread)', ['https://en.example/wiki/Rye_(bread)']],
  ['(see https://en.example/wiki/Rye_(bread))', ['https://en.example/wiki/Rye_(bread)']],
  ['新しいパン https://a.example/pan。明日', ['https://a.example/pan']],
  ['看https://a.example/b这里', ['https://a.example/b']],
  ['**https://a.example/b**', ['https://a.example/b']],
  ['https://a.example/b… and https://a.example/b', ['https://a.example/b']],
  ['HTTP://A.example/?q=1&r=[2]!', ['HTTP://A.example/?q=1&r=[2]']],
  ['https://a.example/(b)).)', ['https://a.example/(b)']],
  ['https://a.example/((b)', ['https://a.example/((b)']],
])('links in %j', (text, links) => {
  expect(linksIn(text)).toEqual(links)
})

test('what comes behind a link is taken off without going through the link again', () => {
  const text = `https://a.example/${')'.repeat(30_000)}${'.'.repeat(30_000)}`
  const split = vi.spyOn(String.prototype, 'split')
  const slice = vi.spyOn(String.prototype, 'slice')
  const links = linksIn(text)
  const calls = split.mock.calls.length + slice.mock.calls.length
  vi.restoreAllMocks()
  expect(links).toEqual(['https://a.example/'])
  expect(calls).toBeLessThan(10)
})

test('hashtags and mentions, without the hosts of mail addresses', () => {
  expect(hashtagsIn('#bread and #größe_2, not # or a#b')).toEqual(['#bread', '#größe_2', '#b'])
  expect(mentionsIn('@ada.l and mail@example.com and @bob')).toEqual(['@ada.l', '@bob'])
})

test('a text is too long by one', () => {
  const limit = { value: 3, unit: 'characters', source: 'https://a.example', read: '2026-11-21' }
  const text = { network: 'Demo', what: 'titles', steps: ['title'], limit }
  expect(tooLong({ ...text, actual: 3 })).toEqual([])
  expect(tooLong({ ...text, actual: 5 })).toMatchObject([
    { limit: 3, actual: 5, message: 'Demo takes titles of at most 3 characters; this one has 5. Shorten it by 2.' },
  ])
})

test.each([
  ['', 0, 0, 0],
  ['plain text', 10, 10, 10],
  ['line\nbreak', 10, 10, 10],
  ['a\r\nb', 3, 4, 4],
  ['ä', 1, 1, 2],
  ['a\u0308', 1, 2, 3],
  ['👨‍👩‍👧‍👦', 1, 7, 25],
  ['🇩🇪🇫🇷', 2, 4, 16],
  ['👍🏽', 1, 2, 8],
])('%j: graphemes, code points, bytes', (text, clusters, points, bytes) => {
  expect([graphemes(text), codePoints(text), utf8Bytes(text)]).toEqual([clusters, points, bytes])
})
