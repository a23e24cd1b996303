import { expect } from 'vitest'
import { type Contract, compareWith, describeContract } from '../conformance/contracts.ts'
import { openStage } from '../kit/testing.ts'
import { network } from './index.ts'
import { sample } from './testing-pins.ts'

describeContract<Contract>('pinterest-v5.openapi.json', (read) => {
  compareWith(read(), {
    open: () => openStage(network, 'PINTEREST', { base: 'api/v5' }),
    async drive(stage) {
      const [identity] = await stage.signIn.accounts()
      await network.connect.options?.(stage.context(), { ...identity, accountType: 'PINTEREST' })
      await stage.signIn.refresh(identity.credentials)
      const posts = [
        sample([{ file: 'photo.jpg', altText: 'Bread' }]),
        sample(['animated.gif'], { fields: { website: '' } }),
        sample(['photo.jpg', 'photo.jpg']),
        sample(['video-h264-aac.mp4']),
        sample(['video-h264-aac.mp4', 'photo.jpg']),
        sample(['photo.jpg'], { caption: 'Lost [[fault:500-after-accept]]' }),
      ]
      for (const post of posts) expect((await stage.deliver(post)).post).toMatchObject({ kind: 'made' })

      // What it refuses has a shape as well.
      const image = { source_type: 'image_base64', content_type: 'image/png', data: 'AAAA' }
      const pin = { board_id: '549755885175000001', title: 'Bread', media_source: image }
      for (const call of ['GET user_account', 'GET boards']) await stage.api(call, undefined, { token: 'no-one' })
      for (const call of ['GET boards/100000/pins', 'GET media/100000']) await stage.api(call)
      for (const fault of ['500-before', 'rate-limited', 'token-expired', 'account-restricted', 'none']) {
        await stage.api('POST pins', { ...pin, description: `[[fault:${fault}]]` })
      }
      const statuses = stage.exchanged.map(({ result }) => (result.kind === 'answer' ? result.status : 0))
      expect([...new Set(statuses)]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404, 429, 500]))
    },
    calls: [
      'GET boards',
      'GET boards/{id}/pins',
      'GET media/{id}',
      'GET user_account',
      'POST media',
      'POST oauth/token',
      'POST pins',
    ],
    // Documented on the page about tokens, and not in the contract.
    differences: ['POST oauth/token request must NOT have unevaluated properties: continuous_refresh'],
  })
})
