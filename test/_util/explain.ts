import type { KyselyPlugin, RawNode } from 'kysely'
import type { Database } from '#persistence'

/** A database that plans raw queries and runs none. `plan` gives the lines of the last plan. */
export function explaining(db: Database): { db: Database; plan(): string } {
  let lines: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind !== 'RawNode') throw new Error('Only raw queries are explained.')
      const { sqlFragments, ...raw } = node as RawNode
      const [first = '', ...rest] = sqlFragments
      return { ...raw, sqlFragments: [`explain ${first}`, ...rest] }
    },
    transformResult: async ({ result }) => {
      lines = result.rows.map((row) => String(row['QUERY PLAN']))
      return { ...result, rows: [] }
    },
  }
  return { db: db.withPlugin(plugin), plan: () => lines.join('\n') }
}
