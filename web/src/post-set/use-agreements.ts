import type { AccountType, NetworkDescription, PostOptions, SocialSet } from '#contract'
import { type AgreeingNetwork, isAgreeing, isSpared } from '../planning/agreement.ts'
import { agreementProblems, isDecidedHere } from '../planning/agreement-problems.ts'
import { problemWords } from '../planning/problem-words.ts'
import { type AskedAccount, useAskedAccounts } from '../planning/use-asked-accounts.ts'
import { mediaOf, optionsOf } from './draft.ts'
import type { Draft } from './draft-shape.ts'
import type { PostSetBody } from './post-set-queries.ts'
import { type LiveCheck, useLiveCheck } from './use-live-check.ts'

interface Agreements {
  /** The check of the server, with what networks say of their accounts and what is not decided yet. */
  check: LiveCheck
  accounts: ReadonlyMap<AccountType, AskedAccount>
  /** Why it cannot be scheduled or published as it is decided; null when it can. */
  blocked: string | null
  declared: readonly { network: AgreeingNetwork; options: PostOptions }[]
}

/** Checks what is written, and asks the networks about its accounts that have people decide about each post. */
export function useAgreements(
  socialSet: SocialSet,
  networks: readonly NetworkDescription[],
  draft: Draft,
  body: PostSetBody,
): Agreements {
  const check = useLiveCheck(body)
  const agreeing = draft.posts.flatMap((post, index) => {
    const network = networks.find(({ accountType }) => accountType === post.accountType)
    return isAgreeing(network) ? [{ post, index, network }] : []
  })
  const accounts = useAskedAccounts(
    socialSet,
    agreeing.map(({ network }) => network.accountType),
  )
  const spared = ({ post, network }: (typeof agreeing)[number]) =>
    isSpared(network, optionsOf(post), accounts.get(network.accountType)?.data)
  const deciding = agreeing.filter((each) => !spared(each))
  if (agreeing.length === 0 || check.tooLong) return { check, accounts, blocked: null, declared: [] }
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
    accounts,
    blocked: first ? problemWords(first) : null,
    declared: deciding.map(({ post, network }) => ({ network, options: optionsOf(post) })),
  }
}
