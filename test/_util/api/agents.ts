import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import type { Api, Body } from './api.ts'

/** Of the protocol: with `initialize`, and without state. */
export const ERAS = ['legacy', 'modern'] as const
export type Era = (typeof ERAS)[number]

/** An agent that is connected, by the official client. */
export interface Agent {
  client: Client
  /** Names of the tools that it sees. */
  tools(): Promise<string[]>
  /** Calls a tool and expects that it works. */
  call(name: string, args?: object): Promise<Body>
  /** Calls a tool and expects that it is refused. */
  refused(name: string, args?: object): Promise<Refused>
  [Symbol.asyncDispose](): Promise<void>
}

interface Refused {
  words: string
  /** The problem as JSON, where there is one. */
  more: Body
}

export const negotiation = (era: Era) =>
  era === 'legacy' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } as const }

/** Connects to an installation over HTTP. */
export async function connectAgent(
  api: Pick<Api, 'url' | 'key'>,
  { key = api.key, era = 'modern', path = '/mcp' }: { key?: string; era?: Era; path?: string } = {},
): Promise<Agent> {
  const transport = new StreamableHTTPClientTransport(new URL(`${api.url}${path}`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  const client = new Client({ name: 'tests', version: '1.0.0' }, negotiation(era))
  await client.connect(transport)
  return agentOf(client)
}

/** What tests do with a client that is connected. */
export function agentOf(client: Client): Agent {
  const ask = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: args as Record<string, unknown> })) as CallToolResult
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}) {
      const result = await ask(name, args)
      expect(result.isError, JSON.stringify(result.content)).toBeFalsy()
      expect(JSON.parse(textsOf(result)[0] ?? '')).toEqual(result.structuredContent)
      return result.structuredContent
    },
    async refused(name, args = {}) {
      const result = await ask(name, args)
      expect(result.isError, JSON.stringify(result.content)).toBe(true)
      const [words = '', more] = textsOf(result)
      return { words, more: more === undefined ? null : JSON.parse(more) }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const textsOf = ({ content }: CallToolResult) => content.map((part) => (part.type === 'text' ? part.text : ''))
