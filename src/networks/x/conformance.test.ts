import { describeNetwork, type Sample, simulatorBackend } from '../conformance/index.ts'
import { errors, network } from './index.ts'

const caption = 'Fresh bread and coffee 🥖 & <cake> at https://example.com/bread?a=1&b=2 #bakery'
const samples: [Sample, ...Sample[]] = [
  { title: 'text', accountType: 'TWITTER', caption },
  {
    title: 'images',
    accountType: 'TWITTER',
    caption: 'Two breads: example.com/two',
    media: [{ file: 'transparent.png', altText: 'A round loaf' }, { file: 'transparent.png' }],
  },
  {
    title: 'an animated GIF without a text',
    accountType: 'TWITTER',
    caption: '',
    media: [{ file: 'animated.gif', altText: 'A loaf turns' }],
  },
  { title: 'video', accountType: 'TWITTER', caption: 'How we bake', media: [{ file: 'video-h264-aac.mp4' }] },
]
const post = (text: string) => ({ accountType: 'TWITTER', caption: text, fields: {}, media: [] }) as const

describeNetwork('x', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'TWITTER', context),
  samples,
  broken: [
    { title: 'nothing at all', post: post(' \n'), codes: ['post:caption_required'] },
    { title: '281 characters', post: post('a'.repeat(281)), codes: ['post:caption_too_long'] },
    { title: 'two cashtags', post: post('$AAA and $BBB'), codes: ['post:field_invalid'] },
    {
      title: 'nothing about a long text of an account with Premium',
      post: post('a'.repeat(281)),
      defaults: { longPosts: true },
      codes: [],
    },
  ],
})
