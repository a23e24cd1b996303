import { type AccountType, accountTypeEntry, USUAL_SCOPES } from '#contract'
import { setupCodeOf } from '#domain'
import type { Networks } from '#networks'
import { type Database, listOwners, oldestAccount } from '#persistence'
import type { Sandbox } from '#sandbox'
import type { Addresses } from './addresses.ts'
import type { Base } from './base.ts'
import type { Demo } from './demo.ts'
import { atTerminal, removeSetupAddress, writeFirstSignIn } from './first-sign-in.ts'
import type { MediaParts } from './media.ts'

/**
 * Prints what a person and a script need once everything runs. The first line is the sign of readiness. Secrets are printed
 * to a terminal alone; else a file in the data directory has them, which is named.
 */
export async function announce(
  base: Base,
  {
    addresses,
    local,
    sandbox,
    media,
  }: { addresses: Addresses; local: string; sandbox: Sandbox | null; media: Pick<MediaParts, 'store' | 'urls'> },
): Promise<void> {
  const { config, db } = base
  const lines = [`Almanac is running at ${local}`, '']
  if (addresses.publicUrl !== local) lines.push(`  Its public address is ${addresses.publicUrl}`, '')
  const account = await oldestAccount(db)
  // Where others can reach it, an account with a key is made by the operator.
  if (!account && sandbox && !config.sandbox.open) {
    const { makeDemo } = await import('./demo.ts')
    const demo = await makeDemo(base, addresses, { sandbox, media: { store: media.store, urls: media.urls } })
    lines.push(
      '  A demo account was created. It publishes to simulators that run here; no one else sees it.',
      ...(atTerminal() ? demoLines(base, demo, { addresses, local }) : await keptLines(base, addresses, demo)),
      '',
    )
  } else {
    lines.push(
      ...(account ? await laterLines(base, addresses, account.id) : await setupLines(base, addresses)),
      ...(sandbox ? ['', `  The sandbox:  ${addresses.sandboxUrl}`] : []),
      '',
    )
    if (account) await removeSetupAddress(config.dataDir)
  }
  lines.push(`  Documentation:  ${local}/docs`, `  Data: ${config.dataDir}. Stop with Ctrl-C.`, '')
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** What a later start says: where the dashboard is, how one gets in, and how a program does. */
async function laterLines({ db }: Base, { publicUrl }: Addresses, accountId: string): Promise<string[]> {
  return [
    `  Dashboard:  ${publicUrl}/dashboard`,
    // A mail address is no line for the log of a service.
    ...(atTerminal() ? await signInLines(db, accountId) : []),
    '',
    '  Make an API key:',
    `  npm run --silent almanac -- keys create --account ${accountId} --name NAME --scopes ${USUAL_SCOPES.join(',')}`,
  ]
}

async function signInLines(db: Database, accountId: string): Promise<string[]> {
  const owners = await listOwners(db, accountId, 2)
  const [only] = owners.length === 1 ? owners : []
  return [
    only === undefined
      ? '  Who signs in there:  npm run --silent almanac -- users list'
      : `  Sign in as:  ${only.email}`,
    `  Forgot the password? This prints a link to choose a new one:`,
    `  npm run --silent almanac -- users reset-link ${only?.email ?? 'ADDRESS'}`,
  ]
}

/** The demo account's secrets and a first post, for a person at a terminal. */
function demoLines(
  { networks }: Base,
  demo: Demo,
  { addresses, local }: { addresses: Addresses; local: string },
): string[] {
  const tried = textAccountType(networks)
  return [
    `  Its API key, shown this once:  ${demo.key}`,
    `  Its owner:  ${demo.ownerEmail}, password ${demo.ownerPassword}`,
    `  Dashboard:  ${addresses.publicUrl}/dashboard`,
    ...(tried
      ? [
          '',
          '  Publish a first post:',
          '',
          curl(local, demo, tried.accountType),
          '',
          `  and look at it:  ${addresses.sandboxUrl}/${tried.network}`,
        ]
      : []),
  ]
}

async function keptLines({ config }: Base, { publicUrl }: Addresses, demo: Demo): Promise<string[]> {
  const { ownerEmail, ownerPassword, key } = demo
  const secrets = { dashboard: `${publicUrl}/dashboard`, ownerEmail, ownerPassword, key }
  return [
    `  Its API key and its owner's password are in ${await writeFirstSignIn(config.dataDir, secrets)}`,
    '  Only this user can read that file. almanac demo reset makes another key and password.',
  ]
}

/** Prints that a process that says little is ready, and where the first account is created while there is none. */
export async function announceReady(base: Base, addresses: Addresses, ready: string): Promise<void> {
  const account = await oldestAccount(base.db)
  if (account) await removeSetupAddress(base.config.dataDir)
  const lines = [ready, ...(account ? [] : await setupLines(base, addresses))]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** The code in the address keeps strangers from being faster than the operator of the installation. */
async function setupLines({ box, config }: Base, { publicUrl }: Addresses): Promise<string[]> {
  const setup = `${publicUrl}/dashboard/setup#code=${setupCodeOf(box.derive('first-run')[0])}`
  return [
    ...(atTerminal()
      ? ['  There is no account yet. Create the first one in the dashboard:', `  ${setup}`]
      : [
          '  There is no account yet. The address at which the first one is created in the dashboard is in',
          `  ${await writeFirstSignIn(config.dataDir, { setup })}`,
        ]),
    '  or create it without the dashboard:',
    '  npm run --silent almanac -- accounts create --name NAME --plan SCALE',
  ]
}

/** An account type that takes a post of text alone, for the first thing that a person tries. */
function textAccountType(networks: Networks): { network: string; accountType: AccountType } | null {
  for (const network of networks.all) {
    for (const accountType of network.manifest.accountTypes) {
      const { fields } = accountTypeEntry(accountType)
      if (Object.values(fields).some(({ required }) => required)) continue
      if (network.checkPost({ accountType, caption: 'Hello', fields: {}, media: [] }, {}).length > 0) continue
      return { network: network.manifest.name, accountType }
    }
  }
  return null
}

function curl(address: string, demo: Demo, accountType: AccountType): string {
  const body = {
    socialSetId: demo.socialSetId,
    scheduledAt: new Date().toISOString(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [{ accountType, caption: 'Hello from Almanac', media: [] }],
  }
  return `curl -sS ${address}/v1/post-sets -H 'authorization: Bearer ${demo.key}' \\
  -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
}
