import { createSecretBox } from '#domain'
import { createCredentialBox } from '#operations'
import { type Database, storeResealed } from '#persistence'
import { type Claims, openTokens } from '../../../src/networks/bluesky/simulator/tokens.ts'
import { signedTokens } from '../../../src/networks/toolkit/signed-tokens.ts'

/** How long an access token of Bluesky is good for. */
const ACCESS_SECONDS = 2 * 3_600

/**
 * Makes the access tokens of a dump's accounts at Bluesky as good as when they were made: the simulators go by the real
 * clock, and know nothing of the refresh tokens, since their own records are no part of a dump.
 */
export async function renewSignIns(db: Database, secretKey: string): Promise<void> {
  const box = createSecretBox([Buffer.from(secretKey, 'base64')])
  const credentials = createCredentialBox(box)
  const tokens = openTokens({ tokens: signedTokens(box.derive('sandbox'), 'bluesky') })
  const identities = await db
    .selectFrom('network_identities')
    .select(['id', 'secret', 'secret_key_id as secretKeyId'])
    .where('network', '=', 'bluesky')
    .execute()
  for (const { id, secret, secretKeyId } of identities) {
    if (!secret || !secretKeyId) continue
    const opened = credentials.open(id, { secret, secretKeyId })
    const [, payload = ''] = opened.accessJwt?.split('.') ?? []
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims
    const accessJwt = tokens.sign({ ...claims, exp: Math.floor(Date.now() / 1_000) + ACCESS_SECONDS })
    await storeResealed(db, 'network_identities', id, credentials.seal(id, { ...opened, accessJwt }))
  }
}
