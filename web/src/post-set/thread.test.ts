import { expect, test } from 'vitest'
import {
  areNumbered,
  atMost,
  joined,
  newPart,
  splitLong,
  splitParts,
  splitText,
  splitToFit,
  withNumbers,
  withoutNumbers,
  withText,
} from './thread.ts'

test('three line breaks end a part, two are a paragraph', () => {
  expect(splitText('One\n\nstill one\n\n\nTwo\n \n\t\nThree')).toEqual(['One\n\nstill one', 'Two', 'Three'])
  expect(splitText('One\n\n\n')).toEqual(['One', ''])
  expect(splitText('')).toEqual([''])
})

test('what is pasted with breaks becomes parts behind the one that it was pasted in', () => {
  const parts = [newPart('Two'), newPart('Five')]
  const { parts: after, added } = withText(parts, 0, 'Two\n\n\nThree\n\n\nFour')
  expect(after.map(({ caption }) => caption)).toEqual(['Two', 'Three', 'Four', 'Five'])
  expect(added).toBe(after[2])
  expect(after[0]?.uid).toBe(parts[0]?.uid)
  const first = withText(parts, null, 'One\n\n\n')
  expect([first.own, first.parts.map(({ caption }) => caption)]).toEqual(['One', ['', 'Two', 'Five']])
})

test('a long text is cut behind sentences, and nothing of it is lost', () => {
  const text = 'We bake. Every day at four the oven is hot. Then come the rolls, and then the bread.'
  const parts = splitLong(text, 45)
  expect(parts).toEqual(['We bake. Every day at four the oven is hot.', 'Then come the rolls, and then the bread.'])
  const word = 'a'.repeat(100)
  expect(splitLong(word, 45).join('')).toBe(word)
  expect(splitLong('Short.', 45)).toEqual(['Short.'])
})

test('numbers are put behind the parts and taken off again, and a long text leaves room for them', () => {
  const text = 'We bake. Every day at four the oven is hot. Then come the rolls, and then the bread.'
  const parts = splitToFit(text, 52)
  expect(parts).toHaveLength(2)
  const numbered = withNumbers(parts)
  expect(numbered).toEqual([
    'We bake. Every day at four the oven is hot. (1/2)',
    'Then come the rolls, and then the bread. (2/2)',
  ])
  expect(numbered.every((part) => part.length <= 52)).toBe(true)
  expect([areNumbered(parts), areNumbered(numbered), areNumbered([])]).toEqual([false, true, false])
  expect(withoutNumbers(numbered)).toEqual(parts)
  // Of more or fewer parts they are others; a part of pictures alone has none.
  expect(withNumbers([...numbered, '', 'Last'])).toEqual([`${parts[0]} (1/4)`, `${parts[1]} (2/4)`, '', 'Last (4/4)'])
  expect(splitToFit('x'.repeat(52), 52)).toHaveLength(1)
})

test('parts that are too long are split, and files stay with the beginning', () => {
  const two = { ...newPart('Two is long. It goes on.'), media: [] }
  const split = splitParts('One', [two, newPart('Three')], [20, 20, 20], 5)
  expect([split.caption, ...split.parts.map(({ caption }) => caption)]).toEqual([
    'One',
    'Two is long.',
    'It goes on.',
    'Three',
  ])
  expect(split.parts[0]?.uid).toBe(two.uid)
  expect(splitParts('One', [two], [20, 20], 1).parts).toEqual([two])
})

test('what has no part of its own stays in the last one', () => {
  expect(atMost(['One', 'Two', 'Three'], 2)).toEqual(['One', 'Two\n\nThree'])
  expect(atMost(['One', 'Two'], 2)).toEqual(['One', 'Two'])
})

test('two parts as one are two paragraphs', () => {
  expect(joined('One ', ' Two')).toBe('One\n\nTwo')
  expect(joined('', 'Two')).toBe('Two')
})
