import { describeNetwork, simulatorBackend } from '../conformance/index.ts'
import { signInByPage } from '../meta/testing.ts'
import { errors, network } from './index.ts'

const sample = (type: string, caption: string, files: string[], altText?: string) => ({
  title: type.toLowerCase(),
  accountType: 'FACEBOOK' as const,
  caption,
  fields: { type, richCaption: [] },
  media: files.map((file) => ({ file, ...(altText ? { altText } : {}) })),
})
const withoutMedia = (type: string, caption: string) => ({
  title: `${type.toLowerCase()} without media`,
  post: { ...sample(type, caption, []), media: [] },
})

describeNetwork('facebook', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'FACEBOOK', context),
  // A carousel needs links on its items, which samples do not have: carousel.test.ts delivers them.
  samples: [
    sample('TEXT', 'Fresh bread every morning', []),
    sample('IMAGE', 'One bread', ['transparent.png'], 'A loaf of bread'),
    sample('MULTI_IMAGE', 'Two breads', ['photo.jpg', 'transparent.png'], 'A loaf of bread'),
    sample('VIDEO', 'How we bake', ['video-short.mp4']),
    sample('REEL', 'How we bake, upright', ['video-h264-aac.mp4']),
    { ...sample('STORY', '', ['photo.jpg']), title: 'story of a photo' },
    { ...sample('STORY', '', ['video-h264-aac.mp4']), title: 'story of a video' },
  ],
  signIns: [
    signInByPage(
      'FACEBOOK',
      'published_posts',
      ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
      ['business_management', 'pages_read_user_content'],
    ),
  ],
  broken: [
    { ...withoutMedia('TEXT', ' '), codes: ['post:caption_required'] },
    { ...withoutMedia('IMAGE', 'x'.repeat(63_207)), codes: ['post:caption_too_long', 'post:media_required'] },
    { ...withoutMedia('STORY', 'x'), codes: ['post:field_invalid?', 'post:media_required'] },
    {
      title: 'a cover on a text and a mention that is none',
      post: {
        ...sample('TEXT', 'Bread', []),
        media: [],
        fields: {
          type: 'TEXT',
          richCaption: [{ text: 'Bread', mention: { id: 'baker', name: 'Baker' } }],
          videoCoverImageSeconds: 2,
        },
      },
      codes: ['post:field_invalid?', 'post:field_invalid?'],
    },
  ],
  // Its tokens cannot be refreshed: one that has expired ends the post.
  optOut: { faults: ['token-expired'] },
})
