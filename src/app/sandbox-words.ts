import type { Config } from '#config'

type Place = Pick<Config, 'host' | 'publicUrl' | 'sandbox'>

/** Why a sandbox that others can reach is a risk, and what to do. */
export function openSandboxWords(config: Place): string {
  return `The sandbox is on where others can reach it (${placeOf(config)}): anyone can read what its simulators hold. Set ALMANAC_SANDBOX=off unless that is wanted.`
}

/** Why `almanac sandbox` does not start there. */
export function closedSandboxWords(config: Place): string {
  return `The sandbox is off where others can reach it (${placeOf(config)}): anyone could read what its simulators hold. Set ALMANAC_SANDBOX=on if that is wanted, or set these to addresses of this machine.`
}

function placeOf({ host, publicUrl, sandbox }: Place): string {
  const places = [
    `ALMANAC_HOST is ${host}`,
    ...(publicUrl === null ? [] : [`ALMANAC_PUBLIC_URL ${publicUrl}`]),
    ...(sandbox.url === null ? [] : [`ALMANAC_SANDBOX_URL ${sandbox.url}`]),
  ]
  return places.join(', ')
}
