import { access, readdir, readFile } from 'node:fs/promises'
import type { AccountType } from '#contract'
import { refusingDocuments } from './documents.ts'
import type { Checks } from './kit/checks.ts'
import type { Manifest, Network } from './network.ts'

/** The networks of this installation. */
export interface Networks {
  all: readonly Network[]
  /** The network of that folder name. */
  named(name: string): Network | null
  /** The network that serves an account type; null while it has no connector. */
  serving(accountType: AccountType): Network | null
}

const HERE = new URL('./', import.meta.url)
const notNetworks = new Set(['kit', 'meta', 'conformance'])

/** Finds the network folders beside this file. Each has an `index.ts` that exports `network`. */
export async function loadNetworks(): Promise<Networks> {
  const rooms = await Promise.all(
    (await folders()).map((folder) => import(`./${folder}/index.ts`) as Promise<{ network: Network }>),
  )
  return networksOf(rooms.map(({ network }) => network))
}

/** What the networks declare, without their code: a quarter of the time, for those who call no network. */
export async function loadManifests(): Promise<readonly Manifest[]> {
  const rooms = await Promise.all(
    (await folders()).map((folder) => import(`./${folder}/manifest.ts`) as Promise<{ manifest: Manifest }>),
  )
  return rooms.map(({ manifest }) => manifest)
}

async function folders(): Promise<string[]> {
  const entries = await readdir(HERE, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && !notNetworks.has(entry.name))
    .map((entry) => entry.name)
    .sort()
}

/** A registry of given networks. */
export function networksOf(given: readonly Network[]): Networks {
  const all = given.map(refusingDocuments)
  return {
    all,
    named: (name) => all.find((network) => network.manifest.name === name) ?? null,
    serving: (accountType) => all.find((network) => network.manifest.accountTypes.includes(accountType)) ?? null,
  }
}

/** The network of a name that a row holds. Throws for one whose folder is gone. */
export function networkNamed(networks: Networks, name: string): Network {
  const network = networks.named(name)
  if (!network) throw new TypeError(`There is no network ${name}.`)
  return network
}

/** What the folder of a network says to people: markdown, with the network's title as its first heading. */
export function readNetworkPage({ manifest }: Network): Promise<string> {
  return readFile(new URL(`${manifest.name}/README.md`, HERE), 'utf8')
}

/** What the folder of a network asks beyond what all are asked, for `networks check`. Null when it has no such file. */
export async function loadChecks({ manifest: { name } }: Network): Promise<Checks | null> {
  const isThere = await access(new URL(`${name}/checks.ts`, HERE)).then(
    () => true,
    () => false,
  )
  return isThere ? ((await import(`./${name}/checks.ts`)) as { checks: Checks }).checks : null
}
