import { afterAll } from 'vitest'
import { type BrokenPost, describeNetwork, simulatorBackend } from '../conformance/index.ts'
import { checked } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { COMMENT, READ, SCOPES, UPLOAD } from './connect.ts'
import { errors, network } from './index.ts'
import { longFile, sample } from './testing.ts'

const long = await longFile()
afterAll(long.remove)

const accountType = 'YOUTUBE'
const titled = (title: string, file: string, fields = {}) =>
  sample({ title, caption: `How we bake (${title})`, fields, media: [{ file }] })
const post = (title: string, caption: string, ...media: CheckedMedia[]): BrokenPost['post'] => ({
  accountType,
  caption,
  fields: { title, privacy: 'PUBLIC' },
  media,
})

describeNetwork('youtube', {
  network,
  errors,
  optOut: { hiddenComments: true },
  start: (context) => simulatorBackend(network, accountType, context),
  followUp: (firstComment) => sample({ fields: { options: { firstComment } } }),
  samples: [
    titled('in one piece', 'video-h264-aac.mp4'),
    titled('in several pieces', long.file),
    titled('private', 'video-short.mp4', { privacy: 'PRIVATE' }),
  ],
  signIns: [
    {
      accountType,
      base: 'api/youtube/v3',
      page: '/accounts/o/oauth2/v2/auth',
      asks: {
        client_id: 'sandbox-client',
        response_type: 'code',
        scope: [...SCOPES, COMMENT].join(' '),
        access_type: 'offline',
        prompt: 'consent',
      },
      token: 'POST /token/token',
      reads: 'GET channels',
      query: '?part=id&mine=true',
      readsNeeds: READ,
      scopes: { [UPLOAD]: 'uploading videos', [READ]: 'seeing the channel' },
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
      title: 'no title, and a long description',
      post: post(' ', `<${' #tag'.repeat(61)}${'ü'.repeat(2500)}`),
      codes: [
        'post:field_required',
        'post:caption_too_long',
        'post:field_invalid',
        'post:hashtags_count?',
        'post:media_required',
      ],
    },
    {
      title: 'a long title',
      post: post('x'.repeat(101), '', checked({ type: 'VIDEO', durationMs: 1_000_000 }), checked({ width: 600 })),
      codes: ['post:field_too_long', 'post:media_duration?', 'post:media_dimensions?'],
    },
  ],
})
