import { MINUTE_MS } from '#contract/durations'
import type { SimulatedAnswer } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Answering } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import { COLLECTION, type Job, keepJob } from './simulator-jobs.ts'

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

/** The app on the phone, as far as drafts are concerned. */
export const appRoutes: Readonly<Record<string, Answering>> = {
  'POST /web/inbox/:id/publish': inApp('published'),
  'POST /web/inbox/:id/discard': inApp('discarded'),
}
