import { expect, test } from 'vitest'
import { wholePosts } from './whole-posts.ts'

const part = (caption: string) => ({ id: caption, caption, media: [] })
const thread = [part('The dough rests.'), part(''), part('Baked.')]

test('a set says the parts of its posts and their first comment', () => {
  expect(wholePosts([{ accountType: 'THREADS', caption: ' Rye ', thread, options: { firstComment: 'More' } }])).toBe(
    'Rye\n\nThe dough rests.\n\nBaked.\n\nFirst comment: More',
  )
  // Instagram has a field of its own for it.
  const instagram = { accountType: 'INSTAGRAM', caption: 'Rye', firstComment: '#rye' } as const
  expect(wholePosts([instagram])).toBe('Rye\n\nFirst comment: #rye')
  expect(wholePosts([])).toBe('')
})

test('posts that say the same are one, others stand below the names of their networks', () => {
  const [x, facebook] = [
    { accountType: 'TWITTER', caption: 'Rye' },
    { accountType: 'FACEBOOK', caption: 'Rye' },
  ] as const
  expect(wholePosts([x, facebook])).toBe('Rye')
  expect(wholePosts([x, { accountType: 'BLUESKY', caption: 'Rye', thread }, facebook])).toBe(
    'X and Facebook:\nRye\n\nBluesky:\nRye\n\nThe dough rests.\n\nBaked.',
  )
})
