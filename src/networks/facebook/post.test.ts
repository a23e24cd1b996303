import { expect, test } from 'vitest'
import { isMessageOf, isOnlyMentions } from '../meta/mentions.ts'
import { linkOf, messageOf } from './post.ts'
import { connector } from './publish.ts'

/** A text in which `[…]` are mentions: of the Page of this name, by its id behind a colon if it is not 1. */
function post(text: string) {
  const richCaption = [...text.matchAll(/\[([^:\]]*):?(\w*)\]|[^[]+/g)].map(([whole, name, id]) =>
    name === undefined ? whole : { text: name, mention: { id: id || '1', name } },
  )
  const caption = richCaption.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join('')
  return { caption, fields: { type: 'TEXT', richCaption } }
}

test.each([
  ['mentions a Page by its number', post('With [The Mill:123]! '), 'With @[123]!'],
  ['leaves other mentions as their text', post('With [The Mill:mill]!'), 'With The Mill!'],
  ['is the caption when segments differ', { ...post('Cake[x]'), caption: 'Bread' }, 'Bread'],
])('the text that is sent %s', (_, given, text) => {
  expect(messageOf(given)).toBe(text)
})

test('mentions are plain text where the operator wants that', () => {
  const given = { ...post('With [The Mill:123]! '), accountType: 'FACEBOOK', media: [] } as const
  const sent = (mentions: string) => connector.wordsOf(given, () => mentions)
  expect(['text', 'pages'].map(sent)).toEqual([{ text: 'With The Mill!' }, { text: 'With @[123]!' }])
})

test.each([
  ['is known with other signs', 'Bread (2.50) a+b?', 'Bread (2.50) a+b?', true],
  ['is known with other white space, composed again', ' Cafe\u0301 \n\n and  butter ', 'Caf\u00e9\nand butter', true],
  ['is known with the name of a Page', 'With [Mill], fresh', 'With The Old Mill, fresh', true],
  ['is another with more words', 'Bread', 'Bread and butter', false],
  ['is another with fewer words', 'Bread and butter', 'Bread', false],
  ['is known without the mentions that the network has removed', 'With [Mill] and [Oven] !', 'With and !', true],
  ['is known by its order', 'a[x] b [y]c', 'a1 b 2 b 3c', true],
  ['is another in another order', 'a [x] b [y]', 'a 1 c 2', false],
  ['is known without one of the mentions', 'a [x] b [y] a', 'a 1 b a', true],
  ['is another with a name that no Page has', 'With [x]', `With ${'x'.repeat(201)}`, false],
  ['is not known twice by the same words', 'ab[x]ab', 'ab', false],
  ['of many mentions is compared at once', '[x] a '.repeat(60), 'word a '.repeat(59), false],
])('a text in a listing %s', { timeout: 1_000 }, (_, given, shown, known) => {
  expect(isMessageOf(messageOf(post(given)), shown)).toBe(known)
})

test.each([
  ['[Mill] + [Oven:2] 🍞', true],
  ['With [Mill]', false],
  ['[Mill:mill]', false],
  ['', false],
])('"%s" is nothing but mentions: %s', (given, only) => {
  expect(isOnlyMentions(messageOf(post(given)))).toBe(only)
})

test.each([
  ['https://www.facebook.com/mill and https://bakery.example/bread?a=1.', 'https://bakery.example/bread?a=1'],
  ['Only https://fb.com/mill', null],
])('the link of "%s" is %s', (caption, link) => {
  expect(linkOf({ caption })).toBe(link)
})
