import { describe, expect, test } from 'vitest'
import { parseListedPost, parseOffsets, parsePost, parseStarted, parseStory, parseSuccess, parseVideo } from './wire.ts'

const phases = (uploading: string, processing: string, publishing: object) => ({
  uploading_phase: { status: uploading, bytes_transfered: 50 },
  processing_phase: { status: processing },
  publishing_phase: publishing,
})

describe('the status of a video', () => {
  test.each<[string, object, object]>([
    [
      'that is being uploaded',
      { status: { video_status: 'uploading', ...phases('in_progress', 'not_started', { status: 'not_started' }) } },
      { uploaded: false, offset: 50, taken: false, live: false, failure: null },
    ],
    [
      'that has arrived',
      { status: { video_status: 'upload_complete', ...phases('complete', 'not_started', { status: 'not_started' }) } },
      { uploaded: true, taken: false, live: false },
    ],
    [
      'that is finished and worked on',
      {
        status: {
          video_status: 'processing',
          ...phases('completed', 'in_progress', { status: 'not_started', publish_status: 'published' }),
        },
      },
      { uploaded: true, taken: true, live: false },
    ],
    [
      'that is live',
      {
        permalink_url: '/reel/1/',
        status: {
          video_status: 'ready',
          ...phases('complete', 'complete', { status: 'complete', publish_status: 'published' }),
        },
      },
      { taken: true, live: true, permalink: '/reel/1/' },
    ],
    [
      'that is live, told in another way',
      { published: true, status: { video_status: 'ready', publishing_phase: { publish_status: 'published' } } },
      { live: true, offset: null },
    ],
    [
      'that is live, told by its post alone',
      { published: true, post_id: '1_2', status: { video_status: 'ready' } },
      { taken: true, live: true },
    ],
    [
      'that has a post and is worked on',
      { post_id: '1_2', status: { video_status: 'processing', publishing_phase: { status: 'not_started' } } },
      { taken: true, working: true, live: false },
    ],
    [
      'that is ready and not published',
      { published: true, status: { video_status: 'ready', publishing_phase: { status: 'not_started' } } },
      { taken: true, live: false },
    ],
    [
      'that is worked on, and nothing else is told',
      { status: { video_status: 'processing', publishing_phase: { status: 'not_started' } } },
      { taken: false, working: true, live: false },
    ],
    [
      'that is meant to be published and has not arrived',
      { published: true, status: { video_status: 'uploading' } },
      { taken: false, working: false, live: false },
    ],
    [
      'that is published with a fault',
      { published: true, status: { video_status: 'ready', processing_phase: { status: 'error' } } },
      { taken: true, live: false, failure: null },
    ],
    [
      'that is a draft',
      {
        status: {
          video_status: 'ready',
          ...phases('complete', 'complete', { status: 'complete', publish_status: 'draft' }),
        },
      },
      { taken: false, live: false, draft: true },
    ],
    [
      'that failed in a phase',
      {
        status: {
          video_status: 'error',
          processing_phase: { status: 'error', errors: [{ code: 1363128, message: 'Too short' }] },
          publishing_phase: { status: 'not_started', publish_status: 'published' },
        },
      },
      { live: false, failure: { code: 1363128, message: 'Too short' } },
    ],
    [
      'that failed, with words alone',
      { status: { video_status: 'processing', processing_phase: { status: 'error', error: { message: 'No.' } } } },
      { failure: { code: null, message: 'No.' } },
    ],
    [
      'that has expired',
      { status: { video_status: 'expired' } },
      { failure: { code: null, message: expect.any(String) } },
    ],
  ])('%s', (_, body, read) => {
    expect(parseVideo(body)).toMatchObject(read)
  })

  test.each([{}, { status: {} }, { status: 'ready' }, null, 'x'])('is not read from %j', (body) => {
    expect(parseVideo(body)).toBeUndefined()
  })
})

test('what else is answered is read, or is none', () => {
  expect(parsePost({ id: '1_2', permalink_url: 'https://x.example/1' })).toEqual({
    id: '1_2',
    permalink: 'https://x.example/1',
  })
  expect(parsePost({ id: '../me' })).toBeUndefined()
  expect(parseStarted({ video_id: '7', upload_url: 'https://x.example' })).toEqual({
    videoId: '7',
    session: null,
    offset: 0,
    end: 0,
  })
  expect(parseStarted({ video_id: '7', upload_session_id: '8', start_offset: '0', end_offset: '9' })).toEqual({
    videoId: '7',
    session: '8',
    offset: 0,
    end: 9,
  })
  expect(parseStarted({ success: true })).toBeUndefined()
  expect(parseOffsets({ start_offset: '9', end_offset: '3' })).toBeUndefined()
  expect(parseSuccess({ success: true, post_id: '5' })).toMatchObject({ postId: '5' })
  expect(parseSuccess({ success: true })).toMatchObject({ postId: null })
  expect(parseSuccess({ success: false, post_id: '5' })).toBeUndefined()
  expect(parseStory({ post_id: '1', media_id: '2', url: 'https://x.example' })).toEqual({
    postId: '1',
    mediaId: '2',
    url: 'https://x.example',
  })
  expect(parseStory({ post_id: '1' })).toBeUndefined()
})

test('a listed post tells all that is attached to it', () => {
  const attachments = {
    data: [
      { type: 'album', target: { id: '9' }, subattachments: { data: [{ target: { id: '1' } }, { target: {} }, 7] } },
    ],
  }
  expect(parseListedPost({ id: '1_2', created_time: '2026-11-21T10:00:00+0000', attachments })).toEqual({
    id: '1_2',
    message: '',
    at: new Date('2026-11-21T10:00:00Z'),
    permalink: null,
    attached: ['9', '1'],
    attachment: 'album',
  })
  expect(parseListedPost({ message: 'Bread' })).toBeUndefined()
})
