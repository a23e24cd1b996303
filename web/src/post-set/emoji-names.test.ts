import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findEmojis, readEmojiNames } from './emoji-names.ts'
import { EMOJI_KINDS, emojisOf } from './emojis.ts'

const named = (language: string) =>
  readEmojiNames(readFileSync(new URL(`./emoji-words/${language}.txt`, import.meta.url), 'utf8'))
const found = (language: string, text: string) => findEmojis(named(language), text).map(({ emoji }) => emoji)

test.each([
  ['en', 'bread', '🍞'],
  ['en', 'red heart', '❤️'],
  ['en', 'Croiss', '🥐'],
  ['de', 'Brot', '🍞'],
  ['de', 'kuchen', '🎂'],
  ['de', 'brötchen', '🥯'],
])('in %s, “%s” finds %s', (language, text, emoji) => {
  expect(found(language, text).slice(0, 8)).toContain(emoji)
})

test('what no emoji is called finds none, and neither does nothing', () => {
  expect([found('en', 'qwertz'), found('en', '  '), found('en', 'bread qwertz')]).toEqual([[], [], []])
})

test('a name is better than another word', () => {
  const [first] = findEmojis(readEmojiNames('🧁\tcupcake\tcake, sweet\n🎂\tbirthday cake\tsweet\n'), 'cake')
  expect(first?.emoji).toBe('🎂')
})

test.each(['en', 'de'])('nearly all emojis of the picker have a name: %s', (language) => {
  const all = new Set(EMOJI_KINDS.flatMap(emojisOf))
  const names = new Set(named(language).map(({ emoji }) => emoji))
  expect([...all].filter((emoji) => !names.has(emoji)).length).toBeLessThan(20)
  expect([...names].filter((emoji) => !all.has(emoji))).toEqual([])
})
