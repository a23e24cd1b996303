import type { Sample } from '../conformance/index.ts'

/** Posts that the network takes. For tests alone. */
export const textPost = (caption: string): Sample => ({ title: 'text', accountType: 'TWITTER', caption })

export const mediaPost = (caption: string, ...files: (string | { file: string; altText: string })[]): Sample => ({
  ...textPost(caption),
  media: files.map((file) => (typeof file === 'string' ? { file } : file)),
})
