import { afterAll } from 'vitest'
import { type BrokenPost, describeNetwork, simulatorBackend } from '../conformance/index.ts'
import { checked } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { SCOPES } from './connect.ts'
import { errors, network } from './index.ts'
import { makeLongFile } from './testing.ts'

const long = await makeLongFile()
afterAll(long.remove)

const sample = (title: string, file: string) => ({
  title,
  accountType: 'YOUTUBE' as const,
  caption: `How we bake (${title})`,
  fields: { title: 'Bread', privacy: 'PUBLIC' },
  media: [{ file }],
})
const broken = (
  title: string,
  fields: object,
  caption: string,
  codes: BrokenPost['codes'],
  media: CheckedMedia[] = [],
) => ({
  title,
  post: { accountType: 'YOUTUBE' as const, caption, fields: { privacy: 'PUBLIC', ...fields }, media },
  codes,
})

// The thumbnail is no text that the pages of the simulator show, so its step has tests of its own.
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
    broken('no title', { title: ' ' }, '', ['post:field_required', 'post:media_required']),
    broken('a long description', { title: 'Bread' }, 'ü'.repeat(2501), [
      'post:caption_too_long',
      'post:media_required',
    ]),
    broken(
      'brackets and tags',
      { title: 'x'.repeat(101) },
      `<b>${' #tag'.repeat(61)}`,
      [
        'post:field_too_long',
        'post:field_invalid',
        'post:hashtags_count?',
        'post:media_count',
        'post:media_duration?',
        'post:media_size',
        'post:media_duration',
        'post:media_dimensions?',
      ],
      [
        checked({ type: 'VIDEO', durationMs: 1_000_000 }),
        checked({ type: 'VIDEO', bytes: 1e12, durationMs: 1e9 }),
        checked({ width: 600 }),
      ],
    ),
  ],
})
