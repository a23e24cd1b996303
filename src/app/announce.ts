import { type AccountType, accountTypeEntry, SCOPES } from '#contract'
import { setupCodeOf } from '#domain'
import type { Networks } from '#networks'
import { oldestAccount } from '#persistence'
import type { Sandbox } from '#sandbox'
import type { Addresses } from './addresses.ts'
import type { Base } from './base.ts'
import type { Demo } from './demo.ts'

/** What a person and a script see on standard output once everything runs. The first line is the sign of readiness. */
export async function announce(
  base: Base,
  { addresses, local, sandbox }: { addresses: Addresses; local: string; sandbox: Sandbox | null },
): Promise<void> {
  const { config, networks, db } = base
  const lines = [`Almanac is running at ${local}`, '']
  if (addresses.publicUrl !== local) lines.push(`  Its public address is ${addresses.publicUrl}`, '')
  const account = await oldestAccount(db)
  // Where others can reach it, an account with a key is made by whoever runs the installation.
  if (!account && sandbox && !config.sandbox.open) {
    const { makeDemo } = await import('./demo.ts')
    const demo = await makeDemo(base, addresses, sandbox)
    const tried = textAccountType(networks)
    lines.push(
      '  A demo account was made. It publishes to pretend networks that run here; nobody else sees it.',
      `  Its API key, shown this once:  ${demo.key}`,
      `  Its owner:  ${demo.ownerEmail}, password ${demo.ownerPassword}`,
      '',
    )
    if (tried) {
      lines.push(
        '  Publish a first post:',
        '',
        curl(local, demo, tried.accountType),
        '',
        `  and look at it:  ${addresses.sandboxUrl}/${tried.network}`,
        '',
      )
    }
  } else {
    lines.push(
      ...(account
        ? ['  Make an API key:', `  npm run --silent almanac -- keys create --account ${account.id} ${KEY_OPTIONS}`]
        : setupLines(base, addresses)),
      ...(sandbox ? ['', `  The sandbox:  ${addresses.sandboxUrl}`] : []),
      '',
    )
  }
  lines.push(`  Documentation:  ${local}/docs`, `  Data: ${config.dataDir}. Stop with Ctrl-C.`, '')
  process.stdout.write(`${lines.join('\n')}\n`)
}

const KEY_OPTIONS = `--name NAME --scopes ${SCOPES.join(',')}`

/** Tells where the first account is made, of a process that says little; nothing when there is one. */
export async function announceSetup(base: Base, addresses: Addresses): Promise<void> {
  if (await oldestAccount(base.db)) return
  process.stdout.write(`${setupLines(base, addresses).join('\n')}\n`)
}

/** The code in the address keeps strangers from being faster than whoever runs the installation. */
function setupLines({ box }: Base, { publicUrl }: Addresses): string[] {
  return [
    '  There is no account yet. Make the first one in the dashboard:',
    `  ${publicUrl}/dashboard/setup#code=${setupCodeOf(box.derive('first-run')[0])}`,
    '  or without it:',
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
