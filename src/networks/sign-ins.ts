import type { Network, OAuth } from './network.ts'

/** A way to sign in on a network's own pages. */
export interface SignInWay {
  /** How people and commands name it; null where the network has no other. */
  name: string | null
  /** How rows name it: null for the first one. */
  kept: string | null
  /** For people; empty where the network has no other. */
  title: string
  description: string
  oauth: OAuth
}

/** The ways to sign in to a network, the first one first; none where it only knows passwords. */
export function signInsOf({ manifest, connect }: Pick<Network, 'manifest' | 'connect'>): SignInWay[] {
  const { oauth, otherSignIns = {} } = connect
  if (!oauth) return []
  const [first, ...others] = manifest.signIns ?? []
  const ways = others.flatMap(({ name, title, description }) => {
    const other = otherSignIns[name]
    return other ? [{ name, kept: name, title, description, oauth: other }] : []
  })
  const { name = null, title = '', description = '' } = first ?? {}
  return [{ name, kept: null, title, description, oauth }, ...ways]
}

/** The way of that name, as people or as rows give it; null asks for the first one. Null when there is none such. */
export function signInNamed(network: Pick<Network, 'manifest' | 'connect'>, name: string | null): SignInWay | null {
  return signInsOf(network).find((way) => way.kept === name || way.name === name) ?? null
}
