import { describe, expect, test } from 'vitest'
import type { PostToCheck } from '../network.ts'
import { isMessageOf, isOnlyMentions, linkOf, messageOf } from './message.ts'

const mention = (text: string, id: string) => ({ text, mention: { id, name: text } })
type Text = Pick<PostToCheck, 'caption' | 'fields'>
const post = (...richCaption: (string | ReturnType<typeof mention>)[]): Text => ({
  caption: richCaption.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join(''),
  fields: { type: 'TEXT', richCaption },
})

describe('the text that is sent', () => {
  test.each<[string, Text, string]>([
    ['is the caption', post('Bread\nand butter '), 'Bread\nand butter'],
    ['mentions a Page by its number', post('With ', mention('The Mill', '123'), '!'), 'With @[123]!'],
    ['leaves other mentions as their text', post('With ', mention('The Mill', 'mill'), '!'), 'With The Mill!'],
    ['is the caption without segments', { caption: 'Bread', fields: { richCaption: [] } }, 'Bread'],
    [
      'is the caption when the segments say something else',
      { caption: 'Bread', fields: { richCaption: ['Cake', mention('x', '1')] } },
      'Bread',
    ],
  ])('%s', (_, given, text) => {
    expect(messageOf(given)).toBe(text)
  })
})

describe('a text in a listing', () => {
  test.each<[string, Text, string, boolean]>([
    ['is known', post('Bread (2.50) [new] a+b?'), 'Bread (2.50) [new] a+b?', true],
    ['is known with other white space', post(' Bread \n\n and  butter '), 'Bread\nand butter', true],
    ['is known when composed anew', post('Cafe\u0301'), 'Caf\u00e9', true],
    [
      'is known with the name of a Page',
      post('With ', mention('Mill', '1'), ', fresh'),
      'With The Old Mill, fresh',
      true,
    ],
    ['is another with more words', post('Bread'), 'Bread and butter', false],
    ['is another with fewer words', post('Bread and butter'), 'Bread', false],
    ['is another with other signs', post('Bread.'), 'Bread!', false],
    ['is another without the mention', post('With ', mention('Mill', '1')), 'With', false],
    ['is known when both are empty', post(''), '', true],
    ['is another when one is empty', post(''), 'Bread', false],
    ['is known by its order', post('a', mention('x', '1'), ' b ', mention('y', '2'), 'c'), 'a1 b 2 b 3c', true],
    ['is another in another order', post('a ', mention('x', '1'), ' b ', mention('y', '2')), 'a 1 c 2', false],
    ['is another when a name is missing', post('a', mention('x', '1'), 'b', mention('y', '2'), 'a'), 'a1ba', false],
    ['is another when the first name is missing', post('a', mention('x', '1'), 'b', mention('y', '2')), 'ab 2', false],
    ['is another with a name that no Page has', post('With ', mention('x', '1')), `With ${'x'.repeat(201)}`, false],
    ['is not known twice by the same words', post('ab', mention('x', '1'), 'ab'), 'ab', false],
    ['is known with an emoji', post('Bread 👩‍🍳 #a-b/c'), 'Bread 👩‍🍳 #a-b/c', true],
  ])('%s', (_, given, shown, known) => {
    expect(isMessageOf(given, shown)).toBe(known)
  })
})

test('a text of many mentions is compared at once', () => {
  const names = Array.from({ length: 60 }, (_, n) => mention(`Page ${n}`, `${100 + n}`))
  const many = post(...names.flatMap((name) => [name, ' ']))
  const started = performance.now()
  expect(isMessageOf(many, Array.from({ length: 59 }, (_, n) => `word${n}`).join(' '))).toBe(false)
  expect(isMessageOf(many, Array.from({ length: 60 }, (_, n) => `Name ${n}`).join(' '))).toBe(true)
  expect(performance.now() - started).toBeLessThan(1_000)
})

test.each([
  [post(mention('Mill', '1')), true],
  [post(mention('Mill', '1'), ' + ', mention('Oven', '2'), ' 🍞'), true],
  [post('With ', mention('Mill', '1')), false],
  [post(mention('Mill', 'mill')), false],
  [post(''), false],
])('%j is nothing but mentions: %s', (given, only) => {
  expect(isOnlyMentions(given)).toBe(only)
})

test.each([
  ['Read https://bakery.example/bread?a=1.', 'https://bakery.example/bread?a=1'],
  ['https://www.facebook.com/mill and https://bakery.example', 'https://bakery.example'],
  ['Only https://fb.com/mill', null],
  ['No address', null],
])('the link of "%s" is %s', (caption, link) => {
  expect(linkOf({ caption, fields: {} })).toBe(link)
})
