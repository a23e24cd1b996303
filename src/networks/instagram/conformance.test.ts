import { WHOLE } from '../../../test/_util/run/whole.ts'
import {
  type BrokenPost,
  type ConformanceHarness,
  describeNetwork,
  named,
  simulatorBackend,
} from '../conformance/index.ts'
import { signInByPage } from '../meta/testing.ts'
import { errors, network } from './index.ts'
import { commented, ownBackend, sample, stories, withoutPage } from './testing-posts.ts'

const withoutMedia = (type: string, caption: string, ...codes: BrokenPost['codes']): BrokenPost => {
  const { accountType, fields } = sample(type)
  const post = { accountType, caption, fields, media: [] }
  return { title: `${type} without media`, post, codes: [...codes, 'post:media_required'] }
}

const posts: Pick<ConformanceHarness, 'samples' | 'followUp' | 'broken'> = {
  samples: [sample('IMAGE'), sample('CAROUSEL'), sample('REEL'), sample('STORY')],
  followUp: commented,
  broken: [
    withoutMedia('IMAGE', '#a '.repeat(31), 'post:hashtags_count'),
    withoutMedia('STORY', 'x', 'post:field_invalid?'),
    withoutMedia('REEL', 'x'.repeat(2201), 'post:caption_too_long'),
  ],
}

describeNetwork('instagram', {
  ...posts,
  stories,
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
  // The same calls at another address: of what is long, a part of the first suite is enough before each push.
  samples: WHOLE ? posts.samples : [sample('IMAGE'), sample('CAROUSEL')],
  ...(WHOLE ? { stories } : {}),
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
