import { plural, t } from '@lingui/core/macro'
import type { Right } from '#contract'
import { ApiError, hasCode } from '../api/api-error.ts'
import { queryClient } from '../api/query-client.ts'
import type { useConfirmAction } from '../design/confirm.tsx'
import { showError, showWhyNot } from '../design/toast.tsx'
import { approvalRuleQuery } from '../planning/approvals/review-queries.ts'
import { nextSensibleTime, today } from '../planning/dates/dates.ts'
import { awaitsReview, lacksApproval, nameOf, type PostSetSubject } from '../planning/posts/subject.ts'
import { undecidedWords } from '../planning/posts/undecided-words.ts'
import type { TimePreferences } from '../time/zones.ts'
import { change } from './change.ts'
import { decideAbout } from './decide.ts'
import type { makeNotify } from './notify.ts'
import { type MoveTarget, PUBLISHES_AT_ONCE, publishesAtOnce } from './plan-move.ts'
import type { PostSetActions } from './post-set-actions.tsx'
import type { Ask } from './prompt.ts'
import { APPROVAL_REQUIRED, doInBulk, type moveOne, scheduleOne, type Version } from './requests.ts'
import { saidTime } from './words.ts'

interface Deps extends ReturnType<typeof makeNotify> {
  socialSetId: string
  rights: readonly Right[]
  zone: string
  /** By whose clock times are said. */
  saidIn: string
  preferences: TimePreferences
  ask: Ask
  focus: (id: string) => void
  /** Says why not, when it is not. */
  changeable: (subject: PostSetSubject) => boolean
  instantOf: (subject: PostSetSubject, target: MoveTarget) => Promise<string | null>
  confirm: ReturnType<typeof useConfirmAction>
  /** Asks first. */
  publishNow: (subject: PostSetSubject, instant: string, send: typeof moveOne) => Promise<void>
}

interface Scheduling extends Pick<PostSetActions, 'openSchedule' | 'schedule'> {
  /** A draft that has just been approved, at the time that it has; where that has passed, it asks for another one. */
  scheduleApproved: (subject: PostSetSubject) => Promise<void>
}

/** What makes drafts go out. */
export function makeScheduling(deps: Deps): Scheduling {
  const {
    socialSetId,
    rights,
    zone,
    saidIn,
    preferences,
    ask,
    focus,
    confirm,
    changeable,
    instantOf,
    publishNow,
    offerUndo,
    attempt,
  } = deps

  /** Once it is decided about what networks want decided; null when the person turned back, or it could not be written. */
  const decided = async (subjects: readonly PostSetSubject[]) => {
    let ready: readonly PostSetSubject[] | null = null
    await attempt(subjects, async () => {
      ready = await decideAbout(subjects, ask)
    })
    return ready as readonly PostSetSubject[] | null
  }

  const isPast = (instant: string) => publishesAtOnce({ status: 'SCHEDULED' }, instant)
  /** A draft whose time has passed is offered the next sensible one. */
  const withTimeAhead = (subject: PostSetSubject): PostSetSubject =>
    isPast(subject.scheduledAt) ? { ...subject, scheduledAt: nextSensibleTime(today(zone), zone) } : subject

  const scheduleAt = async (of: PostSetSubject, instant: string, approved: readonly Version[] = []) => {
    const subject = (await decided([of]))?.[0]
    if (!subject) return focus(of.id)
    if (isPast(instant)) return publishNow(subject, instant, scheduleOne)
    let refused: 'passed' | 'unapproved' | null = null
    await attempt([subject], async () => {
      try {
        const done = await change({
          subjects: [subject],
          shown: () => ({ status: 'SCHEDULED', state: 'scheduled', scheduledAt: instant }),
          send: async ([version = subject]) => [await scheduleOne(version, instant)],
          versionsOf: (versions) => versions,
        })
        const [name, at] = [nameOf(subject), saidTime(instant, saidIn, preferences)]
        const words =
          approved.length === 0 && (await passesRule([subject]))
            ? t`${name} scheduled for ${at}, without the approval that this brand requires.`
            : t`${name} scheduled for ${at}.`
        offerUndo(words, done, { undo: true }, subject.id, approved)
      } catch (error) {
        if (hasCode(error, PUBLISHES_AT_ONCE)) refused = 'passed'
        else if (hasCode(error, APPROVAL_REQUIRED)) refused = 'unapproved'
        else throw error
      }
    })
    if (refused === 'passed') await publishNow(subject, instant, scheduleOne)
    if (refused === 'unapproved') await askForApproval(subject)
  }

  /** What a brand wants approved first is not scheduled: it is asked about, if it is not already. */
  const askForApproval = async (subject: PostSetSubject) => {
    const name = nameOf(subject)
    if (!lacksApproval(subject)) {
      return showWhyNot(
        t`This brand requires approval, and “${name}” still waits for it. Schedule it once it is approved.`,
      )
    }
    const wanted = await confirm({
      title: t`Request approval?`,
      children: t`This brand requires approval before a post is scheduled. “${name}” stays a draft until then.`,
      confirmLabel: t`Request approval`,
      run: async () => {},
    })
    if (!wanted) return
    await attempt([subject], async () => {
      const { done } = await change({
        subjects: [subject],
        shown: () => ({ approval: 'PENDING', state: 'pending' }),
        send: (versions) => doInBulk(versions, { requestApproval: true }),
        versionsOf: (answer) => answer.done,
      })
      offerUndo(t`Approval of ${name} requested.`, done, { undo: true }, subject.id)
    })
  }

  const askAndSchedule = async (subject: PostSetSubject) => {
    const name = nameOf(subject)
    const asked = { title: t`Schedule “${name}”`, verb: t`Schedule` }
    const ahead = withTimeAhead(subject)
    const target = await ask<'move'>((answer) => ({ kind: 'move', subject: ahead, asked, answer }))
    const instant = target && (await instantOf(ahead, target))
    if (instant) await scheduleAt(subject, instant)
    focus(subject.id)
  }

  const ruleOf = () => queryClient.ensureQueryData(approvalRuleQuery(socialSetId)).catch(() => null)

  /** Whether a rule binds the brand and these go past it: the member may, and is to know. */
  const passesRule = async (subjects: readonly PostSetSubject[]): Promise<boolean> =>
    subjects.some(({ approval }) => approval !== 'APPROVED') && (await ruleOf())?.binding === true

  /** Posts that wait for somebody go out all the same: asks, and names one. Answers whether to go on. */
  const meantToGoOut = async (subjects: readonly PostSetSubject[]): Promise<boolean> => {
    const waiting = subjects.filter(awaitsReview)
    const [first] = waiting
    if (!first) return true
    const rule = await ruleOf()
    // Who is bound by the rule is refused, in words.
    if (rule?.binding && !rights.includes('post-sets:publish-unapproved')) return true
    const undecided = undecidedWords(first, rule, nameOf(first))
    return confirm({
      title: plural(waiting.length, {
        one: 'Schedule without approval?',
        other: 'Schedule # posts without approval?',
      }),
      children: plural(waiting.length, {
        one: `${undecided} It goes out at its time even if no one approves it.`,
        other: `${undecided} It and the others that wait go out at their times even if no one approves them.`,
      }),
      confirmLabel: t`Schedule without approval`,
      run: async () => {},
    })
  }

  return {
    openSchedule: async (subject) => {
      if (changeable(subject) && (await meantToGoOut([subject]))) await askAndSchedule(subject)
    },
    schedule: async (subjects) => {
      if (!(await meantToGoOut(subjects))) return
      const [only] = subjects
      if (only && subjects.length === 1) {
        if (!changeable(only)) return
        return isPast(only.scheduledAt) ? askAndSchedule(only) : scheduleAt(only, only.scheduledAt)
      }
      const ahead = subjects.filter(({ scheduledAt }) => !isPast(scheduledAt))
      const late = subjects.length - ahead.length
      if (ahead.length === 0) return showWhyNot(t`The times of these drafts have passed. Schedule each for a new time.`)
      const ready = await decided(ahead)
      if (!ready) return
      await attempt(ready, async () => {
        const { done, refused } = await change({
          subjects: ready,
          shown: () => ({ status: 'SCHEDULED', state: 'scheduled' }),
          send: (versions) => scheduleEach(ready, versions),
          versionsOf: (answer) => answer.done,
        })
        if (done.length > 0) {
          const words = (await passesRule(ready))
            ? plural(done.length, {
                one: '# post scheduled, without the approval that this brand requires.',
                other: '# posts scheduled, not all with the approval that this brand requires.',
              })
            : plural(done.length, { one: '# post scheduled.', other: '# posts scheduled.' })
          offerUndo(words, done, { undo: true })
        }
        const [first] = refused
        const why = first?.message ?? (late > 0 ? t`Its time has passed.` : null)
        if (why === null) return
        const message = plural(refused.length + late, {
          one: `# post stays a draft: ${why}`,
          other: `# posts stay drafts. The first: ${why}`,
        })
        showError(new ApiError({ status: 412, code: first?.code ?? PUBLISHES_AT_ONCE, message }))
      })
    },
    scheduleApproved: (subject) =>
      isPast(subject.scheduledAt)
        ? askAndSchedule(subject)
        : scheduleAt(subject, subject.scheduledAt, [{ id: subject.id, version: subject.version }]),
  }
}

interface Scheduled {
  done: Version[]
  refused: ApiError[]
}

/** Each as if it were alone. Throws what is no refusal, and the refusal of all. */
async function scheduleEach(subjects: readonly PostSetSubject[], versions: readonly Version[]): Promise<Scheduled> {
  const answer: Scheduled = { done: [], refused: [] }
  for (const [index, version] of versions.entries()) {
    const at = subjects[index]?.scheduledAt
    if (at === undefined) continue
    try {
      answer.done.push(await scheduleOne(version, at))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      answer.refused.push(error)
    }
  }
  const [first] = answer.refused
  if (first && answer.done.length === 0) throw first
  return answer
}
