import type { Finding, Network, PostToCheck } from './network.ts'

/**
 * The network with the one rule of documents that all share: an account type whose forms take none refuses each, in the same words, and
 * the rules of its folder never see one. Its other findings about media are left out: they would speak of a post without the document.
 */
export function refusingDocuments(network: Network): Network {
  const { manifest } = network
  return {
    ...network,
    checkPost(post, defaults) {
      const takes = (manifest.forms[post.accountType] ?? []).some(({ media }) => media.documents > 0)
      const refused = takes ? [] : documentsIn(post, manifest.title)
      if (refused.length === 0) return network.checkPost(post, defaults)
      const media = post.media.filter(({ facts }) => facts.type !== 'DOCUMENT')
      const others = network.checkPost({ ...post, media }, defaults)
      return [
        ...refused,
        ...others.filter(({ code, steps }) => steps[0] !== 'media' && code !== 'post:caption_required'),
      ]
    },
  }
}

function documentsIn({ media }: PostToCheck, title: string): Finding[] {
  const message = `${title} takes no documents. Use pictures or a video, or leave this network out.`
  return media.flatMap(({ facts }, index): Finding[] =>
    facts.type === 'DOCUMENT' ? [{ code: 'post:media_type', steps: ['media', index], message }] : [],
  )
}
