import { randomInt } from 'node:crypto'
import { SECOND_MS } from '#contract/durations'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readJson } from '../kit/request-body.ts'
import { type Call, visibly } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import { type Access, atMost, denied, faults, fieldsOf, mayAct, ok, refuse } from './simulator-answers.ts'
import { findPost } from './simulator-posts.ts'

interface SimulatedComment {
  id: string
  post: string
  actor: string
  text: string
  at: string
}

/** So young a post is not known here; a comment is listed so much later. */
const UNKNOWN_MS = SECOND_MS
const LISTED_AFTER_MS = 5 * SECOND_MS

/** What a token must have been granted to comment. The older API takes the older permission of pages too. */
function mayComment({ scopes }: Access, actor: string, api: 'rest' | 'v2'): boolean {
  if (actor.startsWith('urn:li:person:')) return scopes.includes('w_member_social_feed')
  return scopes.includes('w_organization_social_feed') || (api === 'v2' && scopes.includes('w_organization_social'))
}

const commentsOf = ({ store }: Call<Access>['deps'], post: string) =>
  store.list<SimulatedComment>('comments').filter((each) => each.post === post)

/** `POST /rest/socialActions/{urn}/comments`, and below `/v2`. The same words a second time make a second comment. */
export async function addComment(call: Call<Access>, api: 'rest' | 'v2'): Promise<null> {
  const { deps, by, at } = call
  const body = await readJson(call.request)
  const { text } = record(record(body)?.message) ?? {}
  return visibly(call, { key: ['comment', at.id], text, answers: faults, accept })

  function accept(): SimulatedAnswer {
    const { actor, object, message } = fieldsOf('', body, ['actor', 'object', 'message'])
    fieldsOf('/message', message, ['text'], ['attributes'])
    if (!mayAct(by, actor) || !mayComment(by, actor, api)) {
      return denied('partnerApiSocialActions.CREATE.20260901')
    }
    const post = findPost(deps, at.id)
    const age = deps.now().getTime() - new Date(post?.at ?? 0).getTime()
    if (!post || age < UNKNOWN_MS) return refuse(404, 'The social action is not found')
    if (object !== post.id) return refuse(400, 'object is another one')
    if (typeof text !== 'string' || text.trim() === '') return refuse(422, 'ERROR :: /message/text :: is empty')
    atMost(limits.commentLength, '/message/text', text)
    const id = String((BigInt(deps.now().getTime()) << 22n) | BigInt(randomInt(2 ** 22)))
    const kept: SimulatedComment = { id, post: post.id, actor, text, at: deps.now().toISOString() }
    deps.store.together(() => {
      const others = commentsOf(deps, post.id)
      deps.store.put('comments', id, kept)
      deps.store.amendPost(post.id, { comments: [...others, kept].map((each) => ({ id: each.id, text: each.text })) })
    })
    return ok({ id, actor, object, message: { text } }, { 'x-restli-id': id }, 201)
  }
}

/** `GET /rest/socialActions/{urn}/comments` */
export function listComments({ deps, at, query }: Call<Access>): SimulatedAnswer {
  const count = Number(query.get('count') ?? 10)
  if (!(count >= 1 && count <= 100)) return refuse(400, 'count is not valid')
  const until = deps.now().getTime() - LISTED_AFTER_MS
  const listed = commentsOf(deps, at.id ?? '').filter((each) => new Date(each.at).getTime() <= until)
  const elements = listed.map(({ id, actor, text, post, at: made }) => {
    return { id, actor, object: post, message: { text }, created: { actor, time: new Date(made).getTime() } }
  })
  return ok({ paging: { start: 0, count, links: [] }, elements: elements.slice(0, count) })
}
