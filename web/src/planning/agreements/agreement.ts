// What a network has people decide and agree to for each post (`agreement` of `GET /v1/networks`).
import type { Agreement, ConnectionCapabilities, NetworkDescription, PostOptions } from '#contract'

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

/** Nothing of it is decided about a post with these options; `account`: what its network said of it, where that is known. */
export function isSpared(
  { agreement: { unless } }: AgreeingNetwork,
  options: PostOptions,
  account?: Pick<ConnectionCapabilities, 'spared'>,
): boolean {
  if (!unless) return false
  const chosen = options[unless.option] ?? null
  return chosen === null ? account?.spared === true : chosen === unless.value
}

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

/**
 * What is sent: a switch that is not on is off, also where the default of the account is another one. Where nothing is decided here,
 * nothing of it is.
 */
export function optionsToSend(
  network: NetworkDescription | undefined,
  options: PostOptions | null,
  account?: Pick<ConnectionCapabilities, 'spared'>,
): PostOptions | null {
  if (!isAgreeing(network)) return options
  const off = network.options.filter((option) => option.perPost && isSwitch(option)).map(({ name }) => [name, false])
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== null)
  if (isSpared(network, options ?? {}, account)) {
    const ofPost = network.options.filter(({ perPost }) => perPost).map(({ name }) => name)
    return Object.fromEntries(given.filter(([name]) => !ofPost.includes(name)))
  }
  return { ...Object.fromEntries(off), ...Object.fromEntries(given) }
}

/** What has to be chosen is not chosen yet. */
export const lacksDecision = (network: AgreeingNetwork, options: PostOptions): boolean =>
  !isSpared(network, options) &&
  network.options.some(({ name, perPost, required }) => perPost && required && (options[name] ?? null) === null)

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
