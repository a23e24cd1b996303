import type { Client } from 'pg'

/** What is of the moment: counts of requests and who looks at a calendar. */
const WITHOUT_ROWS = ['attempts', 'kept_calendar_feeds', 'presences', 'rate_windows', 'watched_social_sets']

/**
 * A database of Almanac as SQL that makes it again in an empty one: functions, tables, rows, then constraints between
 * tables, indexes, views and triggers. The queue's own schema is left out: the queue makes it, and nothing depends on its rows.
 */
export async function dumpDatabase(client: Client): Promise<string> {
  await client.query('begin isolation level repeatable read read only')
  const lines = async (text: string) => (await client.query<{ line: string }>(text)).rows.map(({ line }) => line)
  const tables = (
    await client.query<{ name: string; unlogged: boolean; columns: string }>(`
      select class.relname as name, class.relpersistence = 'u' as unlogged,
        string_agg(format('%I %s%s%s', attname, format_type(atttypid, atttypmod), case when attnotnull then ' not null' else '' end,
          case when attidentity = 'a' then ' generated always as identity'
            when adbin is null then '' else ' default ' || pg_get_expr(adbin, adrelid) end), ', ' order by attnum) as columns
      from pg_class class join pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where class.relnamespace = 'public'::regnamespace and class.relkind = 'r'
      group by class.relname, class.relpersistence order by class.relname`)
  ).rows
  const constraints = (kinds: string, not = '') =>
    lines(`
      select format('alter table %I add constraint %I %s;', relname, conname, pg_get_constraintdef(pg_constraint.oid)) as line
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where connamespace = 'public'::regnamespace and contype <> 't' and ${not} contype in (${kinds}) order by relname, conname`)
  /** Defaults of tables call functions, and functions may take the rows of tables. */
  const functions = (not: string) =>
    lines(`
      select pg_get_functiondef(pg_proc.oid) || ';' as line from pg_proc
      where pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
        and ${not} exists (select from pg_type where typrelid <> 0 and pg_type.oid = any (proargtypes || prorettype))
      order by proname`)
  const parts = [
    // Functions in SQL name tables that come after them.
    ['set check_function_bodies = off;'],
    await lines(`select format('create extension if not exists %I;', extname) as line from pg_extension
      where extname <> 'plpgsql' order by extname`),
    await functions('not'),
    tables.map(({ name, unlogged, columns }) => `create ${unlogged ? 'unlogged ' : ''}table ${name} (${columns});`),
    await functions(''),
  ]
  for (const { name } of tables.filter(({ name }) => !WITHOUT_ROWS.includes(name))) {
    parts.push(
      await lines(`
        select format('insert into ${name} overriding system value select * from jsonb_populate_record(null::${name}, %L);',
          to_jsonb(each_row)) as line
        from ${name} as each_row order by to_jsonb(each_row)::text`),
    )
  }
  parts.push(
    await lines(`
      select format('select setval(pg_get_serial_sequence(%L, %L), (select max(%I) from %I));', relname, attname, attname, relname) as line
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where attidentity = 'a' and relnamespace = 'public'::regnamespace order by relname`),
    await constraints(`'n', 'f'`, 'not'),
    await constraints(`'f'`),
    await lines(`
      select pg_get_indexdef(indexrelid) || ';' as line from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid)
      order by indexrelid::regclass::text`),
    await lines(`
      select format('create view %I as %s', relname, pg_get_viewdef(oid)) as line from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname`),
    await lines(`
      select pg_get_triggerdef(pg_trigger.oid) || ';' as line from pg_trigger join pg_class on pg_class.oid = tgrelid
      where relnamespace = 'public'::regnamespace and not tgisinternal order by relname, tgname`),
  )
  await client.query('commit')
  return `${parts.flat().join('\n')}\n`
}
