import { setTimeout as wait } from 'node:timers/promises'
import Type from 'typebox'
import {
  LIMITS,
  MediaUpload,
  MediaUploadCreate,
  NO_QUERY,
  NOTE_COLORS,
  Note,
  NoteCreate,
  PostSet,
  PostSetCreate,
  PostSetUpdate,
} from '#contract'
import { createMediaUpload, createNote, createPostSet, getMediaUpload, updatePostSet } from '#operations'
import { OF_POST_SETS, POSTS_AGAIN, POSTS_IN } from '../schemas.ts'
import { bodyOf, NOTHING_SAVED, type Tool, type ToolAnswer, type ToolCall, writingTool } from '../tool.ts'

const { socialSetId, scheduledAt } = PostSetCreate.properties
const { hexColor, ...note } = NoteCreate.properties
const { url, ...media } = MediaUploadCreate.properties
const ENDED = ['READY', 'FAILED']
/** How often an import is looked at while it is waited for. */
const LOOK_MS = 1_000

export const version = Type.Integer({
  description: 'That you have read: another one is refused, and what changed is said.',
})
export const id = Type.String({ description: 'Of the post set.' })

export const WRITING: readonly Tool[] = [
  writingTool({
    name: 'create_draft',
    title: 'Create a draft',
    description: 'Puts a post set on the calendar as a draft, which is never published before somebody schedules it.',
    notFound: 'social-set:not_found',
    offered: ({ rights }) => rights.includes('post-sets:write'),
    passed: { socialSetId, scheduledAt, posts: POSTS_IN, ...OF_POST_SETS },
    output: PostSet,
    run: async ({ deps, caller, args }) => {
      const body = bodyOf(PostSetCreate, { ...args, status: 'DRAFT', approval: 'NONE' })
      return { answer: await createPostSet(deps, caller, { body, query: NOTHING_SAVED }) }
    },
  }),
  writingTool({
    name: 'update_post_set',
    title: 'Change a post set',
    description:
      'Changes what is given and leaves the rest. posts is the whole new list: a post with its id stays, one that is left out is removed. A scheduled set stays scheduled.',
    notFound: 'post-set:not_found',
    offered: ({ rights }) => rights.includes('post-sets:write'),
    own: { id, version },
    passed: {
      scheduledAt: PostSetUpdate.properties.scheduledAt,
      posts: Type.Optional(POSTS_AGAIN),
      ...OF_POST_SETS,
    },
    hints: { destructiveHint: true, idempotentHint: true },
    output: PostSet,
    run: async ({ deps, caller, args: { id: postSetId, version: seen, ...changes } }) => {
      const request = { body: bodyOf(PostSetUpdate, changes), query: NOTHING_SAVED, seen: [seen] }
      return { answer: await updatePostSet(deps, caller, postSetId, request) }
    },
  }),
  writingTool({
    name: 'import_media',
    title: 'Import a file',
    description:
      'Brings a picture, video or PDF at a public address into the media library of a brand: posts name its mediaLibraryId. Waits up to 20 seconds; if it is not READY then, call it again with uploadId alone.',
    notFound: 'media-upload:not_found',
    offered: ({ rights }) => rights.includes('media:write'),
    own: { uploadId: Type.Optional(Type.String({ description: 'Of an import that is under way.' })) },
    passed: Type.Partial(Type.Object({ url, ...media })).properties,
    hints: { openWorldHint: true },
    output: MediaUpload,
    run: async ({ deps, caller, args: { uploadId, ...asked } }) => {
      if (uploadId !== undefined) return { answer: await getMediaUpload(deps, caller, uploadId) }
      const body = bodyOf(MediaUploadCreate, asked)
      return { answer: await createMediaUpload(deps, caller, { form: null, body, query: NO_QUERY }) }
    },
    wait: (call, upload) => whenEnded(call, upload as MediaUpload),
  }),
  writingTool({
    name: 'add_note',
    title: 'Add a note',
    description: 'Pins a note to a time on the calendar of a brand, for its people. It is never published.',
    notFound: 'social-set:not_found',
    offered: ({ rights }) => rights.includes('notes:write'),
    passed: { ...note, hexColor: Type.Optional(hexColor) },
    output: Note,
    run: async ({ deps, caller, args }) => ({
      answer: await createNote(deps, caller, bodyOf(NoteCreate, { hexColor: NOTE_COLORS[0], ...args })),
    }),
  }),
]

/** An import as it is once it has ended, or when as long as an agent waits is over. */
async function whenEnded({ deps, caller, gone }: ToolCall, begun: MediaUpload): Promise<ToolAnswer> {
  const until = performance.now() + LIMITS.mcp.importWaitMs
  let upload = begun
  while (!ENDED.includes(upload.status) && !gone.aborted && performance.now() < until) {
    await wait(LOOK_MS, undefined, { signal: gone }).catch(() => {})
    upload = await getMediaUpload(deps, caller, begun.id)
  }
  if (ENDED.includes(upload.status)) return { answer: upload }
  return { answer: upload, next: `It is not ready yet. Call import_media with the uploadId ${upload.id} to wait on.` }
}
