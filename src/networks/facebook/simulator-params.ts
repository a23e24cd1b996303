import type { IncomingMessage } from 'node:http'
import { readBytes, readMultipart, TooLargeError } from '../toolkit/request-body.ts'
import { invalid, refuse } from './simulator-answers.ts'

export type Params = Readonly<Record<string, unknown>>

/**
 * Parameters of the calls that make something, by edge:
 * https://developers.facebook.com/docs/graph-api/reference/page/feed/ and its neighbours (read 2026-11-21). The real
 * network lets unknown ones pass; this one refuses them, so that a misspelt name shows.
 */
export const PARAMS: Readonly<Record<string, readonly string[]>> = {
  feed: [
    'message',
    'link',
    'published',
    'attached_media',
    'child_attachments',
    'multi_share_end_card',
    'multi_share_optimized',
  ],
  photos: ['source', 'url', 'published', 'alt_text_custom'],
  photo_stories: ['photo_id'],
  video_stories: ['upload_phase', 'video_id'],
  video_reels: ['upload_phase', 'video_id', 'video_state', 'description', 'title'],
  videos: [
    'upload_phase',
    'file_size',
    'upload_session_id',
    'start_offset',
    'video_file_chunk',
    'title',
    'description',
    'published',
  ],
}

/** A file is no parameter of the published contracts. */
export const FILE_PARAMS: readonly string[] = ['source']

export function checkParams(edge: string, params: Params): void {
  const known = PARAMS[edge] ?? []
  const foreign = Object.keys(params).find((name) => !known.includes(name))
  if (foreign !== undefined) invalid(`param ${foreign} is not allowed`)
}

/** A text parameter; undefined when it is not there. */
export function textIn(params: Params, name: string): string | undefined {
  const value = params[name]
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : invalid(`${name} must be a string`)
}

export const isTrue = (value: unknown): boolean => value === true || value === 'true'

const MAX_BODY_BYTES = 64 * 1024 * 1024
/** Of a client that is not known yet. */
const MAX_FIRST_BYTES = 64 * 1024

/** JSON, a form whose lists and objects are JSON, or a form with files. */
export async function readParams(request: IncomingMessage, { large }: { large: boolean }): Promise<Params> {
  const maxBytes = large ? MAX_BODY_BYTES : MAX_FIRST_BYTES
  const type = request.headers['content-type'] ?? ''
  try {
    if (type.startsWith('multipart/form-data')) {
      const form = await readMultipart(request, maxBytes)
      return form ? Object.fromEntries(form) : invalid('the form cannot be read')
    }
    const text = (await readBytes(request, maxBytes)).toString('utf8')
    if (text === '') return {}
    if (type.startsWith('application/json')) {
      const body = parsed(text)
      return typeof body === 'object' && body !== null && !Array.isArray(body)
        ? (body as Params)
        : invalid('the body is not a JSON object')
    }
    const form = [...new URLSearchParams(text)]
    return Object.fromEntries(form.map(([name, value]) => [name, /^[[{]/.test(value) ? parsed(value) : value]))
  } catch (error) {
    if (error instanceof TooLargeError) refuse(1, null, 'The request is too large.', { status: 413 })
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names of `fields`, without what is in braces behind them. */
export function fieldsIn(query: URLSearchParams, known: readonly string[]): string[] {
  let text = query.get('fields') ?? 'id'
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(/\{[^{}]*\}/g, '')
  }
  const fields = text.split(',').filter((field) => field !== '')
  const unknown = fields.find((field) => !known.includes(field))
  if (unknown !== undefined) refuse(100, null, `(#100) Tried accessing nonexisting field (${unknown})`)
  return fields
}

export function chosen(all: Params, fields: readonly string[]): Params {
  const wanted = Object.entries(all).filter(
    ([name, value]) => value !== undefined && (name === 'id' || fields.includes(name)),
  )
  return Object.fromEntries(wanted)
}

export function pageOf<T extends { id: string }>(
  all: readonly T[],
  query: URLSearchParams,
  show: (entry: T) => unknown,
) {
  const limit = Math.min(100, Math.max(1, Number(query.get('limit') ?? 25) || 25))
  const after = query.get('after')
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  const entries = all.slice(start, start + limit)
  const last = entries.at(-1)
  if (!last) return { data: [] }
  const next = start + limit < all.length ? { next: `https://graph.facebook.com/next?after=${last.id}` } : {}
  return { data: entries.map(show), paging: { cursors: { before: entries[0]?.id, after: last.id }, ...next } }
}

/** Whole seconds, and an offset without a colon. */
export const timestamp = (at: string): string => at.replace(/\.\d+Z$/, '+0000')
