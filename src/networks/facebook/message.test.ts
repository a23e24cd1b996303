import { expect, test } from 'vitest'
import type { PostToCheck } from '../network.ts'
import { isMessageOf, isOnlyMentions, linkOf, messageOf } from './message.ts'

const page = (text: string, id = '1') => ({ text, mention: { id, name: text } })
type Text = Pick<PostToCheck, 'caption' | 'fields'>
const post = (...richCaption: (string | ReturnType<typeof page>)[]): Text => ({
  caption: richCaption.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join(''),
  fields: { type: 'TEXT', richCaption },
})

test.each<[string, Text, string]>([
  ['is the caption', post('Bread\nand butter '), 'Bread\nand butter'],
  ['mentions a Page by its number', post('With ', page('The Mill', '123'), '!'), 'With @[123]!'],
  ['leaves other mentions as their text', post('With ', page('The Mill', 'mill'), '!'), 'With The Mill!'],
  ['is the caption without segments', { caption: 'Bread', fields: { richCaption: [] } }, 'Bread'],
  ['is the caption when segments differ', { ...post('Cake', page('x')), caption: 'Bread' }, 'Bread'],
])('the text that is sent %s', (_, given, text) => {
  expect(messageOf(given)).toBe(text)
})

test.each<[string, Text, string, boolean]>([
  ['is known', post('Bread (2.50) [new] a+b?'), 'Bread (2.50) [new] a+b?', true],
  ['is known with other white space', post(' Bread \n\n and  butter '), 'Bread\nand butter', true],
  ['is known when composed anew', post('Cafe\u0301'), 'Caf\u00e9', true],
  ['is known with the name of a Page', post('With ', page('Mill'), ', fresh'), 'With The Old Mill, fresh', true],
  ['is another with more words', post('Bread'), 'Bread and butter', false],
  ['is another with fewer words', post('Bread and butter'), 'Bread', false],
  ['is another without the mention', post('With ', page('Mill')), 'With', false],
  ['is known when both are empty', post(''), '', true],
  ['is another when one is empty', post(''), 'Bread', false],
  ['is known by its order', post('a', page('x'), ' b ', page('y'), 'c'), 'a1 b 2 b 3c', true],
  ['is another in another order', post('a ', page('x'), ' b ', page('y')), 'a 1 c 2', false],
  ['is another when a name is missing', post('a', page('x'), 'b', page('y'), 'a'), 'a1ba', false],
  ['is another when the first name is missing', post('a', page('x'), 'b', page('y')), 'ab 2', false],
  ['is another with a name that no Page has', post('With ', page('x')), `With ${'x'.repeat(201)}`, false],
  ['is not known twice by the same words', post('ab', page('x'), 'ab'), 'ab', false],
])('a text in a listing %s', (_, given, shown, known) => {
  expect(isMessageOf(given, shown)).toBe(known)
})

test('a text of many mentions is compared at once', () => {
  const many = post(...Array.from({ length: 60 }, (_, n) => [page(`Page ${n}`), ' ']).flat())
  const started = performance.now()
  expect(isMessageOf(many, Array.from({ length: 59 }, (_, n) => `word${n}`).join(' '))).toBe(false)
  expect(isMessageOf(many, Array.from({ length: 60 }, (_, n) => `Name ${n}`).join(' '))).toBe(true)
  expect(performance.now() - started).toBeLessThan(1_000)
})

test.each([
  [post(page('Mill'), ' + ', page('Oven', '2'), ' 🍞'), true],
  [post('With ', page('Mill')), false],
  [post(page('Mill', 'mill')), false],
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
  expect(linkOf({ caption })).toBe(link)
})
