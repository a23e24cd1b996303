import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import {
  AlmanacEvent,
  accountTypes,
  ConnectedAccount,
  Label,
  MediaCrop,
  MediaLibraryItem,
  MediaTag,
  MediaUpload,
  MediaUploadCreate,
  Note,
  NoteCreate,
  NoteRepeat,
  NoteUpdate,
  PostFit,
  PostMedia,
  PostMediaInput,
  PostOptions,
  PostSet,
  PostSetCreate,
  PostSetRepeat,
  PostSetUpdate,
  PostSetValidation,
  Problem,
  ProblemEntry,
  postInputs,
  postOutputs,
  SocialSet,
  Webhook,
  WebhookAttempt,
  WebhookCreate,
  WebhookUpdate,
  WebhookWithSecret,
} from '#contract'
import { EXAMPLES } from './examples.ts'
import { OPEN_API_WEBHOOKS, WEBHOOK_HEADERS, WEBHOOK_RESPONSES } from './openapi-webhooks.ts'

/** What stands around the routes in the description of the API. */
export function openApiFrame(publicUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Almanac',
        version: '1',
        description: 'One calendar for everything a team says in public: post sets, their media and their results.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl }],
      externalDocs: { url: `${publicUrl}/docs`, description: 'What fields and operations mean, with examples.' },
      tags: [
        { name: 'Post sets', description: 'A slot in time with one post per network.' },
        { name: 'Notes', description: 'Reminders on the calendar of a social set.' },
        { name: 'Social sets', description: 'Brands with their connected accounts.' },
        { name: 'Labels', description: 'Labels that an account puts on its post sets.' },
        { name: 'Networks', description: 'What account types accept.' },
        { name: 'Media', description: 'Images and videos, imported from public addresses.' },
        { name: 'Events', description: 'What happened, one event after the other.' },
        { name: 'Webhooks', description: 'Where events are sent.' },
      ],
      // The types of the library are those of paths.
      webhooks: OPEN_API_WEBHOOKS as never,
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer alm_…`.' },
        },
        headers: HEADERS,
        parameters: WEBHOOK_HEADERS,
        responses: WEBHOOK_RESPONSES,
      },
    },
    transformObject: (made) => withHeaders((made as { openapiObject: OpenApiDocument }).openapiObject) as object,
    refResolver: { buildLocalReference: (json, _, __, index) => String(json.$id ?? `schema-${index}`) },
  }
}

const HEADERS = {
  Limit: { description: 'Requests per second that the account may send.', schema: { type: 'integer' } },
  Remaining: { description: 'Requests left in this second.', schema: { type: 'integer' } },
  Reset: { description: 'When this second ends: in epoch seconds, rounded up.', schema: { type: 'integer' } },
  Version: { description: 'The version of the service that answers.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  Replayed: {
    description: 'This is the answer to an earlier request with the same Idempotency-Key; absent for the first one.',
    schema: { type: 'string', const: 'true' },
  },
} as const

interface OpenApiOperation {
  parameters?: { name: string }[]
  responses: Record<string, { headers?: object }>
}
interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>
}

/** Here and not in the routes, because the library takes no references for headers: written out they double the whole. */
function withHeaders(document: OpenApiDocument): OpenApiDocument {
  const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })
  const everywhere = {
    'X-RateLimit-Limit': header('Limit'),
    'X-RateLimit-Remaining': header('Remaining'),
    'X-RateLimit-Reset': header('Reset'),
    'Almanac-Version': header('Version'),
  }
  for (const { parameters, responses } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const takesKey = parameters?.some(({ name }) => name === 'idempotency-key')
    for (const [status, response] of Object.entries(responses)) {
      const retry = ['409', '429', '503'].includes(status) ? { 'Retry-After': header('RetryAfter') } : {}
      const replayed = takesKey && Number(status) < 300 ? { 'Idempotency-Replayed': header('Replayed') } : {}
      response.headers = { ...response.headers, ...everywhere, ...retry, ...replayed }
    }
  }
  return document
}

/** `LinkedinPagePost` of `LINKEDIN_PAGE`. */
const postName = (accountType: string) =>
  `${accountType
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')}Post`

/** Schemas that have a name in the description, so that generated clients have one too. */
const SHARED = new Map<TSchema, string>([
  [Problem, 'Problem'],
  [ProblemEntry, 'ProblemEntry'],
  [PostSet, 'PostSet'],
  [PostSetCreate, 'PostSetCreate'],
  [PostSetUpdate, 'PostSetUpdate'],
  [PostSetRepeat, 'PostSetRepeat'],
  [PostSetValidation, 'PostSetValidation'],
  [PostMedia, 'PostMedia'],
  [PostMediaInput, 'PostMediaInput'],
  [PostOptions, 'PostOptions'],
  [PostFit, 'PostFit'],
  [MediaCrop, 'MediaCrop'],
  [MediaTag, 'MediaTag'],
  [SocialSet, 'SocialSet'],
  [ConnectedAccount, 'ConnectedAccount'],
  [Label, 'Label'],
  [Note, 'Note'],
  [NoteCreate, 'NoteCreate'],
  [NoteUpdate, 'NoteUpdate'],
  [NoteRepeat, 'NoteRepeat'],
  [MediaLibraryItem, 'MediaLibraryItem'],
  [MediaUpload, 'MediaUpload'],
  [MediaUploadCreate, 'MediaUploadCreate'],
  [AlmanacEvent, 'Event'],
  [Webhook, 'Webhook'],
  [WebhookCreate, 'WebhookCreate'],
  [WebhookUpdate, 'WebhookUpdate'],
  [WebhookAttempt, 'WebhookAttempt'],
  [WebhookWithSecret, 'WebhookWithSecret'],
  ...accountTypes.flatMap((accountType, index): [TSchema, string][] => {
    const output = postOutputs[index]
    const input: [TSchema, string] = [postInputs[accountType], `${postName(accountType)}Input`]
    return output ? [[output, postName(accountType)], input] : [input]
  }),
])

/** Registers the named schemas; those inside of others are referred to. */
export function addSharedSchemas(server: FastifyInstance): void {
  for (const [schema, name] of SHARED) {
    const example = EXAMPLES[name]
    const whole = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, described(value)]))
    server.addSchema({ $id: name, ...whole, ...(example ? { examples: [example] } : {}) })
  }
}

/** A schema for the description: named schemas inside of it become references. */
export function described(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(described)
  const name = SHARED.get(schema as TSchema)
  if (name !== undefined) return { $ref: `${name}#` }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, described(value)]))
}
