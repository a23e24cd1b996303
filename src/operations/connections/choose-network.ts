import type { AccountType } from '#contract'
import type { Network, Networks } from '#networks'
import { Refusal } from '../refusal.ts'

/**
 * The network with that name, and the account type: it must be given if the network has more than one.
 *
 * @throws Refusal
 */
export function chooseNetwork(
  networks: Networks,
  wanted: { network: string; accountType: AccountType | null },
): { network: Network; accountType: AccountType } {
  const network = networks.named(wanted.network)
  if (network) return { network, accountType: chooseAccountType(network, wanted.accountType) }
  const names = networks.all.map((candidate) => candidate.manifest.name).join(', ')
  throw new Refusal(`There is no network ${wanted.network}. Available: ${names}.`)
}

function chooseAccountType(network: Network, wanted: AccountType | null): AccountType {
  const { accountTypes, title } = network.manifest
  if (wanted !== null && accountTypes.includes(wanted)) return wanted
  const [only, ...others] = accountTypes
  if (wanted === null && only && others.length === 0) return only
  throw new Refusal(`${title} serves ${accountTypes.join(' and ')}: say which with --account-type.`)
}
