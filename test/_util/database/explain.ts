import { CompiledQuery, type KyselyPlugin, type RawNode } from 'kysely'
import type { Database } from '#persistence'

/** A database that plans raw queries and runs none. `plan` gives the lines of the last plan, `plans` those of all. */
export function explaining(db: Database): { db: Database; plan(): string; plans(): string[] } {
  let lines: string[] = []
  const all: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind !== 'RawNode') throw new Error('Only raw queries are explained.')
      const { sqlFragments, ...raw } = node as RawNode
      const [first = '', ...rest] = sqlFragments
      return { ...raw, sqlFragments: [`explain ${first}`, ...rest] }
    },
    transformResult: async ({ result }) => {
      lines = result.rows.map((row) => String(row['QUERY PLAN']))
      all.push(lines.join('\n'))
      return { ...result, rows: [] }
    },
  }
  const explained = db.withPlugin(plugin)
  // What was built before is planned as it is.
  const execute = explained.executeQuery.bind(explained)
  explained.executeQuery = (query) => {
    const compiled = 'sql' in query ? query : query.compile()
    return execute(
      compiled.sql.startsWith('explain ')
        ? compiled
        : CompiledQuery.raw(`explain ${compiled.sql}`, [...compiled.parameters]),
    )
  }
  return { db: explained, plan: () => lines.join('\n'), plans: () => all }
}
