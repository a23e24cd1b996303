import { Almanac } from '../../clients/typescript/src/index.ts'

/** Calls every method that asks for one thing, and answers what it asked for, in the words of the contract: `GET /notes/:id`. */
export async function everyCall(): Promise<string[]> {
  const asked: string[] = []
  const almanac = new Almanac({
    url: 'https://almanac.test',
    key: 'alm_test',
    fetch: async (address, { method } = {}) => {
      const { pathname } = new URL(String(address))
      asked.push(`${method} ${pathname.replace('/v1', '').replace('/an-id', '/:id')}`)
      return Response.json({ data: [], pagination: { page: 1, size: 1, total: 0, totalPages: 0, totalIsExact: true } })
    },
  })
  const [id, body] = ['an-id', {} as never]
  const { postSets, notes, socialSets, labels, networks, media, mediaUploads, events, webhooks } = almanac
  await Promise.all([
    ...[
      postSets.list(body),
      postSets.get(id),
      postSets.create(body),
      postSets.createMany(body),
      postSets.validate(body),
    ],
    ...[postSets.update(id, {}), postSets.askToSchedule(id), postSets.delete(id), postSets.retry(id)],
    ...[notes.list(body), notes.get(id), notes.create(body), notes.update(id, {}), notes.delete(id)],
    ...[socialSets.list(), socialSets.freeSlots(id), labels.list(), networks.list()],
    ...[media.list(body), media.get(id), mediaUploads.create(body), mediaUploads.get(id), events.list()],
    ...[webhooks.list(), webhooks.get(id), webhooks.create(body), webhooks.update(id, {}), webhooks.delete(id)],
    ...[
      webhooks.rotateSecret(id),
      webhooks.test(id),
      webhooks.attempts(id),
      webhooks.resend(id, {}),
      webhooks.adopt(id),
    ],
  ])
  return asked
}
