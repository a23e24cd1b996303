import { describeNetwork, named, simulatorBackend } from '../conformance/index.ts'
import { SCOPES } from './connect.ts'
import { errors, network } from './index.ts'
import { sample } from './testing-pins.ts'

const accountType = 'PINTEREST'
const DAY = 24 * 3_600_000
// Sent as it is: converting larger ones at every step of the suite takes its time.
const photo = { file: 'transparent.png', altText: 'A round loaf' }

describeNetwork('pinterest', {
  network,
  errors,
  start: (context) => simulatorBackend(network, accountType, context),
  samples: [
    sample([photo], { title: 'image', caption: 'Fresh bread every morning' }),
    sample(['animated.gif'], { title: 'moving image', caption: 'Bread that moves', fields: { website: '' } }),
    sample([photo, 'transparent.png'], {
      title: 'carousel',
      caption: 'Two breads',
      fields: { board: { id: '549755885175000002', name: 'Pastries' } },
    }),
    sample(['video-h264-aac.mp4'], { title: 'video', caption: 'How we bake' }),
    sample(['video-h264-aac.mp4', photo], { title: 'video with a cover', caption: 'How we bake, shown' }),
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
      scopes: named(...SCOPES),
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
})
