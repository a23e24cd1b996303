import { type Database, type DatabaseAddress, openDatabase, POOLED_ROLE_SETTINGS, readSessionFacts } from '#persistence'
import { NO_SESSIONS } from './base.ts'
import type { Finding } from './finding.ts'

/**
 * What a pooler in transaction mode takes from Almanac: limits of statements are then those of the role, and what needs a
 * session has a way of its own.
 *
 * @param db on the direct way, where there is one
 */
export async function examinePooler(address: DatabaseAddress, db: Database): Promise<Finding[]> {
  if (!address.pooled) return []
  const pooled = openDatabase(address, { poolSize: 1, name: 'almanac-doctor' })
  try {
    const names = Object.keys(POOLED_ROLE_SETTINGS)
    const facts = await readSessionFacts(pooled, names)
    const direct = address.directUrl === null ? null : await readSessionFacts(db, names)
    const without = Object.entries(POOLED_ROLE_SETTINGS).filter(([name]) => facts.settings[name] === '0')
    return [
      ...(direct === null ? [finding('warning', NO_SESSIONS)] : []),
      ...(direct !== null && (direct.startedAt !== facts.startedAt || direct.database !== facts.database)
        ? [finding('problem', 'ALMANAC_DATABASE_DIRECT_URL leads to another database than DATABASE_URL.')]
        : []),
      without.length === 0
        ? finding('ok', 'Statements through the pooler have the limits of the role.')
        : finding(
            'warning',
            `Through the pooler, statements outside of transactions have no limits (${without.map(([name]) => name).join(', ')}). Run: ${without.map(([name, value]) => `alter role "${facts.role}" in database "${facts.database}" set ${name} = '${value}';`).join(' ')} Then run RECONNECT in the pooler's console, or restart it.`,
          ),
    ]
  } finally {
    await pooled.destroy()
  }
}

const finding = (status: Finding['status'], message: string): Finding => ({ check: 'database', status, message })
