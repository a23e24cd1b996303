import { SCOPES } from '#contract'
import { newId } from '#domain'
import { createIdentity } from '#identity'
import { createAccount, createCredentialBox, createKey } from '#operations'
import type { Sandbox } from '#sandbox'
import type { Addresses } from './addresses.ts'
import type { Base } from './base.ts'

/** What a newcomer gets to try things with. */
export interface Demo {
  key: string
  ownerEmail: string
  ownerPassword: string
  socialSetId: string
}

/** Makes an account whose brand is connected to the pretend networks, and a key that may do everything. */
export async function makeDemo({ db, networks, box }: Base, { publicUrl }: Addresses, sandbox: Sandbox): Promise<Demo> {
  const identity = createIdentity({
    db,
    newId,
    publicUrl,
    secrets: box.derive('sessions'),
  })
  const deps = {
    db,
    networks,
    identity,
    credentials: createCredentialBox(box),
    sandboxIdentity: sandbox.identityFor,
  }
  const { accountId, ...created } = await createAccount(deps, {
    name: 'Demo',
    plan: 'SCALE',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    sandbox: true,
    ownerEmail: null,
  })
  const { key } = await createKey(deps, { accountId, name: 'Demo key', scopes: SCOPES, socialSetIds: null })
  return { key, ...created }
}
