import { Anchor, Text } from '@mantine/core'
import type { PostOptions } from '#contract'
import { type AgreeingNetwork, declarationOf } from './agreement.ts'

/** What posting means, in the words of the network: English in every language. */
export function Declaration({ network, options }: { network: AgreeingNetwork; options: PostOptions }) {
  const declared = declarationOf(network.agreement, options)
  if (!declared) return null
  const { text, links } = declared
  const pieces = links.reduce<(string | { text: string; url: string })[]>(
    (left, link) =>
      left.flatMap((piece) => {
        if (typeof piece !== 'string') return [piece]
        const [before = '', ...after] = piece.split(link.text)
        return after.length === 0 ? [piece] : [before, link, after.join(link.text)]
      }),
    [text],
  )
  return (
    <Text size="xs" lang="en" dir="ltr" data-untranslated data-declaration>
      {pieces.map((piece) =>
        typeof piece === 'string' ? (
          piece
        ) : (
          <Anchor key={piece.url} href={piece.url} target="_blank" rel="noopener noreferrer" inherit underline="always">
            {piece.text}
          </Anchor>
        ),
      )}
    </Text>
  )
}
