import { type Contract, compareWith, describeContract } from '../conformance/contracts.ts'
import type { HttpRequest } from '../kit/http.ts'
import { lost, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { mediaPost, textPost } from './testing-posts.ts'

describeContract<Contract>('x-v2.openapi.json', (read) => {
  compareWith(read(), {
    open: () => openStage(network, 'TWITTER', { base: 'api' }),
    async drive(stage) {
      await stage.deliver(textPost('Bread & butter https://example.com/a?b=c&d=e'))
      await stage.deliver(mediaPost('', { file: 'photo.jpg', altText: 'A loaf' }, 'transparent.png'))
      await stage.deliver(mediaPost('Turning', { file: 'animated.gif', altText: 'A loaf turns' }))
      // Their answers are lost, so they are looked for, one by its text and one by its file.
      for (const post of [textPost('Lost https://example.com/a'), mediaPost('Lost too', 'video-short.mp4')]) {
        await stage.deliver(post, stage.on('POST 2/tweets', lost, { reached: true }))
      }
      // The second part is looked for below the first one, by its own listing; and a thread goes on only below what is there.
      const thread = { ...textPost('One'), thread: [{ caption: 'Two' }] }
      let calls = 0
      const second = stage.on(
        'POST 2/tweets',
        async ({ send }) => {
          if (++calls !== 2) return null
          await send()
          return lost
        },
        { times: 9 },
      )
      const { post } = await stage.deliver(thread, second)
      await shown(stage, post.kind === 'made' ? post.providerId : null)
      await shown(stage, '1000000')
      await stage.signIn.accounts()
    },
    calls: [
      'GET 2/media/upload',
      'GET 2/tweets/{id}',
      'GET 2/users/me',
      'GET 2/users/{id}/tweets',
      'POST 2/media/metadata',
      'POST 2/media/upload/initialize',
      'POST 2/media/upload/{id}/append',
      'POST 2/media/upload/{id}/finalize',
      'POST 2/tweets',
    ],
    differences: [
      // The contract does not describe the sign-in.
      'POST 2/oauth2/token is not known',
      // Parts are also answered in the way of the vendor's own playground, which the contract does not describe.
      'POST 2/media/upload/{id}/append 204',
    ],
    bodyOf,
  })
})

/** Looks for a part as it is done before a thread goes on. */
async function shown(stage: Stage, providerId: string | null): Promise<void> {
  const delivery = await stage.open({ ...textPost('One'), thread: [{ caption: 'Two' }] })
  const live = { outcome: 'live', providerId, permalink: null, endedAt: stage.world.clock.now() } as const
  await delivery.call('preparePart', [live], { continues: true })
}

/** What a request says: JSON, or the fields of a multipart body with the bytes as text. */
async function bodyOf({ json, form: fields, body, headers }: HttpRequest): Promise<unknown> {
  if (!(body instanceof Uint8Array)) return json ?? fields
  const form = await new Response(new Uint8Array(body), { headers: { ...headers } }).formData()
  const media = Buffer.from(await (form.get('media') as Blob).arrayBuffer()).toString('base64')
  return { media, segment_index: Number(form.get('segment_index')) }
}
