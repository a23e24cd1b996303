import { type BrokenPost, describeNetwork, type Sample, simulatorBackend } from '../conformance/index.ts'
import { checked } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { errors, network } from './index.ts'
import { SCOPE } from './manifest.ts'

const fields = { ctaType: 'LEARN_MORE', ctaUrl: 'https://example.com/bread?from=post' }
const sample = (title: string, caption: string, more: Partial<Sample> = {}): Sample => ({
  title,
  accountType: 'GMB',
  caption,
  fields: { ctaType: 'NONE' },
  ...more,
})
const photo = checked({ mimeType: 'image/png' })
const post = (caption: string, more: object, ...media: CheckedMedia[]) =>
  ({ accountType: 'GMB', caption, fields: { ctaType: 'NONE', ...more }, media }) as const

const broken: BrokenPost[] = [
  { title: 'a post without a text', post: post(' ', {}, photo), codes: ['post:caption_required'] },
  { title: 'a long text', post: post('x'.repeat(1501), {}), codes: ['post:caption_too_long'] },
  { title: 'a button to nowhere', post: post('Bread', { ctaType: 'SHOP' }), codes: ['post:field_required'] },
  {
    title: 'a video and a photo',
    post: post('Bread', {}, photo, checked({ type: 'VIDEO' })),
    codes: ['post:media_count', 'post:media_type'],
  },
  {
    title: 'a small file (a problem) with a small picture (a warning)',
    post: post('Bread', {}, checked({ bytes: 10_239, width: 300, height: 250 })),
    codes: ['post:media_size', 'post:media_dimensions?'],
  },
  {
    title: 'a phone number and an address of a call (warnings)',
    post: post('Call us: +49 30 1234567', { ctaType: 'CALL', ctaUrl: 'https://example.com' }),
    codes: ['post:field_invalid?', 'post:field_invalid?'],
  },
]

describeNetwork('google-business', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'GMB', context),
  samples: [
    sample('text', 'Fresh bread every morning'),
    sample('photo with a button', 'New: rye with walnuts', { fields, media: [{ file: 'photo.jpg' }] }),
    sample('text with a call', 'Order your cake', { fields: { ctaType: 'CALL' } }),
  ],
  broken,
  signIns: [
    {
      accountType: 'GMB',
      base: 'posts/v4',
      page: '/authorize/o/oauth2/v2/auth',
      asks: {
        client_id: 'sandbox-client',
        response_type: 'code',
        scope: SCOPE,
        access_type: 'offline',
        prompt: 'consent',
        include_granted_scopes: 'true',
      },
      token: 'POST /token/token',
      reads: 'GET /accounts/v1/accounts',
      scopes: { [SCOPE]: 'permission to manage the business was not granted' },
      codeMs: 10 * 60_000,
      accessMs: 3_599_000,
      refresh: { rotates: false, lastsMs: null, needed: true },
      renewals: [
        [429, { error: 'rate_limit_exceeded' }, 'failed'],
        [400, { error: 'invalid_grant' }, 'dead'],
        [400, { error: 'unauthorized_client' }, 'failed'],
        [400, { error: 'invalid_request' }, 'failed'],
      ],
    },
  ],
})
