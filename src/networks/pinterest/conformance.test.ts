import { describeNetwork, named, type SampleMedia, simulatorBackend } from '../conformance/index.ts'
import { errors, network } from './index.ts'

const accountType = 'PINTEREST'
const DAY = 24 * 3_600_000
const fields = { title: 'Fresh bread', website: 'https://bakery.example/bread', board: null }
const sample = (title: string, caption: string, media: SampleMedia[], more: object = {}) => ({
  title,
  accountType: accountType as typeof accountType,
  caption,
  fields: { ...fields, ...more },
  media,
})
// Sent as it is: converting larger ones at every step of the suite takes its time.
const photo = { file: 'transparent.png', altText: 'A round loaf' }
const broken = (caption: string, more: object = {}) => ({ ...sample('', caption, [], more), media: [] })

describeNetwork('pinterest', {
  network,
  errors,
  start: (context) => simulatorBackend(network, accountType, context),
  samples: [
    sample('image', 'Fresh bread every morning', [photo]),
    sample('moving image', 'Bread that moves', [{ file: 'animated.gif' }], { website: '' }),
    sample('carousel', 'Two breads', [photo, { file: 'transparent.png' }], {
      board: { id: '549755885175000002', name: 'Pastries' },
    }),
    sample('video', 'How we bake', [{ file: 'video-h264-aac.mp4' }]),
    sample('video with a cover', 'How we bake, shown', [{ file: 'video-h264-aac.mp4' }, photo]),
  ],
  signIns: [
    {
      accountType,
      base: 'api/v5',
      page: '/www/oauth/',
      asks: {
        client_id: 'sandbox-client',
        response_type: 'code',
        scope: 'boards:read,boards:write,pins:read,pins:write,user_accounts:read',
      },
      token: 'POST oauth/token',
      reads: 'GET user_account',
      readsNeeds: 'user_accounts:read',
      scopes: named('boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'),
      codeMs: 10 * 60_000,
      accessMs: 30 * DAY,
      refresh: { rotates: true, lastsMs: 60 * DAY, needed: true },
      renewals: [
        [500, { code: 500, message: 'Oops' }, 'failed'],
        [429, { code: 8, message: 'Slow down.' }, 'failed'],
        [401, { code: 2, message: 'Authentication failed.' }, 'failed'],
      ],
    },
  ],
  broken: [
    { title: 'a text alone', post: broken('x'), codes: ['post:media_required'] },
    { title: 'a long text', post: broken('x'.repeat(801)), codes: ['post:caption_too_long', 'post:media_required'] },
    {
      title: 'no title, no board and no address',
      post: broken('x', { title: ' ', website: 'bakery' }),
      defaults: {},
      codes: ['post:field_required', 'post:field_required', 'post:field_invalid', 'post:media_required'],
    },
  ],
})
