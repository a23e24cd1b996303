import { expect, test } from 'vitest'
import { decoderWords, examineDecoders } from './examine-decoders.ts'

test.each([
  [
    'an ordinary user',
    1_000,
    { uid: 1_000, loads: true },
    'ok',
    'by the user that runs Almanac: a broken decoder could',
  ],
  ['no ids of users', null, { uid: null, loads: true }, 'ok', 'by the user that runs Almanac: a broken decoder could'],
  ['root', 0, { uid: 65_533, loads: true }, 'ok', 'by a separate user (65533), who cannot read the secret key.'],
  [
    'root in a folder of its own',
    0,
    { uid: 65_533, loads: false },
    'warning',
    'videos, calendars and pages are read as root',
  ],
  [
    'root that may not change',
    0,
    { uid: 0, loads: true },
    'warning',
    'as root, because their processes could not switch to another user',
  ],
] as const)('doctor says who reads the files of others: %s', (_, own, reader, status, words) => {
  expect(decoderWords(own, reader)).toEqual({ status, message: expect.stringContaining(words) })
})

test('doctor says that nothing can be read where the process cannot start', async () => {
  const broken = () => Promise.reject(new Error('spawn EAGAIN.'))
  expect(await examineDecoders(broken)).toEqual({
    status: 'problem',
    message: expect.stringContaining('does not answer: spawn EAGAIN. Pictures, videos'),
  })
})
