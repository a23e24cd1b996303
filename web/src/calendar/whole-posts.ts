import type { AccountType, Post } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { commentIn, fieldName } from '../planning/posts/field-words.ts'

/** What is written of a post; some have fields of their own beside these. */
type Written = Pick<Post, 'accountType' | 'caption' | 'thread'> & Readonly<Record<string, unknown>>

/** All parts and the first comment of the posts of a set; where they differ, below the names of the networks. */
export function wholePosts(posts: readonly Written[]): string {
  const networksOf = new Map<string, AccountType[]>()
  for (const post of posts) {
    const text = wholePost(post)
    networksOf.set(text, [...(networksOf.get(text) ?? []), post.accountType])
  }
  const [[only = ''] = [], ...others] = [...networksOf]
  if (others.length === 0) return only
  return [...networksOf].map(([text, types]) => `${listOf(types.map(networkName))}:\n${text}`.trim()).join('\n\n')
}

function wholePost(post: Written): string {
  const comment = commentIn(post)
  const parts = [post.caption, ...(post.thread ?? []).map(({ caption }) => caption)].map((text) => text.trim())
  const behind = comment === '' ? [] : [`${fieldName('firstComment')}: ${comment}`]
  return [...parts, ...behind].filter((text) => text !== '').join('\n\n')
}
