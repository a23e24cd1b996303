import { afterAll } from 'vitest'
import { describeNetwork, simulatorBackend } from '../conformance/index.ts'
import { SCOPES } from './connect.ts'
import { errors, network } from './index.ts'
import { makeLongFile } from './testing-files.ts'

const long = await makeLongFile()
afterAll(long.remove)

const sample = (title: string, file: string) => ({
  title,
  accountType: 'YOUTUBE' as const,
  caption: `How we bake (${title})`,
  fields: { title: 'Bread', privacy: 'PUBLIC' },
  media: [{ file }],
})
const broken = (title: string, caption: string, fields: object) => ({
  title,
  post: { accountType: 'YOUTUBE' as const, caption, fields: { ...fields }, media: [] },
})

// The thumbnail is no text that the pages of the pretend network show, so its step has tests of its own.
const { followUp: _, ...connector } = network.connector

describeNetwork('youtube', {
  network: { ...network, connector },
  errors,
  start: (context) => simulatorBackend(network, 'YOUTUBE', context),
  samples: [
    sample('in one piece', 'video-h264-aac.mp4'),
    sample('in several pieces', long.file),
    { ...sample('private', 'video-short.mp4'), fields: { title: 'Bread', privacy: 'PRIVATE' } },
  ],
  signIns: [
    {
      accountType: 'YOUTUBE',
      base: 'api/youtube/v3',
      page: '/accounts/o/oauth2/v2/auth',
      asks: {
        client_id: 'sandbox-client',
        response_type: 'code',
        scope: SCOPES.join(' '),
        access_type: 'offline',
        prompt: 'consent',
      },
      token: 'POST /token/token',
      reads: 'GET channels',
      query: '?part=id&mine=true',
      readsNeeds: 'https://www.googleapis.com/auth/youtube.readonly',
      scopes: {
        'https://www.googleapis.com/auth/youtube.upload': 'uploading videos',
        'https://www.googleapis.com/auth/youtube.readonly': 'seeing the channel',
      },
      codeMs: 10 * 60_000,
      accessMs: 3_599_000,
      refresh: { rotates: false, lastsMs: null, needed: true },
      renewals: [
        [400, { error: 'invalid_grant' }, 'dead'],
        [400, { error: 'unauthorized_client' }, 'failed'],
      ],
    },
  ],
  broken: [
    {
      ...broken('no title', '', { title: ' ', privacy: 'PUBLIC' }),
      codes: ['post:field_required', 'post:media_required'],
    },
    {
      ...broken('a long description', 'ü'.repeat(2501), { title: 'Bread', privacy: 'PUBLIC' }),
      codes: ['post:caption_too_long', 'post:media_required'],
    },
    {
      ...broken('brackets', '<b>', { title: 'x'.repeat(101), privacy: 'PUBLIC' }),
      codes: ['post:field_too_long', 'post:field_invalid', 'post:media_required'],
    },
  ],
})
