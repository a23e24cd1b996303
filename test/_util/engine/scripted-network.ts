import type { AccountType } from '#contract'
import type {
  Attempt,
  Connect,
  CoverOutcome,
  Finding,
  FindOutcome,
  InboxOutcome,
  Network,
  Part,
  PrepareOutcome,
  PublishOutcome,
} from '#networks'
import { followUps } from '../../../src/networks/kit/parts.ts'

type Scripted<T> = T | ((attempt: Attempt) => T | Promise<T>)

type Refresh = NonNullable<Connect['refresh']>

/** What a simulator answers, call by call; the last answer of a list repeats. */
export interface Script {
  /** Default: `scripted`. */
  name?: string
  accountType?: AccountType
  prepare?: Scripted<PrepareOutcome>[]
  publish?: Scripted<PublishOutcome>[]
  confirm?: Scripted<PublishOutcome>[]
  find?: Scripted<FindOutcome>[]
  /** Absent: the connector does not ask for addresses. */
  permalink?: Scripted<string | null>[]
  /** Absent: no post has a cover that comes later. */
  cover?: Scripted<CoverOutcome>[]
  /** What becomes of posts in the inbox. Absent: there is none. */
  inbox?: Scripted<InboxOutcome>[]
  comment?: Scripted<PublishOutcome>[]
  findComment?: Scripted<FindOutcome>[]
  /** What comes behind the post, in place of a comment. */
  parts?: readonly Part[]
  refresh?: ((...given: Parameters<Refresh>) => Awaited<ReturnType<Refresh>> | ReturnType<Refresh>)[] | null
  findings?: Finding[]
  listingDelayMs?: number
  /** The network may be asked to repeat a call. */
  repeats?: true
  renewEveryMs?: number
  facts?: NonNullable<Connect['facts']>
  canRefresh?: Connect['canRefresh']
}

/** Each post that is named `p1` in a script gets an id of its own, as on any network: `p1`, `p2`, … */
export const published = { kind: 'published', providerId: 'p1', permalink: 'https://example.test/p1' } as const

let posts = 0
const newPostId = () => `p${++posts}`

/** A network whose connector follows a script, and the calls it has got. For tests of the engine alone. */
export function scriptedNetwork(script: Script): Network & { calls: string[] } {
  const calls: string[] = []
  const used = new Map<string, number>()
  async function play<T>(name: string, list: Scripted<T>[], attempt: Attempt): Promise<T> {
    calls.push(name)
    const index = used.get(name) ?? 0
    used.set(name, index + 1)
    const entry = list[Math.min(index, list.length - 1)]
    if (entry === undefined) throw new Error(`The script has nothing for ${name}.`)
    return typeof entry === 'function' ? await (entry as (attempt: Attempt) => T | Promise<T>)(attempt) : entry
  }
  /** The same for what names a post. */
  async function playPost<T extends PublishOutcome | FindOutcome>(name: string, list: Scripted<T>[], attempt: Attempt) {
    const outcome = await play(name, list, attempt)
    return 'providerId' in outcome && outcome.providerId === 'p1' ? { ...outcome, providerId: newPostId() } : outcome
  }
  const network: Network & { calls: string[] } = {
    calls,
    manifest: {
      name: script.name ?? 'scripted',
      title: 'Scripted',
      accountTypes: [script.accountType ?? 'BLUESKY'],
      limits: {},
      forms: {},
      defaults: [],
      endpoints: {},
      settings: {},
      listingDelayMs: script.listingDelayMs ?? 0,
      idempotentPublish: false,
      ...(script.repeats ? { repeats: true } : {}),
    },
    countCaption: () => null,
    checkPost: () => script.findings ?? [],
    connector: {
      wordsOf: ({ caption }) => ({ text: caption }),
      prepare: (attempt) => play('prepare', script.prepare ?? [{ kind: 'ready' }], attempt),
      publish: (attempt) => playPost('publish', script.publish ?? [published], attempt),
      confirm: (attempt) => playPost('confirm', script.confirm ?? [published], attempt),
      find: (attempt) => playPost('find', script.find ?? [{ kind: 'absent' }], attempt),
      ...(script.permalink ? { permalink: (attempt) => play('permalink', script.permalink ?? [], attempt) } : {}),
    },
    connect: {
      ...(script.renewEveryMs === undefined ? {} : { renewEveryMs: script.renewEveryMs }),
      ...(script.facts ? { facts: script.facts } : {}),
      ...(script.canRefresh ? { canRefresh: script.canRefresh } : {}),
      refresh: script.refresh
        ? async (context, identity) => {
            calls.push('refresh')
            const list = script.refresh ?? []
            const index = used.get('refresh') ?? 0
            used.set('refresh', index + 1)
            const entry = list[Math.min(index, list.length - 1)]
            if (!entry) throw new Error('The script has nothing for refresh.')
            return entry(context, identity)
          }
        : null,
    },
    simulate: () => {
      throw new Error('The scripted network has no simulator.')
    },
  }
  const { parts, cover, inbox } = script
  if (inbox) network.connector.inbox = (attempt) => play('inbox', inbox, attempt)
  if (cover) {
    const set = (attempt: Attempt) => play('cover', cover, attempt)
    network.connector.lateCover = { title: 'cover', wanted: () => true, set }
  }
  if (parts) network.connector.parts = () => parts
  if (script.comment) {
    const comment = script.comment
    network.connector.parts = followUps({
      title: 'first comment',
      wanted: () => true,
      send: (attempt) => play('comment', comment, attempt),
      find: (attempt) => play('findComment', script.findComment ?? [{ kind: 'absent' }], attempt),
    })
  }
  return network
}
