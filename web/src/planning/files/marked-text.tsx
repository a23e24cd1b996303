import { captionParts } from './caption-parts.ts'
import type { PreviewLook } from './preview-looks.ts'

/** A caption with its hashtags, mentions and addresses marked. */
export function MarkedText({ text, as: Mark = 'span', className }: MarkedTextProps) {
  return captionParts(text).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
      <Mark key={index} className={className}>
        {part}
      </Mark>
    ) : (
      part
    ),
  )
}

interface MarkedTextProps {
  text: string
  as?: 'span' | 'mark'
  /** Of what is marked. */
  className?: string | undefined
}

/** What a network has below a post, such as hearts and arrows. */
export function PreviewSigns({ look, className }: { look: PreviewLook; className: string | undefined }) {
  if (look.signs.length === 0) return null
  return (
    <div className={className} aria-hidden>
      {look.signs.map((Sign, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the signs of a network never change
        <Sign key={index} size={18} />
      ))}
    </div>
  )
}
