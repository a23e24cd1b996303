import Type from 'typebox'
import { describeNetwork, named, type SampleMedia, simulatorBackend } from '../../../src/networks/conformance/index.ts'
import { checked } from '../../../src/networks/kit/testing.ts'
import { errors, network } from './index.ts'
import { accountType } from './manifest.ts'

const DAY = 24 * 3_600_000
const photo = { file: 'transparent.png', altText: 'A round loaf' }
const sample = (title: string, caption: string, stamp: string, media: SampleMedia[] = []) => ({
  title,
  accountType,
  caption,
  fields: { stamp },
  media,
})
const post = (caption: string, stamp: string, ...media: ReturnType<typeof checked>[]) => ({
  accountType,
  caption,
  fields: { stamp },
  media,
})

/** The whole suite, as each network of `src/networks` runs it. */
describeNetwork('postcards', {
  network,
  apart: {
    folder: import.meta.dirname,
    entry: {
      network: 'postcards',
      filter: 'POSTCARD',
      fields: { stamp: { required: true, schema: Type.Enum(['LOCAL', 'ABROAD']), missing: 'LOCAL' } },
    },
  },
  errors,
  start: (context) => simulatorBackend(network, accountType, context),
  samples: [
    sample('text', 'Fresh bread', 'LOCAL'),
    sample('picture', 'A bread for you', 'ABROAD', [photo]),
    sample('pictures', 'Three breads', 'LOCAL', [photo, { file: 'transparent.png' }, photo]),
  ],
  signIns: [
    {
      accountType,
      base: 'api/v1',
      page: '/www/sign-in',
      asks: { client_id: 'sandbox-client', response_type: 'code', scope: 'cards.read cards.write' },
      token: 'POST oauth/token',
      reads: 'GET me',
      readsNeeds: 'cards.read',
      scopes: named('cards.read', 'cards.write'),
      codeMs: 5 * 60_000,
      accessMs: 2 * 3_600_000,
      refresh: { rotates: true, lastsMs: 90 * DAY, needed: true },
      renewals: [
        [400, { error: 'invalid_grant' }, 'dead'],
        [400, { error: 'invalid_request' }, 'failed'],
      ],
    },
  ],
  broken: [
    { title: 'no text', post: post(' ', 'LOCAL', checked({})), codes: ['post:caption_required'] },
    { title: 'a long text', post: post('👍'.repeat(121), 'LOCAL'), codes: ['post:caption_too_long'] },
    { title: 'a video', post: post('x', 'LOCAL', checked({ type: 'VIDEO' })), codes: ['post:media_type'] },
    {
      title: 'two pictures that go abroad, one with a link',
      post: post('x', 'ABROAD', checked({}), checked({}, { link: 'https://bakery.example' })),
      codes: ['post:media_count', 'post:field_invalid?'],
    },
    {
      title: 'a long alternative text',
      post: post('x', 'LOCAL', checked({}, { altText: 'x'.repeat(81) })),
      codes: ['post:field_too_long'],
    },
  ],
})
