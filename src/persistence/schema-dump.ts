import { sql } from 'kysely'
import type { Database } from './database.ts'

interface Line {
  line: string
}

/**
 * The tables, indexes, constraints, views, functions and triggers of our schema as text, in an order of its own: equal
 * schemas give equal text on every server. Kept beside the migrations as `schema.sql` and compared by a test.
 */
export async function dumpSchema(db: Database): Promise<string> {
  const tables = await sql<{ name: string; columns: string[]; constraints: string[] | null; indexes: string[] | null }>`
    select class.relname as name,
      (select array_agg(format('  %I %s%s%s', attribute.attname, format_type(attribute.atttypid, attribute.atttypmod),
          case when attribute.attnotnull then ' not null' else '' end,
          case when attribute.attidentity = 'a' then ' generated always as identity'
               when default_value.adbin is null then ''
               else ' default ' || pg_get_expr(default_value.adbin, default_value.adrelid) end)
          order by attribute.attnum)
        from pg_attribute attribute
        left join pg_attrdef default_value
          on default_value.adrelid = attribute.attrelid and default_value.adnum = attribute.attnum
        where attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped) as columns,
      (select array_agg(format('  constraint %I %s', constraint_.conname, pg_get_constraintdef(constraint_.oid))
          order by constraint_.conname)
        from pg_constraint constraint_
        where constraint_.conrelid = class.oid and constraint_.contype <> 'n') as constraints,
      (select array_agg(pg_get_indexdef(index_.indexrelid) || ';' order by index_.indexrelid::regclass::text)
        from pg_index index_
        where index_.indrelid = class.oid
          and not exists (select from pg_constraint constraint_ where constraint_.conindid = index_.indexrelid
            and constraint_.contype in ('p', 'u', 'x'))) as indexes
    from pg_class class
    where class.relnamespace = 'public'::regnamespace and class.relkind = 'r' and class.relname not like 'migrations%'
    order by class.relname`.execute(db)
  // Servers before 16 write the table before each column.
  const definition = sql`regexp_replace(pg_get_viewdef(class.oid), '\\m\\w+\\.(?=\\w)', '', 'g')`
  const views = await sql<Line>`
    select format('create view %I as', class.relname) || E'\\n' || ${definition} as line
    from pg_class class
    where class.relnamespace = 'public'::regnamespace and class.relkind = 'v'
      and not exists (select from pg_depend where objid = class.oid and deptype = 'e')
    order by class.relname`.execute(db)
  const functions = await sql<Line>`
    select pg_get_functiondef(function_.oid) as line
    from pg_proc function_
    where function_.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = function_.oid and deptype = 'e')
    order by function_.proname`.execute(db)
  const triggers = await sql<Line>`
    select pg_get_triggerdef(trigger_.oid) || ';' as line
    from pg_trigger trigger_ join pg_class class on class.oid = trigger_.tgrelid
    where class.relnamespace = 'public'::regnamespace and not trigger_.tgisinternal
    order by class.relname, trigger_.tgname`.execute(db)
  const parts = [
    ...functions.rows.map(({ line }) => `${line.trim()};`),
    ...tables.rows.map((table) =>
      [
        `create table ${table.name} (`,
        [...table.columns, ...(table.constraints ?? [])].join(',\n'),
        ');',
        ...(table.indexes ?? []),
      ].join('\n'),
    ),
    ...views.rows.map(({ line }) => line),
    ...(triggers.rows.length > 0 ? [triggers.rows.map(({ line }) => line).join('\n')] : []),
  ]
  return `-- What the migrations make. Written by the schema test (npm test -- src/persistence/schema -u); not run by anything.\n\n${parts.join('\n\n')}\n`
}
