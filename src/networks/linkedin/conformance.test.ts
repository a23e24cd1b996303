import type { SignInFacts } from '../conformance/describe-sign-in.ts'
import { describeNetwork, named, type OptOuts, type Sample, simulatorBackend } from '../conformance/index.ts'
import { checked } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { errors, network } from './index.ts'
import { headers, type Type } from './testing-posts.ts'

const DAY = 24 * 3_600_000
const caption = 'Fresh bread (every day) at the_mill #bakery https://example.com/a_b?c=[d]'
const image = checked({ bytes: 9_000_000, width: 9_000, height: 6_000 })
const video = checked({ type: 'VIDEO' })
const document = checked({ type: 'DOCUMENT', mimeType: 'application/pdf', pages: 3 })
const LINK = 'https://example.com/card'
const picture = Buffer.from('\xff\xd8\xff\xd9', 'latin1')
const preview = async (url: string) => (url === LINK ? { title: 'Bread', description: 'Fresh', image: picture } : null)

type Own = Pick<SignInFacts, 'app' | 'reads' | 'readsNeeds' | 'query' | 'refresh' | 'renewals'> & {
  clientId: string
  /** What is needed, and what may be declined. */
  asks: readonly string[]
  may: readonly string[]
  more?: Sample[]
  optOut?: OptOuts
}

function describeAccounts(name: string, accountType: Type, own: Own): void {
  const { clientId, asks, may, more = [], optOut = {}, ...signIn } = own
  const post = (text: string, ...media: CheckedMedia[]) => ({ accountType, caption: text, fields: {}, media })
  const described = {
    ...signIn,
    accountType,
    base: 'api',
    headers,
    page: '/web/oauth/v2/authorization',
    asks: { response_type: 'code', client_id: clientId, scope: [...asks, ...may].join(' ') },
    token: 'POST /web/oauth/v2/accessToken',
    scopes: named(...asks),
    codeMs: 30 * 60_000,
    accessMs: 60 * DAY,
  }
  describeNetwork(name, {
    network,
    errors,
    preview,
    start: (context) => simulatorBackend(network, accountType, context),
    followUp: (firstComment) => ({ title: 'text', accountType, caption, fields: { options: { firstComment } } }),
    samples: [
      { title: 'text', accountType, caption },
      { title: 'card', accountType, caption: `Fresh bread: ${LINK}` },
      { title: 'image', accountType, caption, media: [{ file: 'photo.jpg', altText: 'A round loaf' }] },
      { title: 'document', accountType, caption, media: [{ file: 'documents/groff.pdf' }] },
      { title: 'video', accountType, caption, media: [{ file: 'linkedin-video.mp4' }] },
      ...more,
    ],
    broken: [
      { title: 'nothing at all', post: post(' \n'), codes: ['post:caption_required'] },
      { title: 'nothing about 20 large images', post: post('', ...Array(20).fill(image)), codes: [] },
      { title: '21 images', post: post('', ...Array(21).fill(image)), codes: ['post:media_count'] },
      { title: 'two documents', post: post('', document, document), codes: ['post:media_count'] },
      { title: 'an image beside a document', post: post('', image, document), codes: ['post:media_mix'] },
      { title: 'two videos', post: post('', video, video), codes: ['post:media_count'] },
      { title: 'an image beside a video', post: post('', image, video), codes: ['post:media_mix'] },
      { title: 'a text of 3,001', post: post('a'.repeat(3001)), codes: ['post:caption_too_long'] },
    ],
    signIns: [described],
    optOut,
  })
}

const images = [{ file: 'transparent.png' }, { file: 'animated.gif' }]
describeAccounts('linkedin page', 'LINKEDIN_PAGE', {
  // Several images differ from one in nothing that depends on who posts them.
  more: [
    { title: 'images', accountType: 'LINKEDIN_PAGE', caption, media: images },
    {
      title: 'pages',
      accountType: 'LINKEDIN_PAGE',
      caption,
      media: [{ file: 'transparent.png' }, { file: 'photo.jpg' }],
      shows: 1,
      fields: { options: { documentTitle: 'Our bread' } },
    },
  ],
  clientId: 'sandbox-page-app',
  asks: ['rw_organization_admin', 'r_organization_social', 'w_organization_social'],
  may: ['r_organization_social_feed', 'w_organization_social_feed'],
  app: ['PAGE_CLIENT_ID', 'PAGE_CLIENT_SECRET'],
  reads: 'GET rest/organizationAcls',
  readsNeeds: 'rw_organization_admin',
  query: '?q=roleAssignee',
  refresh: { rotates: false, lastsMs: 365 * DAY, needed: false },
  renewals: [
    [400, { error: 'invalid_request', error_description: 'The refresh token is expired or revoked' }, 'dead'],
    [400, { error: 'invalid_request', error_description: 'A required parameter is missing' }, 'failed'],
    [429, { message: 'Too many' }, 'failed'],
  ],
})

describeAccounts('linkedin person', 'LINKEDIN_PERSONAL', {
  clientId: 'sandbox-member-app',
  asks: ['openid', 'profile', 'w_member_social'],
  may: ['w_member_social_feed'],
  app: ['CLIENT_ID', 'CLIENT_SECRET'],
  reads: 'GET v2/userinfo',
  readsNeeds: 'openid',
  refresh: null,
  optOut: {
    // Tokens of apps that post for persons cannot be refreshed: one that has expired ends the post.
    faults: ['token-expired'],
    // Posts of persons cannot be listed. What is done instead is tried once; publish.test.ts sees that it succeeds.
    proofOfAbsence: true,
  },
})
