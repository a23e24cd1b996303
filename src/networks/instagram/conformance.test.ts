import { type ConformanceHarness, describeNetwork, named, simulatorBackend } from '../conformance/index.ts'
import { signInByPage } from '../meta/testing.ts'
import { errors, network } from './index.ts'
import { ownBackend, withoutPage } from './testing-posts.ts'

const sample = (type: string, caption: string, files: string[], more: object = {}) => ({
  title: type.toLowerCase(),
  accountType: 'INSTAGRAM' as const,
  caption,
  fields: { type, collaborators: [], ...more },
  media: files.map((file) => ({ file, altText: 'A loaf of bread', tags: [{ text: 'baker', x: 0.5, y: 0.8 }] })),
})
const withoutMedia = (type: string, caption: string) => ({
  title: `${type.toLowerCase()} without media`,
  post: { ...sample(type, caption, []), media: [] },
})

const posts: Pick<ConformanceHarness, 'samples' | 'followUp' | 'broken'> = {
  samples: [
    sample('IMAGE', 'Fresh bread every morning', ['transparent.png']),
    sample('CAROUSEL', 'Two breads', ['transparent.png', 'transparent.png']),
    sample('REEL', 'How we bake', ['video-h264-aac.mp4']),
    sample('STORY', '', ['photo.jpg']),
  ],
  followUp: (text) => sample('IMAGE', 'Bread with a comment', ['transparent.png'], { firstComment: text }),
  broken: [
    { ...withoutMedia('IMAGE', '#a '.repeat(31)), codes: ['post:hashtags_count', 'post:media_required'] },
    { ...withoutMedia('STORY', 'x'), codes: ['post:field_invalid?', 'post:media_required'] },
    { ...withoutMedia('REEL', 'x'.repeat(2201)), codes: ['post:caption_too_long', 'post:media_required'] },
  ],
}

describeNetwork('instagram', {
  ...posts,
  network,
  errors,
  start: (context) => simulatorBackend(network, 'INSTAGRAM', context),
  signIns: [
    {
      ...signInByPage(
        'INSTAGRAM',
        'media',
        ['instagram_basic', 'instagram_content_publish', 'pages_show_list', 'pages_read_engagement'],
        ['instagram_manage_comments', 'business_management'],
      ),
      app: ['CLIENT_ID', 'CLIENT_SECRET'],
    },
  ],
  // Its tokens cannot be refreshed: one that has expired ends the post.
  optOut: { faults: ['token-expired'] },
})

const REQUIRED = ['instagram_business_basic', 'instagram_business_content_publish']

describeNetwork('instagram without a Page', {
  ...posts,
  network: withoutPage,
  errors,
  start: ownBackend,
  signIns: [
    {
      accountType: 'INSTAGRAM',
      base: 'loginGraph/v25.0',
      page: '/loginWeb/oauth/authorize',
      asks: {
        client_id: 'sandbox-login',
        response_type: 'code',
        scope: [...REQUIRED, 'instagram_business_manage_comments'].join(','),
      },
      app: ['LOGIN_CLIENT_ID', 'LOGIN_CLIENT_SECRET'],
      token: 'POST /loginApi/oauth/access_token',
      reads: 'GET me',
      probe: ({ externalId }) => `GET ${externalId}/media`,
      scopes: named(...REQUIRED),
      codeMs: 3_600_000,
      accessMs: 5_183_944_000,
      // Its access token renews itself: own-sign-in.test.ts.
      refresh: null,
    },
  ],
})
