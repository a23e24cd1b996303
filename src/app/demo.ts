import { ACCOUNT_TYPES, USUAL_SCOPES } from '#contract'
import { newId } from '#domain'
import { createIdentity } from '#identity'
import {
  createAccount,
  createCredentialBox,
  createKey,
  DEMO,
  type DemoCalendarDeps,
  makeDemoCalendar,
  renewDemo,
} from '#operations'
import type { Sandbox } from '#sandbox'
import type { Addresses } from './addresses.ts'
import type { Base } from './base.ts'
import { atTerminal, type DemoSignIn, removeFirstSignIn, writeFirstSignIn } from './first-sign-in.ts'
import type { MediaParts } from './media.ts'
import type { Operator } from './operator.ts'

/** What a newcomer gets to try things with. */
export interface Demo {
  key: string
  ownerEmail: string
  ownerPassword: string
  socialSetId: string
}

/** Creates an account whose brand is connected to the simulators, and a key that may do everything. */
export async function makeDemo(
  { db, networks, box, config, log }: Base,
  { publicUrl }: Addresses,
  { sandbox, media }: { sandbox: Sandbox; media: Pick<MediaParts, 'store' | 'urls'> },
): Promise<Demo> {
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
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { accountId, ...created } = await createAccount(deps, {
    name: DEMO.account,
    plan: 'SCALE',
    timezone,
    sandbox: true,
    ownerEmail: null,
    operator: true,
  })
  const { key } = await createKey(deps, { accountId, name: DEMO.key, scopes: USUAL_SCOPES, socialSetIds: null })
  if (config.demoWeek) {
    const calendar = {
      db,
      box,
      networks,
      ...media,
      now: () => new Date(),
      remember: ({ accountType, at, ...post }: Parameters<DemoCalendarDeps['remember']>[0]) =>
        sandbox.remember(ACCOUNT_TYPES[accountType].network, {
          ...post,
          accountId: accountType,
          createdAt: at.toISOString(),
        }),
    }
    // Without it there is a demo account all the same.
    await makeDemoCalendar(calendar, { ...created, accountId, timezone }).catch((error: unknown) => {
      log.error({ error }, 'The calendar of the demo account could not be created')
    })
  }
  return { key, ...created }
}

/**
 * Gives the demo account another key and its owner another password; those before end. Without a terminal they are written
 * to a file, of which the path is given, unless the caller prints them by itself.
 *
 * @throws Refusal when there is no demo account
 */
export async function resetDemo(
  operator: Operator,
  { prints }: { prints: boolean },
): Promise<{ secrets: DemoSignIn; file: string | null }> {
  const { config, publicUrl } = operator
  const secrets = { dashboard: `${publicUrl}/dashboard`, ...(await renewDemo(operator)) }
  if (!prints && !atTerminal()) return { secrets, file: await writeFirstSignIn(config.dataDir, secrets) }
  await removeFirstSignIn(config.dataDir)
  return { secrets, file: null }
}
