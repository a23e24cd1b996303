import {
  IconBoltFilled,
  IconBoxMultiple,
  IconCircleDashed,
  IconFileText,
  IconMovie,
  IconPlayerPlayFilled,
  type TablerIcon,
} from '@tabler/icons-react'
import type { PostKind } from '#contract'

const SIGNS: Readonly<Record<PostKind, TablerIcon>> = {
  STORY: IconCircleDashed,
  REEL: IconMovie,
  SHORT: IconBoltFilled,
  CAROUSEL: IconBoxMultiple,
  DOCUMENT: IconFileText,
  VIDEO: IconPlayerPlayFilled,
}

/** The kind of a post as a sign, where its word has no room; the word is in the name of what it is on. */
export function KindSign({ kind, size, className }: { kind: PostKind; size: number; className?: string | undefined }) {
  const Icon = SIGNS[kind]
  return <Icon size={size} aria-hidden className={className} data-kind={kind} />
}
