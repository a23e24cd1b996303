import type { Config } from '#config'

/** Why a sandbox that others can reach is a risk, and what to do. */
export function openSandboxWords({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): string {
  const where =
    publicUrl === null ? `ALMANAC_HOST is ${host}` : `ALMANAC_HOST is ${host}, ALMANAC_PUBLIC_URL ${publicUrl}`
  return `The sandbox is on where others can reach it (${where}): anyone can read what its simulators hold. Set ALMANAC_SANDBOX=off unless that is wanted.`
}
