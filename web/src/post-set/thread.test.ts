import { expect, test } from 'vitest'
import { atMost, joined, newPart, splitLong, splitText, withText } from './thread.ts'

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

test('what has no part of its own stays in the last one', () => {
  expect(atMost(['One', 'Two', 'Three'], 2)).toEqual(['One', 'Two\n\nThree'])
  expect(atMost(['One', 'Two'], 2)).toEqual(['One', 'Two'])
})

test('two parts as one are two paragraphs', () => {
  expect(joined('One ', ' Two')).toBe('One\n\nTwo')
  expect(joined('', 'Two')).toBe('Two')
})
