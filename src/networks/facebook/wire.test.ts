import { expect, test } from 'vitest'
import { parseOffsets, parseStarted, parseSuccess, parseVideo } from './wire.ts'

/** `video_status`, the status of the three phases, and `publish_status`; `-` is not told. */
function videoOf(text: string, more: object = {}) {
  const [state, uploading, processing, publishing, aim] = text
    .split(' ')
    .map((word) => (word === '-' ? undefined : word))
  const status = {
    video_status: state,
    uploading_phase: { status: uploading },
    processing_phase: { status: processing },
    publishing_phase: { status: publishing, publish_status: aim },
  }
  return parseVideo({ status, ...more })
}

const post = { post_id: '1_2' }
const published = { published: true }
test.each<[video: string, more: object, read: string]>([
  ['uploading in_progress not_started not_started -', {}, ''],
  ['upload_complete complete not_started not_started -', {}, 'uploaded'],
  ['processing completed in_progress not_started published', {}, 'uploaded taken working'],
  ['uploading - - in_progress -', {}, 'taken'],
  ['ready complete complete complete published', {}, 'uploaded taken working live'],
  ['ready - - - published', published, 'taken working live'],
  ['ready - - - -', { ...published, ...post }, 'taken working live'],
  ['ready - - not_started -', published, 'taken working'],
  ['processing - - not_started -', post, 'taken working'],
  ['processing - - not_started -', {}, 'working'],
  // What it is meant for, before it has arrived.
  ['uploading - - - -', published, ''],
  ['ready - error - -', published, 'taken working'],
  ['ready complete complete complete draft', {}, 'uploaded working draft'],
  ['error - error not_started published', {}, 'taken failure'],
  ['processing - - not_started error', {}, 'working failure'],
  ['expired - - - -', {}, 'failure'],
])('a video that is %s, with %j: %s', (text, more, read) => {
  const known = ['uploaded', 'taken', 'working', 'live', 'draft', 'failure'] as const
  const video = videoOf(text, more)
  expect(known.filter((name) => video?.[name]).join(' ')).toBe(read)
})

test.each([
  [{ errors: [{ code: 1363128, message: 'Short' }] }, { code: 1363128, message: 'Short' }],
  [{ error: { message: 'No.' } }, { code: null, message: 'No.' }],
])('a failure is read from %j', (told, failure) => {
  const status = { video_status: 'processing', processing_phase: { status: 'error', ...told } }
  expect(parseVideo({ status })?.failure).toEqual(failure)
})

test('what else is answered is read, or is none', () => {
  expect(parseVideo({ status: {} })).toBeUndefined()
  const offsets = { start_offset: '0', end_offset: '9' }
  expect(parseStarted({ video_id: '7', upload_session_id: '8', ...offsets })).toMatchObject({ session: '8', end: 9 })
  expect(parseStarted({ video_id: '7' })).toEqual({ videoId: '7', session: null, offset: 0, end: 0 })
  expect(parseOffsets({ start_offset: '9', end_offset: '3' })).toBeUndefined()
  expect(parseSuccess({ success: false, post_id: '5' })).toBeUndefined()
})
