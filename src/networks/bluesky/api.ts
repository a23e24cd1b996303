import { apiClient, type Call, type Called, type Caller } from '../kit/api.ts'

const client = apiClient({ base: () => '', headers: () => ({}), isOk: ({ status }) => status === 200 })

/**
 * A call of XRPC (https://atproto.com/specs/xrpc, read 2026-11-21). Each goes to a host of its own with a secret of its
 * own, so both are named: a token is sent nowhere by itself.
 */
export function call<T>(
  caller: Omit<Caller, 'credentials'> & Partial<Pick<Caller, 'credentials'>>,
  host: string,
  lexicon: string,
  {
    token,
    method = 'GET',
    headers,
    ...request
  }: Omit<Call<T>, 'path' | 'method'> & { method?: 'GET' | 'POST'; token?: string | undefined },
): Promise<Called<T>> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const credentials = { ...caller.credentials, ...(token === undefined ? {} : { token }) }
  return client(
    { ...caller, credentials },
    { ...request, method, path: `${host}/xrpc/${lexicon}`, headers: { ...headers, ...authorization } },
  )
}
