import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import {
  type AskedBody,
  type AskedQuery,
  askedBody,
  askedQuery,
  bodyProblem,
  checkShape,
  type ErrorCode,
  entryAt,
  givenQuery,
  LIMITS,
  type SaveQuery,
} from '#contract'
import { answerOnce, type Caller, type OperationDeps } from '#operations'

/** What tools work with: that of the operations behind them. */
export type ToolDeps = Pick<OperationDeps, 'db' | 'networks' | 'urls' | 'eventWaits' | 'box'>

/** One call of a tool. */
export interface ToolCall<Args = Record<string, unknown>> {
  caller: Caller
  /** What the agent has given, without `requestId`: of the names of the tool, the fields that it reads itself checked. */
  args: Args
  /** Aborts when no one waits for the answer. */
  gone: AbortSignal
  deps: ToolDeps
}

/** What a tool answers: the object, and a sentence beside it where something is left to do. */
export interface ToolAnswer {
  answer: object
  next?: string
}

/** What of a key decides which tools it has. */
export type KeyOf = Pick<Caller, 'rights' | 'plan' | 'agentKey'>

/** Something that an agent can do. */
export interface Tool {
  name: string
  title: string
  description: string
  /** Whether a key sees it. */
  offered(caller: KeyOf): boolean
  input: TObject
  /** Of the contract. */
  output: TObject
  /** Hints for hosts: they protect from nothing. */
  hints: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
  run(call: ToolCall, requestId: string | undefined): Promise<ToolAnswer>
}

interface ToolParts<Own extends TProperties> extends Pick<Tool, 'name' | 'title' | 'description' | 'output'> {
  /** Without: every key sees it. */
  offered?: Tool['offered']
  /** Fields that the tool reads itself, such as the id of what it is about. */
  own?: Own
  /** Fields that the operation reads, by the contract. */
  passed?: TProperties
  hints?: Partial<Tool['hints']>
  run(call: Asked<Own>): Promise<ToolAnswer>
}

/** A call whose own fields are checked. */
type Asked<Own extends TProperties> = ToolCall<Type.Static<TObject<Own>> & Record<string, unknown>>

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const WRITES = { ...READS, readOnlyHint: false, idempotentHint: false }

/** A tool that changes nothing. */
export function readingTool<Own extends TProperties = Record<never, never>>(parts: ToolParts<Own>): Tool {
  const { own = {} as Own, passed = {}, offered = () => true, hints, run, ...said } = parts
  const input = Type.Object({ ...own, ...passed })
  return {
    ...said,
    input,
    offered,
    hints: { ...READS, ...hints },
    run: (call) => run({ ...call, args: readArgs(said.name, { input, own }, call.args) }),
  }
}

const requestId = Type.Optional(
  Type.String({ description: 'A UUID of yours: the same call with it again gets the first answer.' }),
)

interface WritingParts<Own extends TProperties> extends ToolParts<Own> {
  /** What a kept answer is refused with once the key does not see what it is about. */
  notFound: ErrorCode
  /** What is waited for behind that, outside of any transaction. */
  wait?(call: Asked<Own>, answer: object): Promise<ToolAnswer>
}

/** A tool that writes. With a `requestId` its answer is kept where those of requests with an `Idempotency-Key` are. */
export function writingTool<Own extends TProperties = Record<never, never>>(parts: WritingParts<Own>): Tool {
  const { own = {} as Own, passed = {}, offered = () => true, hints, run, notFound, wait, ...said } = parts
  const input = Type.Object({ ...own, ...passed, requestId })
  return {
    ...said,
    input,
    offered,
    hints: { ...WRITES, ...hints },
    run: async (call, key) => {
      const args = readArgs(said.name, { input, own }, call.args)
      const asked = { ...call, args }
      const { answer } = key === undefined ? await run(asked) : await keptAnswer(asked, key)
      return wait ? wait(asked, answer) : { answer }
    },
  }

  async function keptAnswer(asked: Asked<Own>, key: string): Promise<ToolAnswer> {
    const request = { key, method: 'POST', path: `/mcp/${said.name}`, body: asked.args, notFound }
    const { answer } = await answerOnce(asked.deps, asked.caller, request, async (trx) => {
      const made = await run({ ...asked, deps: { ...asked.deps, db: trx } })
      return { status: 200, headers: {}, body: JSON.stringify(made.answer) }
    })
    return { answer: JSON.parse(answer.body ?? '{}') }
  }
}

/**
 * @throws ProblemError `request:invalid_body` for a field that the tool does not have, and for what is wrong with those that it
 *   reads itself
 */
function readArgs<Own extends TProperties>(
  tool: string,
  { input, own }: { input: TObject; own: Own },
  args: Record<string, unknown>,
): Type.Static<TObject<Own>> & Record<string, unknown> {
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(input.properties, name))
  const mine = Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(own, name)))
  const checked = checkShape(Type.Object(own), mine)
  const entries = [
    ...unknown.map((name) => entryAt([name], 'request:invalid_body', `${tool} takes no ${name.slice(0, 100)}.`)),
    ...(checked.ok ? [] : checked.entries),
  ].slice(0, LIMITS.problems)
  if (entries.length > 0) throw bodyProblem(entries)
  return args as Type.Static<TObject<Own>> & Record<string, unknown>
}

const nothing = () => {}

/** What an operation reads of the fields that were given, by the schema of its row. */
export const bodyOf = <T extends TSchema>(schema: T, fields: object): AskedBody<Type.Static<T>> =>
  askedBody(schema, fields, nothing)

/**
 * The same in place of a query string. `names` has those that are called otherwise there.
 */
export function queryOf<T extends TSchema>(
  schema: T,
  fields: Record<string, unknown>,
  names: Readonly<Record<string, string>> = {},
): AskedQuery<Type.Static<T>> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  const pairs = given.flatMap(([name, value]) =>
    [value].flat().map((one) => [names[name] ?? name, typeof one === 'string' ? one : JSON.stringify(one)]),
  )
  return askedQuery(schema, pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'))
}

/** What only members say of a request that saves a post set. */
export const NOTHING_SAVED: AskedQuery<SaveQuery> = givenQuery({})
