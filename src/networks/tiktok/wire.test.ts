import { expect, test } from 'vitest'
import { parseCreator, parseList, parseStatus, parseUpload } from './wire.ts'

const status = (text: string) => {
  const json = JSON.parse(text)
  return parseStatus(json, { kind: 'answer', status: 200, headers: {}, text, json })
}

test.each([
  ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[7321098765432109877]}', '7321098765432109877'],
  ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id" : [ 7321098765432109877, 2 ]}', '7321098765432109877'],
  ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":["7321098765432109877"]}', '7321098765432109877'],
  ['{"status":"PUBLISH_COMPLETE","publicly_available_post_id":[73]}', '73'],
  ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[]}', null],
  ['{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":null}', null],
  ['{"status":"PUBLISH_COMPLETE"}', null],
])('the id of %s is read digit by digit', (text, postId) => {
  expect(status(text)).toMatchObject({ status: 'PUBLISH_COMPLETE', postId })
})

test('a status says how much is there, or nothing', () => {
  expect(status('{"status":"PROCESSING_UPLOAD","uploaded_bytes":10000}')).toMatchObject({ uploadedBytes: 10000 })
  expect(status('{"status":"PROCESSING_UPLOAD"}')).toMatchObject({ uploadedBytes: null })
  expect(status('{"uploaded_bytes":1}')).toBeUndefined()
})

test('an upload needs its id and an address', () => {
  const url = 'https://open-upload.tiktokapis.com/video/?upload_id=1'
  expect(parseUpload({ publish_id: 'v_1', upload_url: url })).toEqual({ publishId: 'v_1', url })
  expect(parseUpload({ publish_id: 'v_1' })).toBeUndefined()
  expect(parseUpload({ upload_url: url })).toBeUndefined()
  expect(parseUpload({ publish_id: 'v_1', upload_url: 'file:///etc' })).toBeUndefined()
})

test('what is said of an account may lack anything but its audiences', () => {
  expect(parseCreator({ privacy_level_options: ['SELF_ONLY', 7] })).toEqual({
    username: null,
    nickname: null,
    privacyLevels: ['SELF_ONLY'],
    commentDisabled: false,
    duetDisabled: false,
    stitchDisabled: false,
    maxVideoSeconds: null,
  })
  expect(parseCreator({})).toBeUndefined()
})

test('entries of a listing that cannot be read are left out', () => {
  const entry = {
    id: '71',
    title: 'Bread',
    create_time: 1_795_000_000,
    share_url: 'https://www.tiktok.com/@a/photo/71',
  }
  const videos = [entry, { ...entry, id: 'x' }, { ...entry, create_time: null }, null]
  expect(parseList({ videos })).toEqual({
    entries: [{ id: '71', texts: ['Bread'], at: new Date(1_795_000_000_000), url: entry.share_url }],
    whole: true,
  })
  expect(parseList({})).toBeUndefined()
})
