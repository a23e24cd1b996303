import { expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { textTooLong } from './text-length.ts'

const posts = (...captions: string[]) => captions.map((caption) => ({ accountType: 'BLUESKY' as const, caption }))

test('a text is too long from the first character that the server does not take', () => {
  const most = '👍'.repeat(LIMITS.captionCodePoints)
  expect(textTooLong(posts(most))).toBeNull()
  expect(textTooLong(posts(`${most}x`))).toMatchObject({
    path: '',
    message: 'The text is too long: at most 65,000 characters.',
  })
  expect(textTooLong(posts('short', `${most}x`))).toMatchObject({ accountType: 'BLUESKY', path: 'posts[1].caption' })
})

test('texts of all accounts count together', () => {
  const half = 'x'.repeat(LIMITS.captionsOfSetCodePoints / 2)
  expect(textTooLong(posts(half, half))).toBeNull()
  expect(textTooLong(posts(half, `${half}x`))).toMatchObject({
    path: '',
    message: 'The texts of all accounts are too long: at most 100,000 characters together.',
  })
})
