import { describeNetwork, simulatorBackend } from '../conformance/index.ts'
import { signInByPage } from '../meta/testing.ts'
import { errors, network } from './index.ts'
import { FILES, sample, stories, videoStory } from './testing-posts.ts'

const without = (type: string, caption: string, fields: object = {}) => ({
  title: `${type.toLowerCase()} without media`,
  post: { accountType: 'FACEBOOK' as const, caption, fields: { type, ...fields }, media: [] },
})
const unsent = {
  richCaption: [{ text: 'Bread', mention: { id: 'baker', name: 'Baker' } }],
  videoCoverImageSeconds: 2,
}

describeNetwork('facebook', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'FACEBOOK', context),
  followUp: (firstComment) => sample('TEXT', { fields: { options: { firstComment } } }),
  stories,
  samples: [sample('TEXT'), ...Object.keys(FILES).map((type) => sample(type)), videoStory],
  signIns: [
    signInByPage(
      'FACEBOOK',
      'published_posts',
      ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
      ['business_management', 'pages_read_user_content', 'pages_manage_engagement'],
    ),
  ],
  broken: [
    { ...without('TEXT', ' '), codes: ['post:caption_required'] },
    { ...without('IMAGE', 'x'.repeat(63_207)), codes: ['post:caption_too_long', 'post:media_required'] },
    { ...without('STORY', 'x'), codes: ['post:field_invalid?', 'post:media_required'] },
    { ...without('TEXT', 'Bread', unsent), codes: ['post:field_invalid?', 'post:field_invalid?'] },
  ],
  // Its tokens cannot be refreshed: one that has expired ends the post.
  optOut: { faults: ['token-expired'] },
})
