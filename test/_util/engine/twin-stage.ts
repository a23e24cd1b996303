import { Agent } from 'undici'
import { type AccountType, plainLines } from '#contract'
import { newId } from '#domain'
import type { Attempt, Connector, Network } from '#networks'
import { loadNetworks } from '#networks'
import { openSampleMedia, type Sample, simulatorBackend } from '../../../src/networks/conformance/index.ts'
import { createHttp } from '../../../src/networks/kit/http.ts'
import { lost } from '../../../src/networks/kit/testing.ts'
import { createEngine, type Engine } from './engine.ts'

const photo = { media: [{ file: 'transparent.png' }] }
/** Media and fields of a post of words on each account type. */
export const SAMPLES: Record<AccountType, Pick<Sample, 'media' | 'fields'>> = {
  FACEBOOK: { fields: { type: 'TEXT' } },
  INSTAGRAM: { ...photo, fields: { type: 'IMAGE', collaborators: [] } },
  THREADS: {},
  TWITTER: {},
  BLUESKY: {},
  LINKEDIN_PAGE: {},
  LINKEDIN_PERSONAL: {},
  GMB: { fields: { ctaType: 'NONE' } },
  PINTEREST: { ...photo, fields: { title: 'Bread', website: 'https://bakery.example/bread', board: null } },
  TIKTOK: photo,
  YOUTUBE: { media: [{ file: 'video-short.mp4' }], fields: { title: 'Bread', privacy: 'PUBLIC' } },
}

/** What becomes of the visible call of a post. */
export type Answer = 'answered' | 'lost' | 'never arrived'

/** A publisher on a database, and the simulator of one account type, where posts of the same words go out. */
export interface TwinStage {
  engine: Engine
  /** Puts a post of these words on the calendar, due now. */
  schedule(caption: string, answer: Answer): Promise<string>
  /** Lets time go by in the steps in which something is due. */
  pass(ms: number): Promise<void>
  /** Until all sets have their results. */
  settle(): Promise<void>
  /** What the network holds with this mark in its words. */
  ledger(mark: string): Promise<{ id: string }[]>
  close(): Promise<void>
}

/** `changed`: the connector in the form in which it is tried. */
export async function openTwinStage(
  accountType: AccountType,
  changed: (network: Network) => Network = (network) => network,
): Promise<TwinStage> {
  const sample = SAMPLES[accountType]
  const networks = await loadNetworks()
  const real = networks.serving(accountType)
  if (!real) throw new Error(`Nothing serves ${accountType}.`)
  const agent = new Agent()
  const plain = createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent })
  let engine: Engine | undefined
  const now = () => new Date(Date.now() + (engine?.time.databaseMs ?? 0))
  const [backend, files] = await Promise.all([simulatorBackend(real, accountType, { now }), openSampleMedia()])
  const media = await files.of(sample.media ?? [])
  const fields = JSON.stringify(sample.fields ?? {})
  /** What becomes of the next calls, by the first words of posts. */
  const answers = new Map<string, Answer[]>()

  /** The attempt with the sample's media; an answer of its first request may be lost. */
  function seen(attempt: Attempt, isVisible: boolean): Attempt {
    const post = { ...attempt.post, media }
    let first = isVisible
    const http: Attempt['http'] = async (request) => {
      const answer = (first && answers.get(attempt.post.caption)?.shift()) || 'answered'
      first = false
      if (answer !== 'never arrived') {
        const result = await attempt.http(request)
        return answer === 'lost' ? lost : result
      }
      return lost
    }
    // With its getters.
    const own = { ...Object.getOwnPropertyDescriptors(attempt), post: given(post), http: given(http) }
    return Object.defineProperties({}, own) as Attempt
  }
  const network = changed(real)
  const { connector } = network
  const tried: Connector = {
    ...connector,
    prepare: (attempt) => connector.prepare(seen(attempt, false)),
    publish: (attempt) => connector.publish(seen(attempt, true)),
    confirm: (attempt) => connector.confirm(seen(attempt, false)),
    find: (attempt) => connector.find(seen(attempt, false)),
  }
  const serving: Network = {
    ...network,
    manifest: { ...network.manifest, accountTypes: [accountType] },
    connector: tried,
    checkPost: () => [],
  }
  engine = await createEngine({
    networks: [serving],
    outbound: {
      httpFor: () => plain,
      endpoint: (_, name) => backend.endpoints[name] ?? '',
      setting: (_, name) => backend.settings?.[name] ?? '',
    },
  })
  const { db } = engine
  await db
    .updateTable('network_identities')
    .set({
      external_id: backend.account.externalId,
      secret: Buffer.from(JSON.stringify(backend.credentials)),
      sandbox: true,
    })
    .execute()
  const { username, defaults } = backend.account
  await db
    .updateTable('connections')
    .set({ username, defaults: JSON.stringify(defaults) })
    .execute()
  const own = engine

  async function nextAt(): Promise<number | null> {
    const row = await db
      .selectFrom('deliveries')
      .select(({ fn }) => fn.min('next_at').as('at'))
      .where('state', '!=', 'DONE')
      .executeTakeFirst()
    return row?.at ? new Date(row.at).getTime() : null
  }
  async function pass(ms: number): Promise<void> {
    const until = now().getTime() + ms
    for (let at = await nextAt(); at !== null && at < until; at = await nextAt()) {
      await own.advance(Math.max(at - now().getTime(), 0) + 5)
      await own.drain()
    }
    await own.advance(Math.max(until - now().getTime(), 0))
  }
  return {
    engine: own,
    async schedule(caption, answer) {
      const sent = plainLines(caption)
      answers.set(sent, [...(answers.get(sent) ?? []), answer])
      const set = await own.schedule({ accountTypes: [accountType], caption })
      await db.updateTable('posts').set({ fields }).where('post_set_id', '=', set).execute()
      await own.drain()
      return set
    },
    pass,
    async settle() {
      for (let hours = 0; (await nextAt()) !== null; hours++) {
        if (hours > 40) throw new Error('A delivery does not end.')
        await pass(3_600_000)
      }
    },
    async ledger(mark) {
      const posts = await backend.posts()
      return posts.filter(({ text }) => text.includes(mark))
    },
    async close() {
      await own.close()
      await backend.stop()
      await files.close()
      await agent.destroy()
    },
  }
}

const given = <T>(value: T) => ({ value, enumerable: true })

/** Letters that no other post has. */
export const newMark = () => newId().slice(-8)
