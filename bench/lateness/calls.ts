import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** What the floor and BullMQ send: as many requests as Almanac's connectors make for a text. */

/** A text that is to be sent. */
export interface Text {
  accountType: string
  caption: string
  externalId: string
}

const agent = new Agent()
/** When Almanac looks at a container first. */
const CONTAINER_MS = 2_000

/** Sends it, and answers the network's id of the post. */
export async function send(networksUrl: string, { accountType, caption, externalId }: Text): Promise<string> {
  const call = async (method: 'GET' | 'POST', path: string, body?: object | string) => {
    const answer = await request(`${networksUrl}/${path}`, {
      method,
      dispatcher: agent,
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      ...(body ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} was answered ${answer.statusCode}.`)
    return { headers: answer.headers, json: text === '' ? {} : JSON.parse(text) }
  }
  switch (accountType) {
    case 'BLUESKY': {
      const record = { $type: 'app.bsky.feed.post', text: caption, createdAt: new Date().toISOString() }
      const place = { repo: externalId, collection: 'app.bsky.feed.post', rkey: `r${Date.now()}` }
      return (await call('POST', 'bluesky/xrpc/com.atproto.repo.putRecord', { ...place, record })).json.uri
    }
    case 'LINKEDIN_PERSONAL':
      return String(
        (await call('POST', 'linkedin/rest/posts', { author: externalId, commentary: caption })).headers['x-restli-id'],
      )
    case 'TWITTER':
      await call('GET', `x/2/users/${externalId}/tweets?max_results=100`)
      return (await call('POST', 'x/2/tweets', { text: caption })).json.data.id
    case 'FACEBOOK':
      await call('GET', `facebook/v25.0/${externalId}/published_posts?limit=25`)
      return (await call('POST', `facebook/v25.0/${externalId}/feed`, { message: caption })).json.id
    case 'THREADS': {
      await call('GET', 'threads/v1.0/me/threads_publishing_limit')
      const form = new URLSearchParams({ media_type: 'TEXT', text: caption }).toString()
      const { id } = (await call('POST', 'threads/v1.0/me/threads', form)).json
      await pause(CONTAINER_MS)
      await call('GET', `threads/v1.0/${id}`)
      const published = new URLSearchParams({ creation_id: id }).toString()
      return (await call('POST', 'threads/v1.0/me/threads_publish', published)).json.id
    }
    default:
      throw new Error(`No calls for ${accountType}.`)
  }
}
