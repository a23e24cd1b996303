import { expect, test } from 'vitest'
import { sayOfNow, type Written } from './checked.ts'

const post = (accountType: Written['accountType'], caption = 'Fresh bread'): Written => ({ accountType, caption })
const [x, tiktok, youtube] = [post('TWITTER'), post('TIKTOK'), post('YOUTUBE')]
const problem = (path: string) => ({ path, code: 'post:media_required', message: path })
const tooLong = { path: 'posts[0].caption', code: 'post:caption_too_long', limit: 8, actual: 11 }

test('what was said of a post follows it, and goes with it', () => {
  const said = [problem('posts[0].media'), problem('posts[1].media[2]'), problem('posts[2]'), problem('scheduledAt')]
  expect(sayOfNow(said, [x, tiktok, youtube], [x, tiktok, youtube])).toEqual(said)
  expect(sayOfNow(said, [x, tiktok, youtube], [tiktok, youtube]).map(({ path, message }) => [path, message])).toEqual([
    ['posts[0].media[2]', 'posts[1].media[2]'],
    ['posts[1]', 'posts[2]'],
    ['scheduledAt', 'scheduledAt'],
  ])
  expect(sayOfNow(said, [x, tiktok, youtube], [youtube, x]).map(({ path }) => path)).toEqual([
    'posts[1].media',
    'posts[0]',
    'scheduledAt',
  ])
})

test('of two posts of one account type each keeps its own', () => {
  const said = [problem('posts[1].media'), problem('posts[2].media')]
  expect(sayOfNow(said, [tiktok, x, x], [x, x]).map(({ path }) => path)).toEqual(['posts[0].media', 'posts[1].media'])
})

test('a caption that as much was cut off as was too long is not called too long again', () => {
  const now = (caption: string) => sayOfNow([tooLong], [x], [post('TWITTER', caption)])
  expect(now('Fresh br')).toEqual([])
  expect(now('Fresh bre')).toEqual([tooLong])
  expect(now('Fresh bread')).toEqual([tooLong])
})

test('of how long a caption is, no count is left out', () => {
  const count = { path: 'posts[0].caption', limit: 8, actual: 11 }
  expect(sayOfNow([count], [x], [post('TWITTER', '')])).toEqual([count])
})
