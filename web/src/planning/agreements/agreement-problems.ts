import { t } from '@lingui/core/macro'
import type { MediaType, ProblemEntry } from '#contract'
import { networkName } from '../../design/network-icon.tsx'
import { wordsOfWhy } from '../../language/server-words.ts'
import { type AgreeingNetwork, type Decided, isDisclosing } from './agreement.ts'
import type { AskedAccount } from './use-asked-accounts.ts'

interface Asking {
  network: AgreeingNetwork
  /** Undefined: the account is not connected, which is said elsewhere. */
  asked: AskedAccount | undefined
  decided: Decided
  /** Of the files that are there. */
  media: readonly { type: MediaType; durationMs: number | null }[]
}

/** What stops a post beside the rules of the server: what its account says at this moment, and what is not decided yet. */
export function agreementProblems(index: number, { network, asked, decided, media }: Asking): ProblemEntry[] {
  const { accountType, agreement } = network
  const name = networkName(accountType)
  const at = (path: string, message: string, more: Partial<ProblemEntry> = {}): ProblemEntry => ({
    code: 'post:agreement',
    message,
    path: `posts[${index}].${path}`,
    pointer: `#/posts/${index}/${path.replaceAll('.', '/')}`,
    accountType,
    ...more,
  })
  const found: ProblemEntry[] = []
  const account = asked?.data
  if (asked?.error) found.push(at('accountType', t`${name} does not say what the account may do now. Ask again.`))
  if (account?.refusal) found.push(at('accountType', wordsOfWhy(account.refusal)))
  const most = account?.maxVideoSeconds ?? null
  for (const [place, { type, durationMs }] of media.entries()) {
    const seconds = type === 'VIDEO' ? (durationMs ?? 0) / 1_000 : 0
    if (most === null || seconds <= most) continue
    const numbers = { code: 'post:media_duration', limit: most, actual: seconds }
    found.push(at(`media[${place}]`, t`The video is longer than this account may post.`, numbers))
  }
  for (const { option, values } of account?.refusal ? [] : (account?.offered ?? [])) {
    const chosen = decided.options[option]
    if (typeof chosen !== 'string' || values.includes(chosen)) continue
    found.push(at(`options.${option}`, t`${name} no longer offers this to the account. Choose again.`))
  }
  const { disclosure } = agreement
  const isNamed = disclosure.options.some(({ option }) => decided.options[option] === true)
  const [first] = disclosure.options
  if (first && isDisclosing(decided, agreement) && !isNamed)
    found.push(at(`options.${first.option}`, disclosure.missing))
  return found
}

/** Of problems of the server, those that are decided where the words of the network are. */
export function isDecidedHere({ path }: ProblemEntry, index: number, network: AgreeingNetwork): boolean {
  return network.options.some(({ name, perPost }) => perPost && path === `posts[${index}].options.${name}`)
}
