import type { AccountType } from '#contract'
import { DAY_MS, MINUTE_MS } from '#contract/durations'
import { describeContract } from '../conformance/contracts.ts'
import { named, type SignInFacts } from '../conformance/describe-sign-in.ts'
import { answer } from '../kit/testing.ts'

/** For tests of the networks of the Graph API. */

export const graphError = (code: number, subcode: number | null = null, headers: Record<string, string> = {}) =>
  answer(400, { error: { message: 'No.', code, ...(subcode === null ? {} : { error_subcode: subcode }) } }, headers)

/** The sign-in by a person with Pages. Tokens of Pages have no end and are not renewed. */
export function signInByPage(
  accountType: AccountType,
  /** A listing of the account. */
  edge: string,
  required: readonly string[],
  optional: readonly string[],
): SignInFacts {
  return {
    accountType,
    base: 'graph/v25.0',
    page: '/dialog/v25.0/dialog/oauth',
    asks: { client_id: 'sandbox-client', response_type: 'code', scope: [...required, ...optional].join(',') },
    token: 'GET oauth/access_token',
    reads: 'GET me/accounts',
    probe: ({ externalId }) => `GET ${externalId}/${edge}`,
    scopes: named(...required),
    codeMs: 10 * MINUTE_MS,
    accessMs: null,
    consentMs: 90 * DAY_MS,
    refresh: null,
  }
}

type Named = { name: string; required?: boolean }
/** A node as Meta describes it. */
interface Node {
  apis: { method: string; endpoint?: string; params: Named[] }[]
  fields: Named[]
}
interface GraphContract {
  /** Names of the node's fields. */
  fieldsOf(node: string): string[]
  edgesOf(node: string): string[]
  /** Of one call, `POST feed`; required ones have a `!` behind. */
  paramsOf(node: string, call: string): string[]
}

/** Tests that hold names which are sent, asked for or answered against Meta's contracts of its nodes. */
export const describeGraphContract = (body: (contract: GraphContract) => void) =>
  describeContract<Node>('meta', (read) =>
    body({
      fieldsOf: (node) => read(`${node}.json`).fields.map(({ name }) => name),
      edgesOf: (node) => read(`${node}.json`).apis.flatMap(({ endpoint }) => endpoint ?? []),
      paramsOf(node, call) {
        const api = read(`${node}.json`).apis.find(({ method, endpoint }) => `${method} ${endpoint}` === call)
        if (!api) throw new Error(`${node} has no ${call}.`)
        return api.params.map(({ name, required }) => (required ? `${name}!` : name))
      },
    }),
  )
