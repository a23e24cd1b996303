import { type BrokenPost, describeNetwork, named, type Sample, simulatorBackend } from '../conformance/index.ts'
import { checked } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { errors, network } from './index.ts'
import { headers } from './testing-posts.ts'

type Type = 'LINKEDIN_PAGE' | 'LINKEDIN_PERSONAL'

const caption = 'Fresh bread (every day) at the_mill #bakery https://example.com/a_b?c=[d]'
const photo = { file: 'photo.jpg', altText: 'A round loaf' }

const samples = (accountType: Type): [Sample, ...Sample[]] => [
  { title: 'text', accountType, caption },
  { title: 'image', accountType, caption, media: [photo] },
  { title: 'images', accountType, caption, media: [{ file: 'transparent.png' }, { file: 'animated.gif' }] },
  { title: 'video', accountType, caption, media: [{ file: 'linkedin-video.mp4' }] },
]

const image = checked({ bytes: 9_000_000, width: 9_000, height: 6_000 })
const video = checked({ type: 'VIDEO' })

const broken = (accountType: Type): BrokenPost[] => {
  const post = (text: string, ...media: CheckedMedia[]) => ({ accountType, caption: text, fields: {}, media })
  return [
    { title: 'nothing at all', post: post(' \n'), codes: ['post:caption_required'] },
    { title: 'nothing about 20 large images', post: post('', ...Array(20).fill(image)), codes: [] },
    { title: '21 images', post: post('', ...Array(21).fill(image)), codes: ['post:media_count'] },
    { title: 'an image beside a video', post: post('', image, video), codes: ['post:media_mix'] },
    { title: 'a text of 3,001', post: post('a'.repeat(3001)), codes: ['post:caption_too_long'] },
    { title: 'nothing about escapes', post: post('('.repeat(3000)), codes: [] },
    {
      title: 'QuickTime of which no MP4 can be made',
      post: post('', checked({ type: 'VIDEO', mimeType: 'video/quicktime', videoCodec: 'prores' })),
      codes: ['post:media_codec'],
    },
    {
      title: 'what is for the other kind of account',
      post: post('a'),
      defaults: { visibility: accountType === 'LINKEDIN_PAGE' ? 'CONNECTIONS' : 'LOGGED_IN' },
      codes: ['post:field_invalid'],
    },
  ]
}

const DAY = 24 * 3_600_000
const signIn = {
  base: 'api',
  headers,
  page: '/web/oauth/v2/authorization',
  token: 'POST /web/oauth/v2/accessToken',
  codeMs: 30 * 60_000,
  accessMs: 60 * DAY,
}

describeNetwork('linkedin page', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'LINKEDIN_PAGE', context),
  samples: samples('LINKEDIN_PAGE'),
  broken: broken('LINKEDIN_PAGE'),
  signIns: [
    {
      ...signIn,
      accountType: 'LINKEDIN_PAGE',
      asks: {
        response_type: 'code',
        client_id: 'sandbox-page-app',
        scope: 'rw_organization_admin r_organization_social w_organization_social',
      },
      app: ['PAGE_CLIENT_ID', 'PAGE_CLIENT_SECRET'],
      reads: 'GET rest/organizationAcls',
      readsNeeds: 'rw_organization_admin',
      query: '?q=roleAssignee',
      scopes: named('rw_organization_admin', 'r_organization_social', 'w_organization_social'),
      refresh: { rotates: false, lastsMs: 365 * DAY, needed: false },
      renewals: [
        [400, { error: 'invalid_grant', error_description: 'No.' }, 'dead'],
        [400, { error: 'invalid_request', error_description: 'The refresh token is expired or revoked' }, 'dead'],
        [400, { error: 'invalid_request', error_description: 'A required parameter is missing' }, 'failed'],
        [429, { message: 'Too many' }, 'failed'],
      ],
    },
  ],
})

const [first, ...others] = samples('LINKEDIN_PERSONAL')

describeNetwork('linkedin person', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'LINKEDIN_PERSONAL', context),
  // Several images differ from one in nothing that depends on who posts them.
  samples: [first, ...others.filter(({ title }) => title !== 'images')],
  broken: broken('LINKEDIN_PERSONAL'),
  signIns: [
    {
      ...signIn,
      accountType: 'LINKEDIN_PERSONAL',
      asks: {
        response_type: 'code',
        client_id: 'sandbox-member-app',
        scope: 'openid profile w_member_social',
      },
      app: ['CLIENT_ID', 'CLIENT_SECRET'],
      reads: 'GET v2/userinfo',
      readsNeeds: 'openid',
      scopes: named('openid', 'profile', 'w_member_social'),
      refresh: null,
    },
  ],
  optOut: {
    // Tokens of apps that post for persons cannot be refreshed: one that has expired ends the post.
    faults: ['token-expired'],
    // Posts of persons cannot be listed. What is done instead is tried once; publish.test.ts sees that it succeeds.
    proofOfAbsence: true,
  },
})
