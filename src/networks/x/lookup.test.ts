import { expect, test } from 'vitest'
import { comparable, writtenText } from './lookup.ts'

type Link = [short: string, target: string, mediaKey?: string]
const read = (text: string, links: Link[]) =>
  writtenText({ text, links: links.map(([short, target, mediaKey = null]) => ({ short, target, mediaKey })) })

/** What somebody wrote, and how the network lists it. */
test.each<[string, string, string, ...Link[]]>([
  ['plain text', 'Bread', 'Bread'],
  ['escaped characters', 'a < b && c > "d"', 'a &lt; b &amp;&amp; c &gt; "d"'],
  ['what was escaped already', '&lt; is a sign', '&amp;lt; is a sign'],
  ['composed characters', 'Cre\u0300me', 'Cr\u00e8me'],
  ['white space that was cut', '  Bread \n', 'Bread'],
  ['a shortened link', 'See https://a.com/a?b=1&c=2 now', 'See t.co/x now', ['t.co/x', 'https://a.com/a?b=1&c=2']],
  ['a link without https', 'See Example.com/Bread', 'See t.co/x', ['t.co/x', 'http://Example.com/Bread']],
  ['a link that got a slash', 'https://a.com/a', 't.co/x', ['t.co/x', 'https://a.com/a/']],
  ['a link in other characters', 'https://a.com/brötchen', 't.co/x', ['t.co/x', 'https://a.com/br%C3%B6tchen']],
  ['the link of its media', 'Bread', 'Bread t.co/m', ['t.co/m', 'https://x.com/ann/status/1', '3_1']],
  ['such a link without a key', 'Bread', 'Bread t.co/m', ['t.co/m', 'https://x.com/ann/status/1/photo/1']],
])('a listed post has the text that was written: %s', (_, written, listed, ...links) => {
  expect(comparable(read(listed, links))).toBe(comparable(written))
})

test.each<[string, string, string, ...Link[]]>([
  ['another word', 'Bread', 'Breads'],
  ['another case', 'Bread', 'bread'],
  ['another link', 'https://example.com/a', 't.co/x', ['t.co/x', 'https://example.com/A']],
])('%s is another text', (_, written, listed, ...links) => {
  expect(comparable(read(listed, links))).not.toBe(comparable(written))
})
