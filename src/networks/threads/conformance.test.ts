import { describeNetwork, named, simulatorBackend } from '../conformance/index.ts'
import { errors, network } from './index.ts'

const sample = (title: string, caption: string, files: string[]) => ({
  title,
  accountType: 'THREADS' as const,
  caption,
  media: files.map((file) => ({ file, altText: 'A loaf of bread' })),
})
const broken = (title: string, caption: string) => ({
  title,
  post: { accountType: 'THREADS' as const, caption, fields: {}, media: [] },
})

describeNetwork('threads', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'THREADS', context),
  samples: [
    sample('text', 'Fresh bread every morning 🥖', []),
    sample('image without text', '', ['photo.jpg']),
    sample('video', 'How we bake', ['video-h264-aac.mp4']),
    sample('carousel', 'Bread and how we bake it', ['transparent.png', 'video-h264-aac.mp4']),
  ],
  thread: {
    ...{ title: 'a thread', accountType: 'THREADS', caption: 'One of the mornings' },
    fields: { options: { firstComment: 'More of it at https://example.com/more' } },
    thread: [
      { caption: 'The dough rests for a night.' },
      { caption: '', media: [{ file: 'video-short.mp4' }] },
      { caption: 'Baked at https://example.com/bread', media: [{ file: 'photo.jpg', altText: 'A loaf' }] },
    ],
  },
  signIns: [
    {
      accountType: 'THREADS',
      base: 'graph/v1.0',
      page: '/web/oauth/authorize',
      asks: { client_id: 'sandbox-client', scope: 'threads_basic,threads_content_publish', response_type: 'code' },
      token: 'POST /graph/oauth/access_token',
      reads: 'GET me',
      scopes: named('threads_basic', 'threads_content_publish'),
      codeMs: 3_600_000,
      accessMs: 5_183_944_000,
      // Its access token renews itself: connect.test.ts.
      refresh: null,
    },
  ],
  broken: [
    { ...broken('nothing at all', ' '), codes: ['post:caption_required'] },
    { ...broken('a long text', 'x'.repeat(501)), codes: ['post:caption_too_long'] },
    {
      ...broken('many links', [1, 2, 3, 4, 5, 6].map((n) => `https://example.org/${n} #t${n}`).join(' ')),
      codes: ['post:field_invalid', 'post:hashtags_count?'],
    },
  ],
})
