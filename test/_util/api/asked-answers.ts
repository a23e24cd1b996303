/** Requests of every kind, right and wrong, and what a server answers to them: for comparing two servers on equal data. */

interface Asked {
  request: string
  status: number
  type: string | null
  body: string
}

const CAPTION = 'Bread from nine o’clock, and https://example.com/rye behind it 🍞'
const AT = '2090-06-01T10:00:00.000Z'

/** @returns the answers in their order; ids are numbers in the order in which they came, and times of now are no times */
export async function askAll(url: string, key: string): Promise<Asked[]> {
  const asked: Asked[] = []
  const ids = new Map<string, string>()
  const plain = (text: string) =>
    text
      .replaceAll(url, 'ADDRESS')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        if (!ids.has(id)) ids.set(id, `id ${ids.size + 1}`)
        return ids.get(id) ?? ''
      })
      .replaceAll(/202\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?/g, 'TIME')

  // biome-ignore lint/suspicious/noExplicitAny: what is used of an answer is in every one of that request
  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<any> {
    const isText = typeof body === 'string'
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const { status } = answer
    asked.push({
      ...{ request: plain(`${method} ${path}`), status },
      ...{ type: answer.headers.get('content-type'), body: plain(text) },
    })
    return text.startsWith('{') ? JSON.parse(text) : {}
  }

  const { id: socialSetId } = (await ask('GET', '/v1/social-sets')).data[0]
  const post = (accountType: string, more: object = {}) => ({ accountType, caption: CAPTION, media: [], ...more })
  const draft = (posts: object[], more: object = {}) => ({
    ...{ socialSetId, scheduledAt: AT, status: 'DRAFT', approval: 'NONE', posts, ...more },
  })
  const texts = [post('BLUESKY'), post('TWITTER'), post('THREADS')]
  await ask('GET', '/v1/networks')
  await ask('GET', `/v1/connections?socialSetId=${socialSetId}`)
  // What rules say of each type, all of it wrong in some way.
  const types = [
    'INSTAGRAM',
    'PINTEREST',
    'YOUTUBE',
    'TIKTOK',
    'GMB',
    'LINKEDIN_PERSONAL',
    'FACEBOOK',
    'TWITTER',
    'BLUESKY',
  ]
  for (const accountType of types) {
    const long = post(accountType, { caption: 'Ж漢字 '.repeat(2_000) })
    await ask('POST', '/v1/post-sets/validate', draft([long]))
  }
  await ask('POST', '/v1/post-sets/validate', draft(texts))
  const set = await ask('POST', '/v1/post-sets', draft(texts))
  await ask('GET', `/v1/post-sets/${set.id}`)
  await ask('PATCH', `/v1/post-sets/${set.id}`, { scheduledAt: '2090-06-02T10:00:00.000Z' })
  await ask('PATCH', `/v1/post-sets/${set.id}`, { version: 1, scheduledAt: AT })
  await ask('PATCH', `/v1/post-sets/${set.id}`, { scheduledAt: AT }, { 'if-match': '"1"' })
  await ask('GET', `/v1/post-sets?socialSetId=${socialSetId}&filters[status][]=DRAFT&filters[search]=bread&size=5`)
  await ask('GET', `/v1/post-sets?socialSetId=${socialSetId}&sort[createdAt]=DESC&sort[scheduledAt]=ASC`)
  const label = await ask('POST', '/v1/labels', { name: 'Spring', color: '#336699' })
  await ask('PATCH', `/v1/post-sets/${set.id}`, { labelsId: [label.id] })
  await ask('POST', '/v1/notes', { socialSetId, title: 'Harvest', startDate: '2090-06-01', endDate: '2090-06-02' })
  await ask('GET', `/v1/notes?socialSetId=${socialSetId}&filters[startDate]=2090-06-01&filters[endDate]=2090-06-30`)
  // Wrong in every other way.
  await ask('GET', '/v1/post-sets')
  await ask('GET', '/v1/post-sets/not-an-id')
  await ask('GET', '/v1/post-sets/018f2f4e-0000-7000-8000-000000000000')
  await ask('GET', `/v1/post-sets?socialSetId=${socialSetId}&filters[colour]=red`)
  await ask('POST', '/v1/post-sets', '{"posts": [')
  await ask('POST', '/v1/post-sets', draft([{ accountType: 'MYSPACE' }], { status: 'LATER', extra: true }))
  await ask('POST', '/v1/post-sets', 'posts', { 'content-type': 'text/plain' })
  await ask('PUT', `/v1/post-sets/${set.id}`, {})
  await ask('GET', '/v1/nowhere')
  await ask('GET', '/v1/social-sets', undefined, { authorization: 'Bearer wrong' })
  await ask('DELETE', `/v1/post-sets/${set.id}`)
  await ask('GET', `/v1/post-sets/${set.id}`)
  return asked
}
