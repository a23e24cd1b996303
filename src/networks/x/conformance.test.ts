import { describeNetwork, named, simulatorBackend } from '../conformance/index.ts'
import { errors, network } from './index.ts'
import { mediaPost, textPost } from './testing-posts.ts'

const caption = 'Fresh bread and coffee 🥖 & <cake> at https://example.com/bread?a=1&b=2 #bakery'
const loaf = { file: 'transparent.png', altText: 'A round loaf' }
const post = (text: string) => ({ accountType: 'TWITTER', caption: text, fields: {}, media: [] }) as const
const scopes = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access']

describeNetwork('x', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'TWITTER', context),
  samples: [
    textPost(caption),
    { ...mediaPost('Two breads: example.com/two', loaf, 'transparent.png'), title: 'images' },
    { ...mediaPost('', { file: 'animated.gif', altText: 'A loaf turns' }), title: 'an animated GIF without a text' },
    { ...mediaPost('How we bake', 'video-h264-aac.mp4'), title: 'video' },
  ],
  thread: {
    ...mediaPost(caption, loaf),
    title: 'a thread',
    thread: [
      { caption: 'Baked at https://example.com/bread & <cake> #oven' },
      { caption: '', media: [loaf, { file: 'animated.gif' }].slice(0, 1) },
      { caption: 'And that was that.' },
    ],
  },
  signIns: [
    {
      accountType: 'TWITTER',
      base: 'api/2',
      page: '/web/i/oauth2/authorize',
      asks: { response_type: 'code', client_id: 'sandbox-client', scope: scopes.join(' ') },
      token: 'POST oauth2/token',
      reads: 'GET users/me',
      readsNeeds: 'users.read',
      scopes: named(...scopes),
      codeMs: 30_000,
      accessMs: 7_200_000,
      refresh: { rotates: true, lastsMs: null, needed: true },
      renewals: [
        [400, { error: 'invalid_grant', error_description: 'No.' }, 'dead'],
        [400, { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' }, 'dead'],
        [400, { error: 'invalid_request', error_description: 'Missing required parameter [client_id].' }, 'failed'],
        [400, { error: 'invalid_request' }, 'failed'],
        [401, { error: 'unauthorized_client', error_description: 'No.' }, 'failed'],
        [503, { error: 'invalid_request' }, 'failed'],
        [429, { error: 'invalid_request' }, 'failed'],
      ],
    },
  ],
  broken: [
    { title: 'nothing at all', post: post(' \n'), codes: ['post:caption_required'] },
    { title: '281 characters', post: post('a'.repeat(281)), codes: ['post:caption_too_long'] },
    { title: 'two cashtags', post: post('$AAA and $BBB'), codes: ['post:field_invalid'] },
    { title: 'a byte order mark', post: post('a\ufeff'), codes: ['post:field_invalid'] },
  ],
})
