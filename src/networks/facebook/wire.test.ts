import { expect, test } from 'vitest'
import { parseSuccess, parseVideo } from './wire.ts'

const published = { published: true }
const post = { post_id: '1_2' }
/** `video_status`, the status of the three phases, and `publish_status`; `-` is not reported. */
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
  ['upload_complete - in_progress not_started -', {}, 'uploaded working'],
  // What it is meant for, before it has arrived.
  ['uploading - - - -', published, ''],
  ['ready - error - -', published, 'taken working'],
  ['ready complete complete complete draft', {}, 'uploaded working draft'],
  ['error - error not_started published', {}, 'taken failure'],
  ['processing - - not_started error', {}, 'working failure'],
  ['expired - - - -', {}, 'failure'],
])('a video that is %s, with %j: %s', (text, more, read) => {
  const [state, ...phases] = text.split(' ').map((word) => (word === '-' ? undefined : word))
  const [uploading, processing, publishing, aim] = phases
  const [uploading_phase, processing_phase] = [{ status: uploading }, { status: processing }]
  const publishing_phase = { status: publishing, publish_status: aim }
  const status = { video_status: state, uploading_phase, processing_phase, publishing_phase }
  const known = ['uploaded', 'taken', 'working', 'live', 'draft', 'failure'] as const
  const video = parseVideo({ status, ...more })
  expect(known.filter((name) => video?.[name]).join(' ')).toBe(read)
})

test('a success that says otherwise is none', () => {
  expect(parseSuccess({ success: false, post_id: '5' })).toBeUndefined()
})
