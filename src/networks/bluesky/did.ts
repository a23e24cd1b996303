import type { HttpAnswer } from '../kit/http.ts'
import type { ConnectContext } from '../network.ts'
import { readDidDocument } from './wire.ts'

export type FoundServer = { kind: 'found'; address: string } | { kind: 'failed'; message: string }

/** A document is small and near; who does not have it by then does not have it. */
const TIMEOUT_MS = 15_000

/**
 * The server that holds an account, by the document of the account's DID: whoever answers a sign-in can claim any DID,
 * but only the account's owner writes its document. `did:plc` stands in the directory, `did:web` on the host that it
 * names (no port, no path). The address has no slash at the end.
 * Source: https://atproto.com/specs/did (read 2026-11-21).
 */
export async function findServer(context: ConnectContext, did: string): Promise<FoundServer> {
  const url = documentAddress(context, did)
  if (url === null) return failed(`The server names an account, ${did}, of a kind that Bluesky does not have.`)
  const answer = await context.http({
    method: 'GET',
    url,
    headers: { accept: 'application/did+ld+json, application/json' },
    signal: context.signal,
    timeoutMs: TIMEOUT_MS,
  })
  const { host } = new URL(url)
  const tellsNot = `${host} was asked where the account ${did} lives`
  if (answer.kind === 'failed') return failed(`${tellsNot} and could not be reached. ${answer.message}`)
  if (answer.status === 404) return failed(`${tellsNot} and does not know it.`)
  if (answer.status !== 200) return failed(`${tellsNot} and does not tell (status ${answer.status}). Try again later.`)
  const address = serverIn(answer, did)
  return address === null ? failed(`${tellsNot} and names no server of it.`) : { kind: 'found', address }
}

function documentAddress(context: ConnectContext, did: string): string | null {
  if (/^did:plc:[a-z2-7]{24}$/.test(did)) return `${context.endpoint('plc')}/${did}`
  const host = /^did:web:((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)$/.exec(did)?.[1]
  return host === undefined ? null : `https://${host}/.well-known/did.json`
}

function serverIn({ json }: HttpAnswer, did: string): string | null {
  const document = readDidDocument(json)
  if (document?.id !== did) return null
  const server = document.service.find(({ id }) => id === '#atproto_pds' || id === `${did}#atproto_pds`)
  const address = server?.serviceEndpoint
  if (typeof address !== 'string' || !/^https?:\/\//.test(address) || !URL.canParse(address)) return null
  return address.replace(/\/+$/, '')
}

function failed(message: string): FoundServer {
  return { kind: 'failed', message }
}
