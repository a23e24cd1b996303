import type { AccountType, Almanac, SocialSet } from '../../typescript/src/index.ts'
import { WrongUse } from './io.ts'

/** What people call networks. LinkedIn is the page or the person, whichever the brand has. */
const NAMES: Readonly<Record<string, readonly AccountType[]>> = {
  bluesky: ['BLUESKY'],
  facebook: ['FACEBOOK'],
  google: ['GMB'],
  instagram: ['INSTAGRAM'],
  linkedin: ['LINKEDIN_PAGE', 'LINKEDIN_PERSONAL'],
  pinterest: ['PINTEREST'],
  threads: ['THREADS'],
  tiktok: ['TIKTOK'],
  twitter: ['TWITTER'],
  x: ['TWITTER'],
  youtube: ['YOUTUBE'],
}

/** How a network is shown. */
export function networkOf(accountType: string): string {
  if (accountType === 'TWITTER') return 'x'
  const found = Object.entries(NAMES).find(([, types]) => (types as readonly string[]).includes(accountType))
  return found?.[0] ?? accountType.toLowerCase()
}

/**
 * The brand of a name or an id; without one, the only brand that the key sees.
 *
 * @throws WrongUse when there is none, or more than one
 */
export async function findBrand(almanac: Almanac, named: string | undefined): Promise<SocialSet> {
  const brands: SocialSet[] = []
  for await (const brand of almanac.socialSets.list({ size: 100 })) brands.push(brand)
  const names = brands.map(({ name }) => name).join(', ')
  if (named === undefined) {
    const [only, another] = brands
    if (only && !another) return only
    throw new WrongUse(only ? `Which brand? --brand is one of: ${names}.` : 'The key sees no brand.')
  }
  const wanted = named.toLowerCase()
  const found = brands.filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted)
  const [one, another] = found
  if (one && !another) return one
  if (another)
    throw new WrongUse(`Two brands are called ${named}. Name the id: ${found.map(({ id }) => id).join(', ')}.`)
  throw new WrongUse(`No brand is called ${named}. There are: ${names}.`)
}

/**
 * The accounts of a brand that names of networks mean; without names, all of them.
 *
 * @param names `bluesky,x`
 * @throws WrongUse when the brand has no such account
 */
export function accountsOf(brand: SocialSet, names: string | undefined): AccountType[] {
  const connected = brand.accounts.map(({ type }) => type as AccountType)
  if (connected.length === 0) throw new WrongUse(`${brand.name} has no accounts yet: connect them in the dashboard.`)
  if (names === undefined) return connected
  const wanted = names.split(',').map((name) => name.trim().toLowerCase())
  const types = wanted.flatMap((name) => {
    const meant = NAMES[name] ?? [name.toUpperCase() as AccountType]
    const found = meant.find((type) => connected.includes(type))
    if (found) return [found]
    const there = connected.map(networkOf).join(', ')
    throw new WrongUse(`${brand.name} has no account on ${name}. It has: ${there}.`)
  })
  return [...new Set(types)]
}
