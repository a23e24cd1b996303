import { describeNetwork, simulatorBackend } from '../conformance/index.ts'
import { errors, network } from './index.ts'
import { brokenPosts } from './rules.cases.ts'

const sample = (type: string, caption: string, files: string[], more: object = {}) => ({
  title: type.toLowerCase(),
  accountType: 'INSTAGRAM' as const,
  caption,
  fields: { type, collaborators: [], ...more },
  media: files.map((file) => ({ file, altText: 'A loaf of bread' })),
})

describeNetwork('instagram', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'INSTAGRAM', context),
  samples: [
    sample('IMAGE', 'Fresh bread every morning', ['transparent.png']),
    sample('CAROUSEL', 'Two breads', ['transparent.png', 'transparent.png']),
    sample('REEL', 'How we bake', ['video-h264-aac.mp4']),
    sample('STORY', '', ['transparent.png']),
  ],
  followUp: (text) => sample('IMAGE', 'Bread with a comment', ['transparent.png'], { firstComment: text }),
  broken: brokenPosts,
  // Its tokens cannot be refreshed: one that has expired ends the post.
  optOut: { faults: ['token-expired'] },
})
