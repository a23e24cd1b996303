import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { askedQuery, ERRORS, type ErrorCode, LIMITS, ProblemError } from '#contract'
import { HOUR_MS } from '#contract/durations'
import {
  beginUpload,
  type Caller,
  continueUpload,
  type OperationDeps,
  type ReceiveDeps,
  removeUpload,
  requireAlive,
  requireSeen,
  requireUploadPlace,
  type TakenUpload,
  takeUpload,
  uploadNotFound,
} from '#operations'
import type { AdmitAgain } from '../admit-again.ts'
import { boundByProgress } from '../connections.ts'
import { problemResponses } from '../described-route.ts'
import { COMMON, DASHBOARD_COMMON } from '../route.ts'
import { answerTus, readMetadata, TUS_EXTENSIONS, TUS_VERSION, type TusAnswer, type TusUpload } from '../tus.ts'

type UploadFileDeps = ReceiveDeps & Pick<OperationDeps, 'publicUrl'> & { admitAgain: AdmitAgain }

const BYTES = 'application/offset+octet-stream'

/** Requests of an upload that are not counted for the account's rate: so many, and one for each of so many bytes. */
const FREE = { requests: 100, bytes: 64_000 }

/**
 * Uploads of bytes by the tus protocol, below /v1/ for keys and below /internal/ for members. No answer has a body but a
 * problem.
 */
export function mediaUploadFileRoutes(server: FastifyInstance, deps: UploadFileDeps): void {
  server.addContentTypeParser(BYTES, (_, payload, done) => done(null, payload))
  // The protocol wants it on every answer, problems included.
  server.addHook('onSend', async (_, reply) => void reply.header('tus-resumable', TUS_VERSION))
  for (const room of ['v1', 'internal'] as const) {
    const location = `${deps.publicUrl}/${room}/media-upload/files`
    const url = `/${room}/media-upload/files`
    uploadRoute(server, {
      ...CREATE,
      url,
      handle: (request) => create(deps, request, location),
    })
    uploadRoute(server, { ...DESCRIBE, url, handle: describe })
    uploadRoute(server, { ...READ, url: `${url}/:id`, handle: (request) => read(deps, request, location) })
    uploadRoute(server, { ...APPEND, url: `${url}/:id`, handle: (request) => append(deps, request, location) })
    uploadRoute(server, { ...REMOVE, url: `${url}/:id`, handle: (request) => remove(deps, request, location) })
  }
}

async function create(deps: UploadFileDeps, request: FastifyRequest, location: string): Promise<TusAnswer> {
  const caller = callerOf(request)
  const length = Number(request.headers['upload-length'])
  if (length > LIMITS.mediaBytes) throw tooLarge()
  const fields = readMetadata([request.headers['upload-metadata'] ?? []].flat().join() || undefined)
  // What is there comes before how it is asked for.
  await requireUploadPlace(deps.db, caller, fields)
  refuseParameters(request)
  return answerTus(request.raw, location, {
    async create(bytesTotal) {
      const { row } = await beginUpload(deps, caller, {
        fields,
        fieldCode: 'request:invalid_header',
        bytesTotal,
        leastBytes: bytesTotal,
        fileName: null,
        owner: null,
      })
      return {
        id: row.id,
        length: bytesTotal,
        offset: 0,
        expiresInMs: LIMITS.uploadHours * HOUR_MS,
        metadata: fields,
      }
    },
  })
}

async function describe(request: FastifyRequest): Promise<TusAnswer> {
  refuseParameters(request)
  return DESCRIPTION
}

async function read(deps: UploadFileDeps, request: FastifyRequest, location: string): Promise<TusAnswer> {
  const upload = await take(deps, request)
  requireAlive(upload)
  refuseParameters(request)
  return answerTus(request.raw, location, { upload: tusUpload(upload) })
}

async function append(deps: UploadFileDeps, request: FastifyRequest, location: string): Promise<TusAnswer> {
  boundByProgress(request.raw)
  const upload = await take(deps, request)
  requireAlive(upload)
  refuseParameters(request)
  const stillAllowed = async () => requireSeen(await deps.admitAgain(request), upload.row)
  return answerTus(request.raw, location, {
    upload: tusUpload(upload),
    append: async (offset, bytes) =>
      upload.expiresInMs === null ? offset : continueUpload(deps, { ...upload, offset, stillAllowed }, bytes),
  })
}

async function remove(deps: UploadFileDeps, request: FastifyRequest, location: string): Promise<TusAnswer> {
  const upload = await take(deps, request, true)
  refuseParameters(request)
  return answerTus(request.raw, location, {
    upload: tusUpload(upload),
    remove: () => removeUpload(deps, upload),
  })
}

/** Beyond what its bytes pay for, and for what is not there, a request counts for the account's rate. */
async function take(deps: UploadFileDeps, request: FastifyRequest, forms = false): Promise<TakenUpload> {
  const { id = '' } = request.params as { id?: string }
  const upload = await takeUpload(deps.db, callerOf(request), id, { forms })
  if (!upload || upload.requests > FREE.requests + upload.offset / FREE.bytes) await request.countForAccount?.()
  request.countForAccount = null
  if (!upload) throw uploadNotFound()
  return upload
}

function refuseParameters({ query }: FastifyRequest): void {
  askedQuery(undefined, (query as { text?: string }).text ?? '').read()
}

function tusUpload({ id, bytesTotal: length, offset, expiresInMs, row }: TakenUpload): TusUpload {
  const named = { name: row.name, altText: row.alt_text }
  const given = Object.entries(named).filter(([, value]) => value !== null)
  return { id, length, offset, expiresInMs, metadata: { socialSetId: row.social_set_id, ...Object.fromEntries(given) } }
}

function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('An upload was reached without a caller.')
  return caller
}

function tooLarge(): ProblemError {
  return new ProblemError('request:too_large', `A file may have ${LIMITS.mediaBytes} bytes (1 GiB). Use a smaller one.`)
}

const DESCRIPTION: TusAnswer = {
  status: 204,
  headers: {
    'tus-resumable': TUS_VERSION,
    'tus-version': TUS_VERSION,
    'tus-extension': TUS_EXTENSIONS.join(','),
    'tus-max-size': String(LIMITS.mediaBytes),
  },
}

interface UploadRoute {
  method: 'POST' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'DELETE'
  status: 200 | 201 | 204
  operationId: string
  summary: string
  description: string
  /** Of the request. */
  headers: Record<string, TSchema>
  /** Of the answer, by what they say. */
  answers: Record<string, string>
  problems: readonly ErrorCode[]
}

const VERSION = `The version of the protocol: ${TUS_VERSION}.`
const RESUMABLE = Type.String({ description: VERSION, const: TUS_VERSION })
const OFFSET = 'How many bytes of the file are stored.'
const EXPIRES = 'When the upload expires unless more bytes arrive.'
/** A body that is not needed is read all the same. */
const OF_BODY: ErrorCode[] = [
  'request:too_large',
  'request:unsupported_media_type',
  'request:invalid_json',
  'request:invalid_body',
]
const OF_PROTOCOL: ErrorCode[] = ['request:invalid_query', 'media-upload:unsupported_version', 'request:invalid_header']

const CREATE = {
  method: 'POST',
  status: 201,
  operationId: 'beginUpload',
  summary: 'Begin to upload a file',
  description:
    'Uses the tus protocol, version 1.0.0; clients exist in most languages. Location is where the bytes go; its last part is the id of the upload, whose status says when the file is in the media library.',
  headers: {
    'tus-resumable': RESUMABLE,
    'upload-length': Type.Integer({ description: 'Bytes of the file.', minimum: 0, maximum: LIMITS.mediaBytes }),
    'upload-metadata': Type.String({
      description: 'socialSetId and, optionally, name and altText, each with its value in base64: `name cGhvdG8=,…`.',
    }),
  },
  answers: { Location: 'The address of the upload.', 'Upload-Expires': EXPIRES },
  problems: [
    ...OF_PROTOCOL,
    'social-set:not_found',
    ...OF_BODY,
    'plan:upload_allowance_exceeded',
    'plan:storage_exceeded',
    'api-key:budget_exceeded',
    'media-upload:too_many_open',
  ],
} as const

const DESCRIBE = {
  method: 'OPTIONS',
  status: 204,
  operationId: 'describeUploads',
  summary: 'Read what uploads support',
  description: 'Version, extensions and largest file, as the tus protocol has them.',
  headers: {},
  answers: {
    'Tus-Version': 'The versions of the protocol.',
    'Tus-Extension': 'Its extensions.',
    'Tus-Max-Size': 'Bytes of the largest file.',
  },
  problems: ['request:invalid_query', ...OF_BODY],
} as const

const READ = {
  method: 'HEAD',
  status: 200,
  operationId: 'getUploadOffset',
  summary: 'Read the offset of an upload',
  description:
    'Ends the request that was sending bytes until now. Does not count toward the rate limit, within the limits of PATCH.',
  headers: { 'tus-resumable': RESUMABLE },
  answers: {
    'Upload-Offset': OFFSET,
    'Upload-Length': 'Bytes of the file.',
    'Upload-Metadata': 'As sent when the upload began.',
  },
  problems: [...OF_PROTOCOL, 'media-upload:not_found', 'media-upload:expired'],
} as const

const APPEND = {
  method: 'PATCH',
  status: 204,
  operationId: 'appendToUpload',
  summary: 'Send bytes of an upload',
  description: `Any number of bytes from Upload-Offset on, as ${BYTES}. They may take any time, as long as 64 kB arrive in 30 seconds. Does not count toward the rate limit, as long as there are no more of them than ${FREE.requests} and one for each ${FREE.bytes / 1_000} kB that arrived.`,
  headers: {
    'tus-resumable': RESUMABLE,
    'upload-offset': Type.Integer({ description: 'The current offset of the upload.', minimum: 0 }),
  },
  answers: { 'Upload-Offset': OFFSET, 'Upload-Expires': EXPIRES },
  problems: [
    ...OF_PROTOCOL,
    'media-upload:not_found',
    'media-upload:expired',
    'media-upload:offset_mismatch',
    'media-upload:taken_over',
    'request:timeout',
    'request:too_large',
    'request:unsupported_media_type',
    // A request that breaks off.
    'request:invalid_json',
  ],
} as const

const REMOVE = {
  method: 'DELETE',
  status: 204,
  operationId: 'removeUpload',
  summary: 'Cancel an upload',
  description:
    'Removes what has arrived, also of a form that is still being sent. An upload that has all its bytes stays as it is.',
  headers: { 'tus-resumable': RESUMABLE },
  answers: {},
  problems: [...OF_PROTOCOL, 'media-upload:not_found', 'media-upload:taken_over', ...OF_BODY],
} as const

/** Registers a route whose answer is its headers. */
function uploadRoute(
  server: FastifyInstance,
  route: UploadRoute & { url: string; handle(request: FastifyRequest): Promise<TusAnswer> },
): void {
  const { method, url, status } = route
  const ofKeys = url.startsWith('/v1/')
  const common = ofKeys ? ([...COMMON, 'auth:insufficient_scope'] as const) : DASHBOARD_COMMON
  const codes = [...new Set<ErrorCode>([...common, ...route.problems])]
  const reads = method === 'OPTIONS'
  server.route({
    method,
    url,
    config: {
      ...(reads ? {} : { right: 'media:write' as const }),
      ...(method === 'HEAD' || method === 'PATCH' ? { paidByBytes: ofKeys } : {}),
      statuses: [status, ...codes.map((code) => ERRORS[code].status)],
    },
    schema: ofKeys ? described(route, codes) : { hide: true },
    onRequest: async ({ headers }) => {
      if (method !== 'PATCH' || headers['content-type'] === BYTES) return
      throw new ProblemError('request:unsupported_media_type', `Send the bytes with the header content-type: ${BYTES}.`)
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const answer = await route.handle(request)
      return reply.code(answer.status).headers(answer.headers).send()
    },
  })
}

function described(route: UploadRoute & { url: string }, codes: readonly ErrorCode[]): object {
  const headers = Object.entries({ 'Tus-Resumable': VERSION, ...route.answers }).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return {
    summary: route.summary,
    description: route.description,
    operationId: route.operationId,
    tags: ['Media'],
    security: [{ apiKey: [] }],
    ...(Object.keys(route.headers).length > 0 ? { headers: Type.Object(route.headers) } : {}),
    ...(route.url.includes(':id') ? { params: Type.Object({ id: Type.String({ description: 'UUID' }) }) } : {}),
    ...(route.method === 'PATCH' ? { body: { content: { [BYTES]: { schema: {} } } } } : {}),
    response: {
      [route.status]: { description: 'Done; there is no body.', type: 'null', headers: Object.fromEntries(headers) },
      ...problemResponses(codes),
    },
  }
}
