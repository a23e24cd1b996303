import { type SigningKeys, sandboxSecret } from './kit/signed-tokens.ts'
import type { Manifest } from './network.ts'

/**
 * Name under which an identity keeps the address of the server that the operator named when connecting it. What the
 * operator names may be private (a server in the same house); what a network's answer names may not.
 */
export const OPERATOR_SERVICE = 'operator-service'

/** What of an identity decides which addresses are used for it. */
export interface IdentityPlace {
  sandbox: boolean
  /** Addresses by endpoint name that belong to the identity itself. */
  endpoints: Readonly<Record<string, string>>
}

/** Where an identity belongs, as far as addresses go. */
interface EndpointOptions {
  /** Addresses by endpoint name that belong to the identity itself. */
  identityEndpoints: Readonly<Record<string, string>>
  /** Whether the identity lives in the sandbox. */
  sandbox: boolean
  /** Address of the sandbox, without a slash at the end. */
  sandboxUrl: string
  /** The installation's values of the network's settings, by their names in the manifest. */
  settings: Readonly<Record<string, string>>
}

/**
 * The base address of an endpoint, without a slash at the end: the sandbox's for sandbox identities; else the
 * identity's own, the installation's, the network's. Throws for a name that the manifest does not have.
 */
export function resolveEndpoint(manifest: Manifest, name: string, options: EndpointOptions): string {
  const endpoint = manifest.endpoints[name]
  if (!endpoint) throw new TypeError(`${manifest.title} has no endpoint ${name}.`)
  const address = options.sandbox
    ? `${options.sandboxUrl}/${manifest.name}/${name}`
    : (options.identityEndpoints[name] ?? options.settings[endpoint.setting] ?? endpoint.default)
  return address.replace(/(?<!\/)\/+$/, '')
}

/**
 * A setting of the manifest: for sandbox identities the manifest's own, else the installation's. Empty when not set. A
 * secret of the sandbox is made of the installation's keys.
 */
export function resolveSetting(
  manifest: Manifest,
  name: string,
  options: { sandbox: boolean; sandboxKeys: SigningKeys; settings: Readonly<Record<string, string>> },
): string {
  const setting = manifest.settings[name]
  if (!setting) throw new TypeError(`${manifest.title} has no setting ${name}.`)
  const fallback = setting.default ?? ''
  if (!options.sandbox) return options.settings[name] ?? fallback
  if (setting.secret && setting.sandbox !== undefined) return sandboxSecret(options.sandboxKeys, manifest.name, name)
  return setting.sandbox ?? fallback
}
