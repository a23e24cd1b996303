import { describeNetwork, simulatorBackend } from '../conformance/index.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { checked } from '../kit/testing.ts'
import { errors, network } from './index.ts'
import { simulate } from './simulator.ts'
import { post, sample } from './testing-posts.ts'

const photo = checked({})
const video = checked({ type: 'VIDEO' })

// TikTok has no answer that means a restricted account and nothing worse.
const UNSAID = 'account-restricted'

describeNetwork('TikTok videos', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'TIKTOK', context),
  samples: [sample('video', 'How we bake #bread', 'video-h264-aac.mp4')],
  broken: [
    { title: 'a text alone', post: post('Bread'), codes: ['post:media_required'] },
    { title: 'a long caption of photos', post: post('x'.repeat(4001), photo), codes: ['post:caption_too_long'] },
    { title: 'two videos', post: post('', video, video), codes: ['post:media_count'] },
    { title: 'a video among photos', post: post('', photo, video), codes: ['post:media_mix'] },
    { title: 'AV1', post: post('', checked({ type: 'VIDEO', videoCodec: 'av1' })), codes: ['post:media_codec'] },
    { title: 'an alternative text', post: post('', checked({}, { altText: 'A' })), codes: ['post:field_invalid?'] },
  ],
  signIns: [
    {
      accountType: 'TIKTOK',
      base: 'api/v2',
      page: '/web/v2/auth/authorize/',
      asks: {
        client_key: 'sandbox-client-key',
        scope: 'user.info.basic,video.publish,video.upload,video.list',
        response_type: 'code',
        disable_auto_auth: '1',
      },
      token: 'POST oauth/token/',
      reads: 'POST post/publish/creator_info/query/',
      readsNeeds: 'video.publish',
      // Either of two is enough: inbox.test.ts.
      scopes: {},
      codeMs: 10 * 60_000,
      accessMs: 2 * 3_600_000,
      refresh: { rotates: true, lastsMs: 180 * 24 * 3_600_000, needed: true },
      renewals: [
        [200, { error: 'invalid_grant', error_description: 'Refresh token is invalid or expired.' }, 'dead'],
        [400, { error: 'invalid_request', error_description: 'The client secret is missing.' }, 'failed'],
      ],
    },
  ],
  // The answer to a chunk is its status; it has no body that could break off.
  optOut: { faults: [UNSAID, 'garbled'] },
})

describeNetwork('TikTok photos', {
  network,
  start: (context) => simulatorBackend(network, 'TIKTOK', context),
  samples: [
    sample('photo', 'Fresh bread every morning', 'photo.jpg'),
    sample('photos', 'Three breads', 'transparent.png', 'photo.jpg', 'transparent.png'),
  ],
  // Publishing begins with the call that names the id, and no listing is sure to show photos.
  optOut: { faults: [UNSAID], proofOfAbsence: true },
})

const inbox = (of: ReturnType<typeof sample>) => ({ ...of, fields: { options: { mode: 'INBOX' } } })
/** No one finishes what the suite sends there. */
const withRoom = { ...network, simulate: (deps: SimulatorDeps) => simulate(deps, { drafts: Number.POSITIVE_INFINITY }) }

describeNetwork('TikTok videos in the inbox', {
  network: withRoom,
  start: (context) => simulatorBackend(withRoom, 'TIKTOK', context),
  samples: [inbox(sample('video', '', 'video-h264-aac.mp4'))],
  // No words of it are sent, so that faults are asked for beside it, and none of them is about a text.
  async asksFault({ endpoints }, fault) {
    const asked = await fetch(`${endpoints.web}/inbox/fault/${fault}`, { method: 'POST' })
    if (!asked.ok) throw new Error(`The simulator has no fault ${fault}.`)
  },
  optOut: { faults: [UNSAID, 'garbled', 'caption-too-long'], inbox: true },
})

describeNetwork('TikTok photos in the inbox', {
  network: withRoom,
  start: (context) => simulatorBackend(withRoom, 'TIKTOK', context),
  samples: [inbox(sample('photos', 'Two breads', 'transparent.png', 'photo.jpg'))],
  // The call that puts them there names the id, and no listing shows drafts.
  optOut: { faults: [UNSAID], proofOfAbsence: true, inbox: true },
})
