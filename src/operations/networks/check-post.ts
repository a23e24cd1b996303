import { randomInt } from 'node:crypto'
import { MINUTE_MS } from '#contract/durations'
import {
  type Attempt,
  asDocumented,
  differs,
  type Handles,
  type Http,
  isRead,
  type MediaToSend,
  missingDefaults,
  notTried,
  type PostForm,
  type PublishOutcome,
  refusalWords,
  runStep,
  type Settled,
  wordsOfDelivery,
} from '#networks'
import type { Checking } from './check-steps.ts'

/** The network may take so long to prepare the post, or to show it. */
const LIMIT_MS = 10 * MINUTE_MS
/** Between two questions where the network names no time. */
const PAUSE_MS = 5_000
/** A step is made so often, each time after proof that it had no effect. */
const TRIES = 3
const LOOKS = 5
const LOOK_PAUSE_MS = 15_000

const QUESTIONS = {
  upload: { name: 'upload', settles: 'whether the network takes what a post is made of' },
  publish: { name: 'publish', settles: 'how the network answers when a post is published' },
  lookup: { name: 'lookup', settles: 'whether a post is found when the answer to publishing is lost' },
  delete: { name: 'delete', settles: 'whether the post can be deleted' },
} as const
type Question = keyof typeof QUESTIONS

/** The test post on its way. */
interface Trial {
  post: Attempt['post']
  defaults: Attempt['account']['defaults']
  handles: Handles
  fencedAt: Date | null
  /** The handles when the visible call left: what a process knows that ends before the answer comes. */
  sentWith: Handles
  /** The outcome of publishing; null: nothing was sent. */
  outcome: PublishOutcome | null
}

/**
 * Publishes a test post and deletes it, if the operator allows it. With a file and without permission, only uploads
 * the file, which no one sees. The visible call is repeated only after proof that it had no effect; it has no fence,
 * because only this process knows the post and could send it again.
 */
export async function checkPost(checking: Checking, media: readonly MediaToSend[]): Promise<void> {
  const { input, step, deps, network } = checking
  const skip = async (why: string, ...questions: Question[]) => {
    for (const each of questions) await step(QUESTIONS[each], async () => notTried(why))
  }
  const trial = openTrial(checking, media)
  if (typeof trial === 'string') return skip(trial, 'upload', 'publish', 'lookup', 'delete')
  const allowed = await input.mayPublish(questionOf(checking, trial))
  if (allowed !== true && input.mediaId === null) return skip(allowed, 'upload', 'publish', 'lookup', 'delete')

  const upload = await step(QUESTIONS.upload, () => prepare(checking, trial))
  if (upload.result !== 'works as documented') return skip(UNPREPARED, 'publish', 'lookup', 'delete')
  if (allowed !== true) return skip(allowed, 'publish', 'lookup', 'delete')

  input.progress(`Publishing "${trial.post.caption}"`)
  const published = await step(QUESTIONS.publish, async () => {
    trial.fencedAt = deps.now()
    trial.outcome = await publish(checking, trial)
    return settledBy(trial.outcome)
  })
  const { outcome } = trial
  if (outcome === null) return skip(published.detail ?? UNPREPARED, 'lookup', 'delete')
  if (outcome.kind !== 'published' && !mayBeLive(outcome)) return skip('Nothing was published.', 'lookup', 'delete')
  const { providerId, permalink } = outcome.kind === 'published' ? outcome : { providerId: null, permalink: null }
  input.progress(permalink === null ? 'The test post may be public.' : `The test post is at ${permalink}`)
  let found = providerId
  await step(QUESTIONS.lookup, async () => {
    const why = checking.checks?.noLookup?.(checking.look()) ?? null
    if (why !== null) return notTried(why)
    const looked = await lookUp(checking, { ...trial, handles: trial.sentWith }, providerId)
    found ??= looked.providerId
    return looked.settled
  })
  const deleted = await step(QUESTIONS.delete, () => remove(checking, found))
  if (deleted.result !== 'works as documented') {
    input.progress(`Delete the test post on ${network.manifest.title} by hand. ${byHand(checking)}`)
  }
}

const UNPREPARED = 'The post could not be prepared.'
const byHand = ({ checks }: Checking) => checks?.byHand ?? 'Open it there and delete it.'

/** The post, or a sentence why there can be none. */
function openTrial(checking: Checking, media: readonly MediaToSend[]): Trial | string {
  const { connection, network, checks, look } = checking
  const { manifest } = network
  const { accountType } = connection
  const form = manifest.forms[accountType]?.find((each) => takes(each, media))
  if (!form) return media.length === 0 ? NEEDS_MEDIA : `A post on ${manifest.title} cannot be made of this file alone.`
  const at = look()
  const defaults = { ...connection.defaults, ...checks?.defaults }
  const missing = missingDefaults(manifest, accountType, defaults).map(({ name }) => name)
  if (missing.length > 0) {
    return `Publishing defaults are missing (${missing.join(', ')}): almanac connections choose CONNECTION.`
  }
  const fields = { ...(form.type === null ? {} : { type: form.type }), ...checks?.fields?.(at) }
  const post = { accountType, caption: captionOf(), fields, media }
  const wrong = network.checkPost(post, defaults).filter(({ warning }) => warning !== true)
  if (wrong.length > 0) return wrong.map(({ message }) => message).join(' ')
  return { post, defaults, handles: {}, fencedAt: null, sentWith: {}, outcome: null }
}

const NEEDS_MEDIA = 'A post here needs a picture or a video: name one of the media library with --media.'

function takes({ media }: PostForm, [item]: readonly MediaToSend[]): boolean {
  if (!item) return media.min === 0
  const most = { IMAGE: media.images, VIDEO: media.videos, DOCUMENT: media.documents }
  return media.min <= 1 && most[item.facts.type] >= 1
}

/** Networks refuse the same text twice, and some take long numbers for phone numbers. */
function captionOf(): string {
  const mark = Array.from({ length: 8 }, () => String.fromCharCode(97 + randomInt(26))).join('')
  return `A test of this connection by Almanac, to be deleted (${mark}).`
}

function questionOf({ network, connection, checks }: Checking, { post }: Trial): string {
  const { title } = network.manifest
  const after = checks?.remove
    ? 'It is deleted right after.'
    : `${title} lets no program delete it: you delete it by hand.`
  const file = post.media.length > 0 ? ' with the file' : ''
  return `Publish a test post${file} as ${connection.name} on ${title}? Others may see it. ${after}`
}

function attemptOf({ look, pause, network }: Checking, trial: Trial): Attempt {
  const { accountType: _, account, ...context } = look()
  return {
    ...context,
    post: trial.post,
    account: { ...account, defaults: trial.defaults },
    get handles() {
      return trial.handles
    },
    async store(handles) {
      trial.handles = { ...trial.handles, ...handles }
    },
    ...wordsOfDelivery(network.connector, trial.post, trial.handles, context.setting),
    // No other post has its words.
    others: async () => ({ taken: new Set(), twins: [] }),
    claim: async () => true,
    before: [],
    pause,
    // The text has no link.
    preview: async () => null,
    fencedAt: trial.fencedAt,
  }
}

async function prepare(checking: Checking, trial: Trial): Promise<Settled> {
  const { network, pause, deps } = checking
  const until = deps.now().getTime() + LIMIT_MS
  for (let tries = 1; ; ) {
    const outcome = await runStep(network.connector.prepare, attemptOf(checking, trial), { asks: false })
    if (outcome.kind === 'ready') return asDocumented()
    if (outcome.kind === 'refused' || outcome.kind === 'reconnect') return differs(outcome.message)
    const again = outcome.kind === 'waiting' ? outcome.askAgainAt : outcome.notBefore
    if (outcome.kind === 'retry' && (++tries > TRIES || checking.isStopped())) return differs(outcome.message)
    const next = again?.getTime() ?? deps.now().getTime() + PAUSE_MS
    if (next > until) {
      return outcome.kind === 'retry' ? notTried(outcome.message) : differs('The network works on it for too long.')
    }
    await pause(Math.max(0, next - deps.now().getTime()))
  }
}

async function publish(checking: Checking, trial: Trial): Promise<PublishOutcome> {
  const { pause, deps } = checking
  for (let tries = 1; ; tries++) {
    const outcome = await sendOnce(checking, trial)
    if (outcome.kind === 'accepted') return confirm(checking, trial, outcome)
    if (outcome.kind !== 'retry' || tries >= TRIES || checking.isStopped()) return outcome
    const next = outcome.notBefore?.getTime() ?? deps.now().getTime() + PAUSE_MS
    if (next > deps.now().getTime() + LIMIT_MS) return outcome
    await pause(Math.max(0, next - deps.now().getTime()))
    // The network said that nothing was published.
    if (outcome.from === 'prepare' && (await prepare(checking, trial)).result !== 'works as documented') return outcome
  }
}

/** What is thrown once something may have been sent counts as unknown. */
async function sendOnce(checking: Checking, trial: Trial): Promise<PublishOutcome> {
  const attempt = attemptOf(checking, trial)
  const http: Http = (request) => {
    if (!isRead(request)) trial.sentWith = trial.handles
    return attempt.http(request)
  }
  const noting = Object.defineProperty({ ...attempt, http }, 'handles', { get: () => trial.handles })
  try {
    return await runStep(checking.network.connector.publish, noting, { asks: false })
  } catch (error) {
    return { kind: 'unknown', message: error instanceof Error ? error.message : String(error) }
  }
}

async function confirm(checking: Checking, trial: Trial, first: PublishOutcome): Promise<PublishOutcome> {
  const { network, pause, deps } = checking
  const until = deps.now().getTime() + LIMIT_MS
  let outcome = first
  while (outcome.kind === 'accepted' || outcome.kind === 'retry') {
    const next = outcome.kind === 'accepted' ? outcome.askAgainAt : outcome.notBefore
    const at = next?.getTime() ?? deps.now().getTime() + PAUSE_MS
    if (at > until) return { kind: 'unknown', message: `${network.manifest.title} works on the post for too long.` }
    await pause(Math.max(0, at - deps.now().getTime()))
    try {
      outcome = await runStep(network.connector.confirm, attemptOf(checking, trial), { asks: true })
    } catch (error) {
      outcome = { kind: 'unknown', message: error instanceof Error ? error.message : String(error) }
    }
  }
  return outcome
}

function settledBy(outcome: PublishOutcome): Settled {
  switch (outcome.kind) {
    case 'published': {
      const lacks = [
        ...(outcome.providerId === null ? ['its id'] : []),
        ...(outcome.permalink === null ? ['its address'] : []),
      ]
      return asDocumented(lacks.length === 0 ? null : `The network does not name ${lacks.join(' and ')}.`)
    }
    case 'accepted':
      return asDocumented('The network works on it.')
    case 'unknown':
      return differs(`The outcome is not known. ${outcome.message}`)
    case 'retry':
    case 'refused':
    case 'reconnect':
      return differs(outcome.message)
  }
}

/** Whether something may be public. A read that was refused says nothing of the call before it. */
const mayBeLive = (outcome: PublishOutcome) =>
  outcome.kind === 'unknown' || outcome.kind === 'accepted' || (outcome.kind === 'reconnect' && outcome.byRead === true)

/** Looks for the post with what is known before the answer to publishing. */
async function lookUp(
  checking: Checking,
  before: Trial,
  providerId: string | null,
): Promise<{ settled: Settled; providerId: string | null }> {
  const { network, pause } = checking
  let last: Settled = notTried('It was not looked for.')
  for (let look = 1; look <= LOOKS; look++) {
    await pause(look === 1 ? Math.min(network.manifest.listingDelayMs, 60_000) : LOOK_PAUSE_MS)
    const outcome = await runStep(network.connector.find, attemptOf(checking, before), { asks: true })
    switch (outcome.kind) {
      case 'found': {
        const isOther = providerId !== null && outcome.providerId !== null && outcome.providerId !== providerId
        const settled = isOther
          ? differs('Another post is found than the one that was published.')
          : asDocumented(`It was found at look ${look}.`)
        return { settled, providerId: outcome.providerId }
      }
      case 'accepted':
        return { settled: asDocumented('The network knows it and works on it.'), providerId: null }
      case 'reconnect':
        return { settled: differs(outcome.message), providerId: null }
      case 'absent':
        last = differs('The network does not list it, so that a second try would have published it again.')
        break
      case 'cannot-tell':
        last = differs(outcome.message)
    }
  }
  return { settled: last, providerId: null }
}

async function remove(checking: Checking, id: string | null): Promise<Settled> {
  const { checks, look } = checking
  if (!checks?.remove) return notTried(`No program can delete it here. ${byHand(checking)}`)
  if (id === null) return notTried(`Its id is not known. ${byHand(checking)}`)
  const called = await checks.remove(look(), id)
  if (called.kind === 'ok') return asDocumented()
  if (called.kind === 'failed') return notTried(`No answer came. ${called.message} ${byHand(checking)}`)
  return differs(`${refusalWords(called.answer)} ${byHand(checking)}`)
}
