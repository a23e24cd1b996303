// What a network has people decide and agree to for each post (`agreement` of `GET /v1/networks`).
import { t } from '@lingui/core/macro'
import type { Agreement, NetworkDescription, PostOptions, ProblemEntry } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { wordsOfWhy } from '../language/server-words.ts'
import type { AskedAccount } from './use-asked-accounts.ts'

/** What was decided about one post so far. */
export interface Decided {
  options: PostOptions
  /** The switch of the disclosure, where it was used; else it follows from what is on. */
  discloses?: boolean
}

/** A network with such words. */
export type AgreeingNetwork = NetworkDescription & { agreement: Agreement }

export const isAgreeing = (network: NetworkDescription | undefined): network is AgreeingNetwork =>
  network !== undefined && network.agreement !== null

type Option = NetworkDescription['options'][number]

const isSwitch = ({ schema }: Option) => schema.type === 'boolean'

/** Those of its options that people choose for each post: lists, and switches of what others may do. */
export function askedOptions({ options, agreement }: AgreeingNetwork, hasVideo: boolean | null) {
  const disclosed = agreement.disclosure.options.map(({ option }) => option)
  const asked = options.filter(
    ({ name, perPost, media }) =>
      perPost && !disclosed.includes(name) && (media === null || hasVideo === null || (media === 'VIDEO') === hasVideo),
  )
  return { lists: asked.filter((option) => !isSwitch(option)), switches: asked.filter(isSwitch) }
}

/** What is sent: a switch that is not on is off, also where the default of the account is another one. */
export function optionsToSend(
  network: NetworkDescription | undefined,
  options: PostOptions | null,
): PostOptions | null {
  if (!isAgreeing(network)) return options
  const off = network.options.filter((option) => option.perPost && isSwitch(option)).map(({ name }) => [name, false])
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(off), ...Object.fromEntries(given) }
}

/** What has to be chosen is not chosen yet. */
export const lacksDecision = ({ options: known }: AgreeingNetwork, options: PostOptions): boolean =>
  known.some(({ name, perPost, required }) => perPost && required && (options[name] ?? null) === null)

export function isDisclosing({ options, discloses }: Decided, { disclosure }: Agreement): boolean {
  return discloses ?? disclosure.options.some(({ option }) => options[option] === true)
}

/** Why a value cannot be chosen beside the others; null when it can. */
export function excludes(
  { exclusions }: Agreement,
  options: PostOptions,
  option: string,
  value: string,
): string | null {
  const found = exclusions.find((each) => each.option === option && each.value === value && options[each.by] === true)
  return found?.message ?? null
}

/** What posting means with these options. */
export function declarationOf(
  { declarations }: Agreement,
  options: PostOptions,
): Agreement['declarations'][number] | null {
  return declarations.find(({ option }) => option === null || options[option] === true) ?? null
}

interface Asking {
  network: AgreeingNetwork
  /** Undefined: the account is not connected, which is said elsewhere. */
  asked: AskedAccount | undefined
  decided: Decided
  /** Of the files that are there. */
  media: readonly { type: 'IMAGE' | 'VIDEO'; durationMs: number | null }[]
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
