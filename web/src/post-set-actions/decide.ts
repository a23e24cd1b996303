import type { AccountType, PostOptions, PostSet } from '#contract'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { type AgreeingNetwork, isAgreeing, lacksDecision, optionsToSend } from '../planning/agreements/agreement.ts'
import { networksQuery } from '../planning/brands/networks-query.ts'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import type { Ask, Decision } from './prompt.ts'

type Posts = PostSet['posts']

/**
 * Drafts that are about to be scheduled, once it is decided about those of their posts that networks want decided: copies, drafts of
 * programs, and one post per file have no audience. What is decided is written into the drafts. Null: the person turned back.
 */
export async function decideAbout(
  subjects: readonly PostSetSubject[],
  ask: Ask,
): Promise<readonly PostSetSubject[] | null> {
  const networks = (await queryClient.ensureQueryData(networksQuery)).filter(isAgreeing)
  const isAsked = ({ networks: on }: PostSetSubject) =>
    networks.some(({ accountType }) => on.some((each) => each.accountType === accountType))
  const sets = new Map<string, PostSet>()
  for (const { id } of subjects.filter(isAsked)) sets.set(id, await call('GET /post-sets/:id', { params: { id } }))
  let decided = [...subjects]
  for (const network of networks) {
    const lacking = decided.filter(({ id }) => sets.get(id)?.posts.some((post) => lacks(network, post)))
    const asked = await Promise.all(lacking.map(({ id }) => isMissed(network, sets.get(id))))
    const undecided = lacking.filter((_, index) => asked[index])
    if (undecided.length === 0) continue
    const media = undecided.flatMap(({ id }) =>
      (sets.get(id)?.posts ?? []).filter((post) => lacks(network, post)).flatMap((post) => post.media),
    )
    const decision = await ask<'decide'>((answer) => ({ kind: 'decide', network, subjects: undecided, media, answer }))
    if (decision === null) return null
    for (const { id, version } of undecided) {
      const before = sets.get(id)
      const posts = before && postsWith(before.posts, network, decision)
      // What is for this network alone stays a draft, and the server says why.
      if (!posts || posts.length === 0) continue
      const written = await call('PATCH /post-sets/:id', { params: { id }, ifMatch: version, body: { posts } })
      sets.set(id, written)
      decided = decided.map((each) => (each.id === id ? { ...each, version: written.version } : each))
    }
  }
  return decided
}

const lacks = (network: AgreeingNetwork, { accountType, options }: Posts[number]) =>
  accountType === network.accountType && lacksDecision(network, (options ?? {}) as PostOptions)

/** Whether the server misses it too: with some publishing defaults of the account nothing has to be chosen. */
async function isMissed({ options }: AgreeingNetwork, set: PostSet | undefined): Promise<boolean> {
  if (!set) return false
  const { socialSetId, scheduledAt, approval } = set
  // As a new set: only what is said of options is read.
  const files = (media: Posts[number]['media']) => media.map(({ mediaLibraryId }) => ({ mediaLibraryId }))
  const posts = set.posts.map(({ id: _, result: __, thread, ...post }) => ({
    ...post,
    media: files(post.media),
    ...(thread && { thread: thread.map((part) => ({ caption: part.caption, media: files(part.media) })) }),
  }))
  const body = { socialSetId, scheduledAt, approval, status: 'SCHEDULED' as const, posts }
  const { problems } = await call('POST /post-sets/validate', { body })
  return options.some(({ name, perPost }) => perPost && problems.some(({ path }) => path.endsWith(`.options.${name}`)))
}

function postsWith(posts: Posts, network: AgreeingNetwork, decision: Decision) {
  const is = (accountType: AccountType) => accountType === network.accountType
  return posts.flatMap(({ result: _, ...post }) => {
    if (!is(post.accountType)) return [post]
    if (decision === 'leave-out') return []
    return [
      { ...post, options: optionsToSend(network, { ...((post.options ?? {}) as PostOptions), ...decision.options }) },
    ]
  })
}
