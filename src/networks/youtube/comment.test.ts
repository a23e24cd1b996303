import { expect, test } from 'vitest'
import { stageFor } from '../conformance/stages.ts'
import { checked, lost, page, reported } from '../kit/testing.ts'
import { network } from './index.ts'
import { apiError, openStage, sample } from './testing.ts'

const stage = stageFor('each', openStage)
const COMMENT = 'POST commentThreads'
const text = 'More at https://example.com'
const commented = (privacy = 'PUBLIC') => sample({ fields: { privacy, options: { firstComment: text } } })

test.each(['PUBLIC', 'UNLISTED'])('a video that is %s has a comment of the channel', async (privacy) => {
  const { post, followUp } = await stage.deliver(commented(privacy))
  expect(followUp).toMatchObject({ kind: 'made' })
  const videoId = post.kind === 'made' ? post.providerId : null
  const snippet = { videoId, topLevelComment: { snippet: { textOriginal: text } } }
  expect(stage.calls(COMMENT).map(({ json }) => json)).toEqual([{ snippet }])
  expect(await stage.posts()).toMatchObject([{ comments: [text] }])
})

test('an image and a comment both follow, and neither needs the other', async () => {
  const both = { ...commented(), media: [{ file: 'video-short.mp4' }, { file: 'photo.jpg' }] }
  const refused = stage.on('POST /thumbnails/set', apiError(403, 'forbidden'), { times: 99 })
  const { result } = await stage.deliver(both, refused)
  expect(result.warnings).toMatchObject([{ message: expect.stringContaining('thumbnail') }])
  expect(await stage.posts()).toMatchObject([{ comments: [text] }])
})

test.each([
  ['commentsDisabled', 'switched off'],
  ['insufficientPermissions', 'ALMANAC_YOUTUBE_COMMENTS=on'],
  ['forbidden', 'does not let'],
])('%s is a warning, and the connection stays', async (reason, words) => {
  const { result, log } = await stage.deliver(commented(), stage.on(COMMENT, apiError(403, reason), { times: 99 }))
  expect(result).toMatchObject({ status: 'POSTED', warnings: [{ message: expect.stringContaining(words) }] })
  expect(log.map(({ outcome }) => outcome.kind)).not.toContain('reconnect')
})

test('one whose answer is lost and that is not listed is never sent again', async () => {
  const { result } = await stage.deliver(commented(), stage.on(COMMENT, page(500), { times: 99 }))
  expect(result.warnings?.[0]?.message).toContain('may be there')
  expect(stage.calls(COMMENT)).toHaveLength(0)
  const found = await stage.deliver(commented(), stage.on(COMMENT, lost, { reached: true }))
  expect(found.followUp).toMatchObject({ kind: 'made' })
  expect(stage.calls(COMMENT)).toHaveLength(1)
})

test('one whose answer is lost is found behind forty of others', async () => {
  // What viewers write before it: another order would list it behind them, on a page that is not asked for.
  const crowded = stage.on(COMMENT, async ({ request, send }) => {
    const { videoId } = (request.json as { snippet: { videoId: string } }).snippet
    for (let nth = 1; nth <= 41; nth++) {
      const topLevelComment = { snippet: { textOriginal: `Comment ${nth}` } }
      await stage.api(`${COMMENT}?part=snippet`, { snippet: { videoId, topLevelComment } })
    }
    await send()
    return lost
  })
  const { followUp } = await stage.deliver(commented(), crowded)
  expect(followUp).toMatchObject({ kind: 'made' })
  expect(stage.calls(COMMENT)).toHaveLength(42)
})

test('rules know its length, and videos that take none', () => {
  const check = (privacy: string, firstComment: string, defaults = {}) => {
    const fields = { title: 'Bread', privacy, options: { firstComment } }
    const media = [checked({ type: 'VIDEO' })]
    return reported(network.checkPost({ accountType: 'YOUTUBE', caption: '', fields, media }, defaults))
  }
  expect(check('UNLISTED', 'x'.repeat(10_000))).toEqual([])
  expect(check('PUBLIC', 'x'.repeat(10_001))).toEqual(['options.firstComment field_too_long'])
  expect(check('PRIVATE', 'x')).toEqual(['options.firstComment field_invalid'])
  expect(check('PUBLIC', 'x', { madeForKids: true })).toEqual(['options.firstComment field_invalid'])
})
