import { CompiledQuery, type QueryResult } from 'kysely'
import type { Database } from './database.ts'
import { keepName } from './prepared-names.ts'

/**
 * A statement whose text never changes, with its values as $1, $2, …: for what every request needs. It is never compiled,
 * and each connection has PostgreSQL parse and plan it once.
 */
export function constantStatement<Row>(text: string): (db: Database, values: readonly unknown[]) => Promise<Row[]> {
  keepName(text)
  return async (db, values) => (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

/**
 * Runs a query that was built, and has each connection keep it prepared: for what every post needs. Only for queries whose text
 * is the same each time, as one with a list of values of any length is not.
 */
export function executePrepared<Row>(
  db: Database,
  query: { compile(db: Database): CompiledQuery<Row> },
): Promise<QueryResult<Row>> {
  const compiled = query.compile(db)
  keepName(compiled.sql)
  return db.executeQuery(compiled)
}

/** What a statement is given. Nothing is null: that has no type. */
type Given = Record<string, string | number | Date | readonly string[]>

/** A statement that was built once: where each of its parameters comes from. */
interface Built {
  text: string
  parameters: readonly ({ name: string } | { constant: unknown })[]
}

const built = new Map<string, Built>()

/**
 * Runs a statement that is built once in a process and then only given its values: for what every post needs, as building a long one takes
 * longer than sending it. Each connection keeps it prepared.
 *
 * @param key names its text: where `build` depends on anything but `values`, that is in the key
 * @param build puts each of the values into the statement as it is, and never looks at one
 */
export async function executeBuilt<Row, Values extends Given>(
  db: Database,
  key: string,
  values: Values,
  build: (values: Values) => { compile(db: Database): CompiledQuery<Row> },
): Promise<QueryResult<Row>> {
  const { text, parameters } = built.get(key) ?? buildOnce(db, key, values, build)
  return db.executeQuery<Row>(
    CompiledQuery.raw(
      text,
      parameters.map((parameter) => ('name' in parameter ? values[parameter.name] : parameter.constant)),
    ),
  )
}

/**
 * Builds it with marks in place of values, which are found again among its parameters: twice, with other marks, so that nothing of them can
 * have come into the statement in another way. A time that is asked for several times is sent once.
 */
function buildOnce<Values extends Given>(
  db: Database,
  key: string,
  values: Values,
  build: (values: Values) => { compile(db: Database): CompiledQuery },
): Built {
  const [first, second] = [1, 2].map((salt) => buildWithMarks(db, values, salt, build))
  const { text, parameters } = mergeTimes(first as Built, values)
  if (JSON.stringify(first) !== JSON.stringify(second))
    throw new Error(`The statement "${key}" looks at what it is given.`)
  const found = new Set(parameters.flatMap((parameter) => ('name' in parameter ? [parameter.name] : [])))
  const lost = Object.keys(values).find((name) => !found.has(name))
  if (lost !== undefined) throw new Error(`The statement "${key}" does not have ${lost} as it was given.`)
  keepName(text)
  const statement = { text, parameters }
  built.set(key, statement)
  return statement
}

function buildWithMarks<Values extends Given>(
  db: Database,
  values: Values,
  salt: number,
  build: (values: Values) => { compile(db: Database): CompiledQuery },
): Built {
  const marks = Object.entries(values).map(([name, value], nth) => ({ name, mark: markLike(value, nth, salt) }))
  const compiled = build(Object.fromEntries(marks.map(({ name, mark }) => [name, mark])) as Values).compile(db)
  const parameters = compiled.parameters.map((parameter) => {
    const marked = marks.find(({ mark }) => mark === parameter)
    return marked ? { name: marked.name } : { constant: parameter }
  })
  return { text: compiled.sql, parameters }
}

function markLike(value: Given[string], nth: number, salt: number): Given[string] {
  if (typeof value === 'string') return `the value ${nth} of ${salt}`
  if (typeof value === 'number') return -1_000_000_007.25 * salt - nth
  return value instanceof Date ? new Date(salt * 1_000 + nth) : []
}

function mergeTimes({ text, parameters }: Built, values: Given): Built {
  const merged: Built['parameters'][number][] = []
  const places = parameters.map((parameter) => {
    const isTime = 'name' in parameter && values[parameter.name] instanceof Date
    const there = isTime ? merged.findIndex((each) => 'name' in each && each.name === parameter.name) : -1
    return there >= 0 ? there + 1 : merged.push(parameter)
  })
  return { text: text.replaceAll(/\$(\d+)/g, (_, place) => `$${places[Number(place) - 1]}`), parameters: merged }
}
