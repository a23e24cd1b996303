import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { PostKind } from '#contract'
import { translated } from '../../language/translated.ts'

/** What a post is called that is more than a text with pictures. */
export const KINDS = {
  STORY: msg`Story`,
  REEL: msg`Reel`,
  SHORT: msg`Short`,
  CAROUSEL: msg`Carousel`,
  DOCUMENT: msg`Document`,
  VIDEO: msg`Video`,
} as const satisfies Record<PostKind, MessageDescriptor>

const KIND_WORDS = translated<PostKind>(KINDS)

/** "Reel, Short": of posts that go out together; null where none is more than a text with pictures. */
export function kindsText(kinds: readonly PostKind[]): string | null {
  return kinds.length === 0 ? null : kinds.map((kind) => KIND_WORDS[kind]).join(', ')
}

/** The same beside what a post is called; null of one without a text, whose name it is. */
export function kindsBeside({ excerpt, kinds }: { excerpt: string; kinds: readonly PostKind[] }): string | null {
  return excerpt.trim() === '' ? null : kindsText(kinds)
}
