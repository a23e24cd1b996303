import { describe, expect, test } from 'vitest'
import { comparable, writtenText } from './lookup.ts'
import type { ListedPost } from './wire.ts'

const listed = (text: string, links: ListedPost['links'] = []): ListedPost => ({
  id: '1',
  at: new Date(0),
  text,
  links,
  mediaKeys: [],
  complete: true,
})
const link = (short: string, target: string, mediaKey: string | null = null) => ({ short, target, mediaKey })

/** What somebody wrote, and how the network lists it. */
const same: [string, string, ListedPost][] = [
  ['plain text', 'Bread', listed('Bread')],
  ['escaped characters', 'a < b && c > "d"', listed('a &lt; b &amp;&amp; c &gt; "d"')],
  ['what was escaped already', '&lt; is a sign', listed('&amp;lt; is a sign')],
  ['composed characters', 'Cre\u0300me', listed('Cr\u00e8me')],
  ['white space that was cut', '  Bread \n', listed('Bread')],
  [
    'a shortened link',
    'See https://example.com/a?b=1&c=2 now',
    listed('See https://t.co/abc now', [link('https://t.co/abc', 'https://example.com/a?b=1&c=2')]),
  ],
  [
    'a link without https',
    'See Example.com/Bread',
    listed('See https://t.co/abc', [link('https://t.co/abc', 'http://Example.com/Bread')]),
  ],
  [
    'a link that got a slash, and one in other characters',
    'https://example.com https://example.com/brötchen',
    listed('https://t.co/a https://t.co/b', [
      link('https://t.co/a', 'https://example.com/'),
      link('https://t.co/b', 'https://example.com/br%C3%B6tchen'),
    ]),
  ],
  [
    'the link of its media',
    'Bread',
    listed('Bread https://t.co/m', [link('https://t.co/m', 'https://x.com/ann/status/1/photo/1', '3_1')]),
  ],
]

describe('the text of a listed post is the same as what was written', () => {
  test.each(same)('%s', (_, written, post) => {
    expect(comparable(writtenText(post))).toBe(comparable(written))
  })
})

test.each([
  ['another word', 'Bread', listed('Breads')],
  ['another case', 'Bread', listed('bread')],
  [
    'another link',
    'https://example.com/a',
    listed('https://t.co/a', [link('https://t.co/a', 'https://example.com/A')]),
  ],
])('%s is another text', (_, written, post) => {
  expect(comparable(writtenText(post))).not.toBe(comparable(written))
})
