import { checkCaption, checkForm, checkItem, type ItemRules, refuse } from '../../../src/networks/kit/rules.ts'
import type { Finding, PostToCheck, TextCount } from '../../../src/networks/network.ts'
import { form, limits } from './manifest.ts'

const network = 'Postcards'
/** Format and size are not looked at: pictures are fitted on the way. */
const picture: ItemRules = {
  what: 'A picture',
  altText: { limit: limits.altTextLength },
  unsent: {
    title: 'Postcards has no titles of pictures.',
    description: 'Postcards has no descriptions of pictures.',
    link: 'Postcards prints no links.',
    tags: 'Postcards knows no tags.',
  },
}

/** Everything that Postcards is known to refuse. */
export function checkPost(post: PostToCheck): Finding[] {
  const { actual } = countCaption(post)
  return [
    ...checkCaption(post, { network, limit: limits.textLength, actual }, 'always'),
    ...checkForm(network, form, post.media),
    ...post.media.flatMap((item, index) => checkItem(network, item, ['media', index], picture)),
    ...checkStamp(post),
  ]
}

/** Counted in code points. */
export function countCaption({ caption }: PostToCheck): TextCount {
  return { actual: [...caption].length, limit: limits.textLength.value }
}

/** What no table can say: one field bounds another. */
function checkStamp({ fields, media }: PostToCheck): Finding[] {
  const limit = limits.picturesAbroad.value
  if (fields.stamp !== 'ABROAD' || media.length <= limit) return []
  const message = `Postcards prints ${limit} picture on a card that goes abroad; this one has ${media.length}. Remove ${media.length - limit}, or choose another stamp.`
  return [refuse('post:media_count', ['media'], message, { limit, actual: media.length })]
}
