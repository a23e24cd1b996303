import { afterAll } from 'vitest'
import type { MediaFacts } from '#contract'
import { type BrokenPost, describeNetwork, simulatorBackend } from '../conformance/index.ts'
import { checked } from '../kit/testing.ts'
import { SCOPES } from './connect.ts'
import { errors, network } from './index.ts'
import { longFile, sample } from './testing.ts'

const long = await longFile()
afterAll(long.remove)

const accountType = 'YOUTUBE'
const titled = (title: string, file: string, fields = {}) =>
  sample({ title, caption: `How we bake (${title})`, fields, media: [{ file }] })

type Codes = BrokenPost['codes']
type Files = Partial<MediaFacts>[]
const broken = (title: string, given: string, caption: string, codes: Codes, files: Files = []): BrokenPost => {
  const media = files.map((facts) => checked(facts))
  return { title, post: { accountType, caption, fields: { title: given, privacy: 'PUBLIC' }, media }, codes }
}

// The thumbnail is no text that the pages of the simulator show, so its step has tests of its own.
const { followUp: _, ...connector } = network.connector

describeNetwork('youtube', {
  network: { ...network, connector },
  errors,
  start: (context) => simulatorBackend(network, accountType, context),
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
    broken('no title, and a long description', ' ', `<${' #tag'.repeat(61)}${'ü'.repeat(2500)}`, [
      'post:field_required',
      'post:caption_too_long',
      'post:field_invalid',
      'post:hashtags_count?',
      'post:media_required',
    ]),
    broken(
      'a long title, and too many files',
      'x'.repeat(101),
      '',
      [
        'post:field_too_long',
        'post:media_count',
        'post:media_duration?',
        'post:media_size',
        'post:media_duration',
        'post:media_dimensions?',
      ],
      [{ type: 'VIDEO', durationMs: 1_000_000 }, { type: 'VIDEO', bytes: 1e12, durationMs: 1e9 }, { width: 600 }],
    ),
  ],
})
