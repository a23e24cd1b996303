import { MINUTE_MS } from '#contract/durations'
import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Answering } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import { ASKED, COLLECTION, type Job, keepJob } from './simulator-jobs.ts'

/** Drafts of an account that no one has finished or discarded. An upload that is begun counts until it lapses: whether it does is not documented. */
export function pendingOf({ store, now }: SimulatorDeps, openId: string): number {
  const begun = now().getTime() - limits.uploadMinutes.value * MINUTE_MS
  return store.list<Job>(COLLECTION).filter((job) => {
    if (job.openId !== openId || job.inbox !== 'waiting' || job.failure !== null) return false
    return job.taken || (job.upload !== null && new Date(job.upload.since).getTime() > begun)
  }).length
}

const answer = (status: number, body: object): SimulatedAnswer => ({ status, body })

/** What the creator does with a draft in the app: `POST /web/inbox/{publish_id}/publish` or `…/discard`. */
const inApp =
  (inbox: 'published' | 'discarded'): Answering =>
  ({ deps, at }) => {
    const job = deps.store.get<Job>(COLLECTION, at.id ?? '')
    if (!job?.inbox || !job.taken || job.failure !== null) return answer(404, { message: 'There is no such draft.' })
    deps.store.together(() => {
      keepJob(deps, { ...job, inbox })
      const post = deps.store.posts().find(({ id }) => id === job.postId)
      if (post) deps.store.amendPost(post.id, { details: { ...post.details, inbox } })
    })
    return answer(200, { publish_id: job.publishId, post_id: job.postId, inbox })
  }

/** What the next draft of a video suffers: `POST /web/inbox/fault/{name}`, as words in a caption do of other posts. */
const askForFault: Answering = ({ deps, at }) => {
  const word = `[[fault:${at.name}]]`
  if (faultIn(word) === null) return answer(404, { message: 'There is no such fault.' })
  deps.store.put(ASKED.collection, ASKED.id, { word })
  return answer(200, { next: word })
}

/** The word that was asked for, which is forgotten with that. */
export function takeFault({ store }: SimulatorDeps): string {
  const asked = store.get<{ word: string }>(ASKED.collection, ASKED.id)
  if (asked) store.remove(ASKED.collection, ASKED.id)
  return asked?.word ?? ''
}

/** The app on the phone, as far as drafts are concerned. */
export const appRoutes: Readonly<Record<string, Answering>> = {
  'POST /web/inbox/fault/:name': askForFault,
  'POST /web/inbox/:id/publish': inApp('published'),
  'POST /web/inbox/:id/discard': inApp('discarded'),
}
