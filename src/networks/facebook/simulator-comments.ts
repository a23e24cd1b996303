import { SECOND_MS } from '#contract/durations'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import { type Call, visibly } from '../kit/simulator.ts'
import {
  checkParams,
  chosen,
  invalid,
  newId,
  ok,
  pageOf,
  readParams,
  timestamp,
  unknownObject,
} from '../meta/simulator.ts'
import { limits } from './manifest.ts'
import { findPublished, type SimulatedPage } from './simulator-posts.ts'

/** A comment of the Page below one of its posts. */
interface SimulatedComment {
  id: string
  post: string
  message: string
  at: string
}

/** A post takes no comments when it is so young, as if it did not exist; a comment is listed so much later. */
const UNKNOWN_MS = SECOND_MS
const LISTING_LAG_MS = 5 * SECOND_MS
export const COMMENT_PARAMS: readonly string[] = ['message', 'attachment_url', 'attachment_share_url']
export const COMMENT_FIELDS: readonly string[] = ['id', 'message', 'created_time', 'from']

const ofPost = ({ deps }: Call<SimulatedPage>, id: string) =>
  deps.store.list<SimulatedComment>('comments').filter(({ post }) => post === id)

/** What a comment is written below, or read of. @throws SimulatedRefusal */
function postIn(call: Call<SimulatedPage>) {
  const post = findPublished(call, call.at.id)
  if (!post || post.details.type.endsWith(' story')) throw new SimulatedRefusal(unknownObject(call.at.id ?? ''))
  return post
}

/** `POST /{post}/comments`. The same words a second time make a second comment. */
export async function addComment(
  call: Call<SimulatedPage>,
  answers: Parameters<typeof visibly>[1]['answers'],
): Promise<null> {
  const { deps, at, by } = call
  const params = await readParams(call.request)
  checkParams(params, COMMENT_PARAMS)
  const { message } = params
  return visibly(call, {
    key: ['comment', by.id, at.id],
    text: message,
    answers,
    accept() {
      const post = postIn(call)
      if (deps.now().getTime() - Date.parse(post.createdAt) < UNKNOWN_MS) return unknownObject(post.id)
      if (typeof message !== 'string' || message === '') return invalid('message')
      if (message.length > limits.commentLength.value) return invalid('message is too long')
      const id = `${post.id.replace(/^.*_/, '')}_${newId('55')}`
      const kept: SimulatedComment = { id, post: post.id, message, at: deps.now().toISOString() }
      deps.store.together(() => {
        deps.store.put('comments', id, kept)
        const comments = ofPost(call, post.id).filter((each) => each.id !== id)
        deps.store.amendPost(post.id, {
          comments: [...comments, kept].map((each) => ({ id: each.id, text: each.message })),
        })
      })
      return ok({ id })
    },
  })
}

/** `GET /{post}/comments`. Newest first. */
export function listComments(call: Call<SimulatedPage>): SimulatedAnswer {
  const { deps, by, query } = call
  const until = deps.now().getTime() - LISTING_LAG_MS
  const listed = ofPost(call, postIn(call).id).filter(({ at }) => Date.parse(at) <= until)
  const show = ({ id, message, at }: SimulatedComment) =>
    chosen({ id, message, created_time: timestamp(at), from: { id: by.id, name: by.name } }, query, COMMENT_FIELDS)
  return ok(pageOf(listed.toReversed(), query, show))
}
