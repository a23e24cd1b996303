import type { AccountType } from '#contract'
import type { Subject } from './gate.ts'

/** Whose ids are whose: of posts, sets, deliveries, connections and identities of the posts under way. */
export interface Ids {
  add(id: string, accountType: AccountType): void
  clear(): void
  /** The account types whose ids are in a text. */
  in(text: string): ReadonlySet<AccountType>
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export function createIds(): Ids {
  const known = new Map<string, AccountType>()
  return {
    add: (id, accountType) => void known.set(id, accountType),
    clear: () => known.clear(),
    in(text) {
      const found = new Set<AccountType>()
      for (const [id] of text.matchAll(UUID)) {
        const accountType = known.get(id)
        if (accountType) found.add(accountType)
      }
      return found
    },
  }
}

/** Statements with a name of their own; the others are called by their verb and their table. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/set status = 'PUBLISHING', claimed_at/, 'claim sets'],
  [/under_way as materialized/, 'take deliveries'],
  [/hashtextextended\('almanac events'/, 'take happened'],
  [/with recursive .*waiting_connections/s, 'move up'],
  [/first_fenced_at"? = coalesce/, 'fence'],
  [/^with "written" as/, 'insert deliveries'],
  [/^with "post_set" as materialized/, 'end deliveries'],
  [/^with forgotten as/, 'publish sets'],
  [/"refresh_until" = (?!\$|null)/, 'lease of a refresh'],
]

/** A renewed lease comes when it comes: it is no event of a post. */
const RENEWAL = /^update "deliveries" set "lease_until" = [^,]* where/

/** What a statement is called; null for what is no event of a post. */
export function statementName(text: string): string | null {
  const plain = text.trim()
  if (/^(begin|start transaction)/i.test(plain)) return 'BEGIN'
  if (/^commit/i.test(plain)) return 'COMMIT'
  if (/^rollback/i.test(plain)) return 'ROLLBACK'
  if (RENEWAL.test(plain)) return null
  for (const [pattern, name] of NAMED) if (pattern.test(plain)) return name
  const [, verb = 'statement'] = /^\s*(?:with .*?\)\s*)?(\w+)/s.exec(plain) ?? []
  const lower = verb.toLowerCase()
  const [, table = ''] =
    (lower === 'update' ? /update "?(\w+)/i : lower === 'insert' ? /insert into "?(\w+)/i : /from "?(\w+)/i).exec(
      plain,
    ) ?? []
  return `${lower} ${table}`.trim()
}

/** What one transaction of a connection is about. */
export interface Transaction {
  subjects: Set<AccountType>
  isClaim: boolean
  /** Gives positions to what happened, of posts and others alike: no event of one. */
  isOfEvents: boolean
}

/** Whose event a statement is: of each post that it is about, as posts share transactions; empty when it is of none. */
export function subjectsOf(
  name: string,
  found: ReadonlySet<AccountType>,
  transaction: Transaction | null,
): readonly Subject[] {
  if (name === 'claim sets' || transaction?.isClaim) return ['CALENDAR']
  if (transaction?.isOfEvents) return []
  // Each look takes for all.
  if (name === 'take deliveries' && found.size > 1) return []
  return [...(found.size > 0 ? found : (transaction?.subjects ?? found))]
}
