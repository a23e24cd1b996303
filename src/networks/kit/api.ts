import type { Attempt, Credentials, MediaSource } from '../network.ts'
import { type FileForm, openFile, openForm } from './files.ts'
import type { HttpAnswer, HttpFailure, HttpRequest, HttpResult } from './http.ts'
import { parseJson } from './read-json.ts'

/** Who asks, and with which secrets. An `Attempt` is one; a `ConnectContext` with credentials is another. */
export type Caller = Pick<Attempt, 'endpoint' | 'setting' | 'http' | 'signal' | 'credentials'>

/** What became of a call: its value; an answer that is no success, or none that can be read; no answer. */
export type Called<T> = { kind: 'ok'; value: T } | Refusal | HttpFailure

interface Refusal {
  kind: 'refused'
  answer: HttpAnswer
}

/** A call that brought no value. */
export type Fruitless = Refusal | HttpFailure

export interface Call<T> extends Pick<HttpRequest, 'method' | 'headers' | 'json' | 'body' | 'reads' | 'timeoutMs'> {
  /** Below the address of the API: `2/tweets`; or a whole address. */
  path: string
  query?: Readonly<Record<string, string>>
  /** A file as the body, or a part of it: `start` inclusive, `end` exclusive. */
  file?: { source: MediaSource; range?: { start: number; end: number } }
  /** `multipart/form-data`, for what JSON cannot carry. */
  form?: FileForm
  /** Reads what is needed out of a success; undefined when it is not there. */
  parse(body: unknown, answer: HttpAnswer): T | undefined
}

/** Makes one request. Addresses hold no token, and what is kept of an answer none of the caller's secrets. */
export type Client = <T>(caller: Caller, call: Call<T>) => Promise<Called<T>>

/** The client of an API: what all of its calls have in common. */
export function apiClient(api: {
  /** Address below which the paths of calls are, without a slash at the end. */
  base(caller: Caller): string
  /** Of every call. Default: the credentials' `accessToken` as a bearer. */
  headers?(caller: Caller): Readonly<Record<string, string>>
  /** Whether an answer is a success. Default: its status says so. */
  isOk?(answer: HttpAnswer): boolean
}): Client {
  const { base, headers = (caller) => ({ authorization: bearer(caller) }), isOk } = api
  return async (caller, { path, query, parse, headers: own, file, form, ...request }) => {
    const url = new URL(/^https?:\/\//.test(path) ? path : `${base(caller)}/${path}`)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const opened = file ? await openFile(file) : form ? await openForm(form) : null
    try {
      const result = await caller.http({
        ...request,
        url: url.href,
        headers: { ...headers(caller), ...opened?.headers, ...own },
        ...(opened ? { body: opened.body } : {}),
        signal: caller.signal,
      })
      return readResult(result, caller.credentials, parse, isOk)
    } finally {
      // A request that never came about leaves no file open.
      opened?.close()
    }
  }
}

/** For whole addresses that an answer named: it sends no token, and reads every answer. */
export const bareCall = apiClient({ base: () => '', headers: () => ({}), isOk: () => true })

export const bearer = ({ credentials }: Pick<Caller, 'credentials'>) => `Bearer ${credentials.accessToken ?? ''}`

/** Reads what came back of a request; all but a success that can be read is a refusal to be judged. */
function readResult<T>(
  result: HttpResult,
  credentials: Credentials,
  parse: Call<T>['parse'],
  isOk = ({ status }: HttpAnswer) => status >= 200 && status < 300,
): Called<T> {
  if (result.kind === 'failed') return result
  const value = isOk(result) ? parse(result.json, result) : undefined
  return value === undefined ? { kind: 'refused', answer: withoutSecrets(result, credentials) } : { kind: 'ok', value }
}

/** Networks repeat in their words a token that they cannot read. */
function withoutSecrets(answer: HttpAnswer, credentials: Credentials): HttpAnswer {
  const secrets = Object.entries(credentials).filter(([name, value]) => /token|jwt/i.test(name) && value !== '')
  const text = secrets.reduce((words, [, secret]) => words.replaceAll(secret, '…'), answer.text)
  return text === answer.text ? answer : { ...answer, text, json: parseJson(text) }
}

/** A page of a listing. `next` asks for the one behind it; null on the last, undefined where nothing tells how to ask. */
export interface Page<T> {
  entries: readonly T[]
  next: string | null | undefined
  /** Something of it could not be read: it is no proof of what is not there. */
  partial?: boolean
}

/** What was read of a listing. `whole`: nothing that is looked for can stand behind it, or in what could not be read. */
export interface Listing<T> {
  entries: readonly T[]
  whole: boolean
  /** It has further pages than were read. */
  more?: true
}

/** Reads a listing page by page, at most so many; `until` ends it early, when what follows is of no interest. */
export async function pages<T>(
  most: number,
  ask: (next: string | null) => Promise<Called<Page<T>>>,
  until: (entries: readonly T[]) => boolean = () => false,
): Promise<Called<Listing<T>>> {
  const entries: T[] = []
  let next: string | null = null
  let partial = false
  for (let page = 0; page < most; page++) {
    const asked: Called<Page<T>> = await ask(next)
    if (asked.kind !== 'ok') return asked
    entries.push(...asked.value.entries)
    partial ||= asked.value.partial === true
    const following = asked.value.next
    if (following === null || until(entries)) return { kind: 'ok', value: { entries, whole: !partial } }
    if (following === undefined) break
    next = following
  }
  return { kind: 'ok', value: { entries, whole: false, more: true } }
}
