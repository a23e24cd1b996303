import type { AccountType, NetworkDescription, PostOptions, SocialSet } from '#contract'
import { type AgreeingNetwork, isAgreeing, isSpared } from '../planning/agreements/agreement.ts'
import { agreementProblems, isDecidedHere } from '../planning/agreements/agreement-problems.ts'
import { type AskedAccount, useAskedAccounts } from '../planning/agreements/use-asked-accounts.ts'
import { problemWords } from '../planning/posts/problem-words.ts'
import { mediaOf, optionsOf } from './draft.ts'
import type { Draft } from './draft-shape.ts'
import type { PostSetBody } from './post-set-queries.ts'
import { type LiveCheck, useLiveCheck } from './use-live-check.ts'

interface Agreements {
  /** The check of the server, with what networks say of their accounts and what is not decided yet. */
  check: LiveCheck
  /** Why it cannot be scheduled or published as it is decided; null when it can. */
  blocked: string | null
  declared: readonly { network: AgreeingNetwork; options: PostOptions }[]
}

const agreeingPosts = (networks: readonly NetworkDescription[], draft: Draft) =>
  draft.posts.flatMap((post, index) => {
    const network = networks.find(({ accountType }) => accountType === post.accountType)
    return isAgreeing(network) ? [{ post, index, network }] : []
  })

/** Asks the networks about the accounts of a draft that have people decide about each post. */
export const useAgreeingAccounts = (socialSet: SocialSet, networks: readonly NetworkDescription[], draft: Draft) =>
  useAskedAccounts(
    socialSet,
    agreeingPosts(networks, draft).map(({ network }) => network.accountType),
  )

/** Checks what is written, and what is decided about it. */
export function useAgreements(
  networks: readonly NetworkDescription[],
  draft: Draft,
  accounts: ReadonlyMap<AccountType, AskedAccount>,
  body: PostSetBody,
): Agreements {
  const check = useLiveCheck(body)
  const agreeing = agreeingPosts(networks, draft)
  const spared = ({ post, network }: (typeof agreeing)[number]) =>
    isSpared(network, optionsOf(post), accounts.get(network.accountType)?.data)
  const deciding = agreeing.filter((each) => !spared(each))
  if (agreeing.length === 0 || check.tooLong) return { check, blocked: null, declared: [] }
  const own = deciding.flatMap(({ post, index, network }) => {
    const media = mediaOf(draft, post).filter(({ upload }) => upload === null)
    const decided = { options: optionsOf(post), ...(post.discloses === undefined ? {} : { discloses: post.discloses }) }
    return agreementProblems(index, { network, asked: accounts.get(network.accountType), decided, media })
  })
  const undecided = check.problems.filter((problem) =>
    deciding.some(({ index, network }) => isDecidedHere(problem, index, network)),
  )
  const isAsked = [...accounts.values()].some((account) => account.isAsked)
  const [first] = [...own, ...undecided]
  return {
    check: { ...check, problems: [...own, ...check.problems], checking: check.checking || isAsked },
    blocked: first ? problemWords(first) : null,
    declared: deciding.map(({ post, network }) => ({ network, options: optionsOf(post) })),
  }
}
