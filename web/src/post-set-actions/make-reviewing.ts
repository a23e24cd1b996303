import { t } from '@lingui/core/macro'
import type { ApprovalRule, Decision, PostSet, SocialSet } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { queryClient } from '../api/query-client.ts'
import { announce } from '../design/announce.tsx'
import { showNews, showWhyNot } from '../design/toast.tsx'
import { approvalRuleQuery } from '../planning/approvals/review-queries.ts'
import { barWords } from '../planning/approvals/review-words.ts'
import { nameOf, type PostSetSubject } from '../planning/posts/subject.ts'
import { change, versionOf } from './change.ts'
import type { makeNotify } from './notify.ts'
import type { PendingChange } from './pending.ts'
import type { PostSetActions } from './post-set-actions.tsx'
import type { Ask } from './prompt.ts'
import { raised } from './raised.ts'
import { askAgain, changesSince, reviewOne, VERSION_CONFLICT } from './requests.ts'
import { approvedSentence } from './review-sentences.ts'

const CHANGED_LAST = 'post-set:changed_last'

interface Deps extends ReturnType<typeof makeNotify> {
  socialSet: SocialSet
  ask: Ask
  /** Opens a post set. */
  open: (id: string) => void
  focus: (id: string) => void
}

interface DecisionWish {
  decision: Decision
  message: string | null
  /** Why an admin approves it for the whole team. */
  reason?: string
  shown: (subject: PostSetSubject) => PendingChange
  sentence: (subject: PostSetSubject) => string
  /** On the button that decides although the post has changed. */
  verb: string
  /** What comes next once it is approved by all who have to: it says what was done. */
  then?: (approved: PostSetSubject) => Promise<void>
}

interface Reviewing
  extends Pick<
    PostSetActions,
    'approveWithReason' | 'openApproveWithReason' | 'requestChanges' | 'openRequestChanges' | 'requestAgain'
  > {
  approve: (subject: PostSetSubject, message?: string | null, then?: DecisionWish['then']) => Promise<boolean>
}

/** What reviewers decide. */
export function makeReviewing({ socialSet, ask, open, focus, offerUndo, attempt }: Deps): Reviewing {
  /** A decision is about what was seen. Where that has changed, what did is shown, and the person decides again. */
  const decide = async (subject: PostSetSubject, wish: DecisionWish): Promise<boolean> => {
    const { decision, message, reason = null, shown, sentence, verb, then } = wish
    const seen = versionOf(subject)
    let overtaken = false
    let barred = false
    const approved: PostSetSubject[] = []
    const done = await attempt([subject], async () => {
      try {
        const [decided] = await change<PostSet[]>({
          subjects: [subject],
          shown,
          send: async ([version = subject]) => [await reviewOne(version, decision, { message, reason })],
          versionsOf: (sets) => sets,
        })
        if (!decided) return
        const { id, version, approval } = decided
        if (then && approval === 'APPROVED') {
          approved.push({ ...subject, version, approval })
          return
        }
        const led = version > seen.version ? [{ id, version }] : []
        offerUndo(sentence({ ...subject, approval }), led, { undo: true }, subject.id)
      } catch (error) {
        if (hasCode(error, VERSION_CONFLICT)) overtaken = true
        else if (hasCode(error, CHANGED_LAST)) barred = true
        else throw error
      }
    })
    for (const next of approved) await then?.(next)
    if (barred) {
      // A list does not know who has changed what. The post says who decides, and what an admin can do.
      const why = barWords('changed-last')
      announce(why)
      showNews(why, { label: t`View`, run: () => open(subject.id) })
      return false
    }
    if (!overtaken) return done
    let again: PostSetSubject | null = null
    await attempt([subject], async () => {
      const since = await changesSince(seen)
      const answer = await ask<'changed'>((answer) => ({ kind: 'changed', subject, since, verb, answer }))
      if (answer) again = { ...subject, version: since.version }
    })
    if (again === null) {
      focus(subject.id)
      return false
    }
    return decide(again, wish)
  }

  const requestChanges: PostSetActions['requestChanges'] = (subject, message) =>
    decide(subject, {
      decision: 'request-changes',
      message,
      shown: () => ({ status: 'DRAFT', approval: 'DENIED', state: 'changes-requested' }),
      sentence: (asked) => t`Changes requested for ${nameOf(asked)}.`,
      verb: t`Request changes all the same`,
    })

  const approveWithReason: PostSetActions['approveWithReason'] = (subject, reason) =>
    decide(subject, {
      decision: 'approve',
      message: null,
      reason,
      shown: () => ({}),
      sentence: approvedSentence,
      verb: t`Approve it as it is now`,
    })

  return {
    approveWithReason,
    openApproveWithReason: (subject) => {
      void ask<'reason'>((answer) => ({ kind: 'reason', subject, answer })).then(async (reason) => {
        focus(subject.id)
        if (reason !== null) await approveWithReason(subject, reason)
      })
    },
    approve: (subject, message = null, then = undefined) =>
      decide(subject, {
        decision: 'approve',
        message,
        ...(then ? { then } : {}),
        // Where a rule binds, only the server knows whether this is the last approval.
        shown: ({ status }) =>
          isFree(socialSet.id) || subject.approval === 'EXTERNAL_PENDING'
            ? { approval: 'APPROVED', state: status === 'SCHEDULED' ? 'scheduled' : 'approved' }
            : {},
        sentence: approvedSentence,
        verb: t`Approve it as it is now`,
      }),
    requestChanges,
    requestAgain: async (subject, whom) => {
      await attempt([subject], async () => {
        const [asked] = await change({
          subjects: [subject],
          shown: () => ({ approval: whom === 'team' ? 'PENDING' : 'EXTERNAL_PENDING', state: 'pending' }),
          send: ([version = subject]) => raised(version, (before) => askAgain(before, whom)),
          versionsOf: (versions) => versions,
        })
        if (!asked) return showWhyNot(t`Nothing to change.`)
        const name = nameOf(subject)
        const message =
          whom === 'team' ? t`Approval of ${name} requested again.` : t`The client is asked about ${name}.`
        offerUndo(message, [asked], { undo: true }, subject.id)
      })
    },
    openRequestChanges: (subject) => {
      void ask<'request-changes'>((answer) => ({ kind: 'request-changes', subject, answer })).then(async (message) => {
        focus(subject.id)
        if (message !== null) await requestChanges(subject, message)
      })
    },
  }
}

/** Whether it is known that one approval is enough. */
function isFree(socialSetId: string): boolean {
  const rule = queryClient.getQueryData<ApprovalRule>(approvalRuleQuery(socialSetId).queryKey)
  return rule !== undefined && !rule.binding
}
