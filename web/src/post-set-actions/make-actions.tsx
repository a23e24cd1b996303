import { plural, t } from '@lingui/core/macro'
import type { BulkAction, MoveScope, Right, SocialSet } from '#contract'
import { ApiError, hasCode } from '../api/api-error.ts'
import { dashboardPath } from '../api/base.ts'
import type { useConfirmAction } from '../design/confirm.tsx'
import { copyText } from '../design/copy-text.ts'
import { showDone, showError, showText, showWhyNot } from '../design/toast.tsx'
import { withWords } from '../language/language.ts'
import {
  lacksApproval,
  nameOf,
  type PostSetSubject,
  whyNotChangeable,
  whyNotDeletable,
} from '../planning/posts/subject.ts'
import type { TimePreferences } from '../time/zones.ts'
import { byBrand } from './by-brand.ts'
import { change, versionOf } from './change.ts'
import { followOutcome } from './follow.ts'
import { makeNotify } from './notify.ts'
import type { PendingChange } from './pending.ts'
import {
  clockChoices,
  type MoveTarget,
  PUBLISHES_AT_ONCE,
  publishesAtOnce,
  resolveTarget,
  staysPut,
} from './plan-move.ts'
import type { PostSetActions } from './post-set-actions.tsx'
import type { Ask, SeriesChange, SeriesChoice } from './prompt.ts'
import { raised } from './raised.ts'
import { APPROVAL_REQUIRED, doInBulk, moveOne, moveSeries, moveToDrafts, removeSeries, setLabels } from './requests.ts'
import type * as SeriesChanges from './series-changes.ts'
import { movedSentence, refusedSentence, saidTime, withStayed } from './words.ts'

interface Deps {
  /** Whose clock and rule a post goes by. */
  brandOf: (subject: Pick<PostSetSubject, 'socialSetId'>) => SocialSet
  /** By whose clock sentences say times, where that is not the one of the brand. */
  shownZone: string | undefined
  rights: readonly Right[]
  /** The name of who acts. */
  me: string
  preferences: TimePreferences
  ask: Ask
  confirm: ReturnType<typeof useConfirmAction>
  /** Opens a post set, on the page of a time if one is given. */
  open: (id: string, at?: string) => void
  focus: (id: string) => void
  /** Puts the focus beside sets that are about to go. */
  leave: (ids: readonly string[]) => void
  pick: ((subject: PostSetSubject) => void) | undefined
}

export function makeActions(deps: Deps): PostSetActions {
  const { brandOf, shownZone, rights, me, preferences, ask, confirm, open, focus, leave, pick } = deps
  const zoneOf = (subject: PostSetSubject) => brandOf(subject).timezone
  /** Whose clock a post goes by, and by whose its times are said. */
  const clocks = (subject: PostSetSubject) => ({ zone: zoneOf(subject), saidIn: shownZone ?? zoneOf(subject) })
  const saidOf = (subject: PostSetSubject, instant: string) => saidTime(instant, clocks(subject).saidIn, preferences)

  const { offerUndo, attempt } = makeNotify({ open, focus })
  const changeable = (subject: PostSetSubject): boolean => {
    const why = whyNotChangeable(subject, rights)
    if (why) showWhyNot(why)
    return !why
  }

  /** The instant of a target; of a clock time that is none or two, the one that the person chooses. Null: none of them. */
  const instantOf = async (subject: PostSetSubject, target: MoveTarget): Promise<string | null> => {
    const zone = zoneOf(subject)
    const clock = resolveTarget(subject, zone, target)
    if (clock.kind === 'exact') return clock.instant
    return ask<'clock'>((answer) => ({
      kind: 'clock',
      subject,
      gap: clock.kind === 'gap',
      choices: clockChoices(clock, zone, preferences),
      answer,
    }))
  }

  const move: PostSetActions['move'] = async (subject, target) => {
    if (!changeable(subject)) return
    const instant = await instantOf(subject, target)
    if (instant === null || staysPut(subject, instant)) return focus(subject.id)
    if (publishesAtOnce(subject, instant)) {
      await publishNow(subject, instant)
      return focus(subject.id)
    }
    const chosen = await chooseOf(subject, ({ movingTo }) => movingTo(subject, instant))
    if (chosen === null) return focus(subject.id)
    const { scope } = chosen
    let refused: 'passed' | 'unapproved' | null = null
    const moving = attempt([subject], async () => {
      try {
        await (scope === 'this' ? moveThis(subject, instant) : moveAll(subject, instant, scope))
      } catch (error) {
        if (hasCode(error, PUBLISHES_AT_ONCE)) refused = 'passed'
        else if (scope === 'this' && hasCode(error, APPROVAL_REQUIRED)) refused = 'unapproved'
        else throw error
      }
    })
    focus(subject.id)
    await moving
    if (refused === null) return
    await (refused === 'passed' ? publishNow(subject, instant) : moveAsDraft(subject, instant))
    focus(subject.id)
  }

  // Loaded when it is asked for, as what follows is: the first look at a calendar does without.
  const questions = () => withWords(import('./questions.tsx'))

  /** A brand that requires approval takes what is not approved from the schedule when it is moved: asks first. */
  const moveAsDraft = async (subject: PostSetSubject, instant: string) => {
    const { asDraftQuestion } = await questions()
    const wanted = await confirm({ ...asDraftQuestion(), run: async () => {} })
    if (wanted) await attempt([subject], () => moveThis(subject, instant, true))
  }

  const moveThis = async (subject: PostSetSubject, instant: string, asDraft = false) => {
    const send = asDraft ? moveToDrafts : moveOne
    const done = await change({
      subjects: [subject],
      shown: () => ({ scheduledAt: instant }),
      send: ([version = subject]) => raised(version, (of) => send(of, instant)),
      versionsOf: (done) => done,
    })
    offerUndo(movedSentence(subject, instant, clocks(subject).saidIn, preferences), done, { undo: true }, subject.id)
  }

  const moveAll = async (subject: PostSetSubject, instant: string, scope: MoveScope) => {
    const { moved, left } = await change({
      subjects: [subject],
      shown: () => ({ scheduledAt: instant }),
      send: ([version]) => moveSeries(version ?? subject, instant, scope, false),
      versionsOf: (done) => done.moved,
    })
    const time = saidOf(subject, instant)
    const sentence = plural(moved.length, {
      one: `# post of the series moved, this one to ${time}.`,
      other: `# posts of the series moved, this one to ${time}.`,
    })
    offerUndo(withStayed(sentence, left), moved, { undo: true }, subject.id)
  }

  const removeAll = (subject: PostSetSubject, { scope, sets }: SeriesChoice) =>
    attempt([subject], async () => {
      const { removed, left } = await change({
        // Of the others, nothing but which they are is needed.
        subjects: sets.map(({ id, version }) => ({ ...subject, id, version })),
        shown: () => ({ deleted: true }),
        send: () => removeSeries(versionOf(subject), scope, false),
        versionsOf: (done) => done.removed,
      })
      const sentence = plural(removed.length, {
        one: '# post of the series deleted.',
        other: '# posts of the series deleted.',
      })
      offerUndo(withStayed(sentence, left), removed, { restore: true }, subject.id)
    })

  /** Which sets of its series a change of a set is about; the set alone where it is in none. */
  const chooseOf = async (
    subject: PostSetSubject,
    changeOf: (changes: typeof SeriesChanges) => SeriesChange,
  ): Promise<SeriesChoice | null> => {
    if (!subject.seriesId) return { scope: 'this', sets: [subject] }
    const change = changeOf(await withWords(import('./series-changes.ts')))
    return ask<'series'>((answer) => ({ kind: 'series', subject, change, answer }))
  }

  const publishNow = async (subject: PostSetSubject, instant: string, send = moveOne) => {
    const { publishNowQuestion } = await questions()
    const done = await confirm({
      ...publishNowQuestion(subject, saidOf(subject, instant)),
      run: async () => {
        await change({
          subjects: [subject],
          shown: () => ({ scheduledAt: instant }),
          send: ([version]) => send(version ?? subject, instant, true),
          versionsOf: (version) => [version],
        })
      },
    })
    if (done) followOutcome({ id: subject.id, name: nameOf(subject), see: () => open(subject.id, instant) })
  }

  const scheduling = async (subject: PostSetSubject) => {
    const { makeScheduling } = await withWords(import('./make-scheduling.ts'))
    return makeScheduling({
      socialSetId: subject.socialSetId,
      rights,
      ...clocks(subject),
      preferences,
      ask,
      focus,
      confirm,
      changeable,
      instantOf,
      publishNow,
      offerUndo,
      attempt,
    })
  }

  const reviewing = async (subject: PostSetSubject) => {
    const { makeReviewing } = await withWords(import('./make-reviewing.ts'))
    return makeReviewing({ socialSet: brandOf(subject), ask, open, focus, offerUndo, attempt })
  }

  /** One request for all; what was refused is reported after what was done. */
  const inBulk = (
    subjects: readonly PostSetSubject[],
    action: BulkAction,
    shown: (subject: PostSetSubject) => PendingChange,
    sentenceOf: (number: number) => string,
    undo: BulkAction = { undo: true },
  ) =>
    attempt(subjects, async () => {
      if (subjects.length === 0) return
      const only = subjects.length === 1 ? subjects[0]?.id : undefined
      const { done, refused } = await change({
        subjects,
        shown,
        send: (versions) => doInBulk(versions, action),
        versionsOf: (answer) => answer.done,
      })
      // What was so already is in neither list: then nothing was done.
      if (done.length > 0) offerUndo(sentenceOf(done.length), done, undo, only)
      else showWhyNot(t`Nothing to change.`)
      const [first] = refused
      if (first)
        showError(
          new ApiError({ status: 412, code: first.code, message: refusedSentence(refused.length, first.message) }),
        )
    })

  const about = (subjects: readonly PostSetSubject[], number: number) => {
    const [only] = subjects
    return subjects.length === 1 && only ? nameOf(only) : plural(number, { one: '# post', other: '# posts' })
  }

  return {
    open,
    leave,
    move,
    pick,
    openSchedule: (subject) => void scheduling(subject).then((on) => on.openSchedule(subject)),
    schedule: (subjects) => byBrand(subjects, async (some, first) => (await scheduling(first)).schedule(some)),
    approveAndSchedule: async (subject, message) => {
      if (!changeable(subject)) return false
      const [{ approve }, { scheduleApproved }] = await Promise.all([reviewing(subject), scheduling(subject)])
      return approve(subject, message, scheduleApproved)
    },
    openMove: (subject) => {
      if (!changeable(subject)) return
      void ask<'move'>((answer) => ({ kind: 'move', subject, answer })).then((target) =>
        target ? move(subject, target) : focus(subject.id),
      )
    },
    moveByDays: async (subjects, days) => {
      const shift = (subject: PostSetSubject) => {
        const clock = resolveTarget(subject, zoneOf(subject), { to: 'days', days })
        return clock.kind === 'exact' ? { scheduledAt: clock.instant } : {}
      }
      const by = Math.abs(days)
      await inBulk(subjects, { move: { days } }, shift, (number) => {
        const what = about(subjects, number)
        return days > 0
          ? plural(by, { one: `${what} moved # day later.`, other: `${what} moved # days later.` })
          : plural(by, { one: `${what} moved # day earlier.`, other: `${what} moved # days earlier.` })
      })
    },
    duplicate: async (subjects) => {
      const { duplicate } = await withWords(import('./make-duplicating.ts'))
      await byBrand(subjects, (some, first) =>
        duplicate(some, { ...clocks(first), preferences, ask, focus, instantOf, offerUndo, attempt }),
      )
    },
    toBrand: async (subjects, move) =>
      (await withWords(import('./make-copying.ts'))).toBrand(subjects, move, { ...deps, about, inBulk }),
    openLabels: (subjects) => {
      const [only] = subjects
      void ask<'labels'>((answer) => ({ kind: 'labels', subjects, answer })).then(async (wanted) => {
        if (only && subjects.length === 1) focus(only.id)
        if (wanted) await putLabels(subjects, wanted)
      })
    },
    setLocked: async (subjects, locked) => {
      await inBulk(
        subjects,
        { lock: locked },
        () => ({ isLocked: locked, lockedBy: locked ? me : null }),
        (number) => {
          const what = about(subjects, number)
          return locked ? t`${what} locked.` : t`${what} unlocked.`
        },
      )
    },
    approve: async (subject, message) => (await reviewing(subject)).approve(subject, message),
    approveWithReason: async (subject, reason) => (await reviewing(subject)).approveWithReason(subject, reason),
    openApproveWithReason: (subject) => void reviewing(subject).then((on) => on.openApproveWithReason(subject)),
    requestChanges: async (subject, message) => (await reviewing(subject)).requestChanges(subject, message),
    openRequestChanges: (subject) => void reviewing(subject).then((on) => on.openRequestChanges(subject)),
    requestApproval: async (subjects) => {
      const shown = () => ({ approval: 'PENDING', state: 'pending' }) as const
      const asked = subjects.filter(lacksApproval)
      await inBulk(
        asked,
        { requestApproval: true },
        shown,
        (number) => t`Approval of ${about(asked, number)} requested.`,
      )
    },
    requestAgain: async (subject, whom) => (await reviewing(subject)).requestAgain(subject, whom),
    copyLink: async ({ id, socialSetId }) => {
      const address = `${window.location.origin}${dashboardPath}/scheduling/calendar/month?set=${socialSetId}&post=${id}`
      // A browser that does not give access to the clipboard: the address stays until it is copied by hand.
      if (await copyText(address)) showDone(t`Link copied.`)
      else showText(address)
    },
    remove: async (subjects) => {
      const [only] = subjects
      const why = only && subjects.length === 1 ? whyNotDeletable(only, rights) : null
      if (why) return showWhyNot(why)
      if (only && subjects.length === 1) {
        const chosen = await chooseOf(only, ({ removing }) => removing(only))
        if (chosen === null) return focus(only.id)
        if (chosen.scope !== 'this') {
          leave([only.id, ...chosen.sets.map(({ id }) => id)])
          return void (await removeAll(only, chosen))
        }
      }
      const shown = () => ({ deleted: true })
      leave(subjects.map(({ id }) => id))
      await inBulk(subjects, { delete: true }, shown, (number) => t`${about(subjects, number)} deleted.`, {
        restore: true,
      })
    },
  }

  async function putLabels(subjects: readonly PostSetSubject[], { add, remove }: { add: string[]; remove: string[] }) {
    const [only] = subjects
    if (!only || (add.length === 0 && remove.length === 0)) return
    const labelled = ({ labelsId }: PostSetSubject) => [
      ...labelsId.filter((id) => !remove.includes(id) && !add.includes(id)),
      ...add,
    ]
    if (subjects.length === 1) {
      await attempt(subjects, async () => {
        const done = await change({
          subjects,
          shown: (subject) => ({ labelsId: labelled(subject) }),
          send: ([version = only]) => raised(version, (of) => setLabels(of, labelled(only))),
          versionsOf: (done) => done,
        })
        offerUndo(t`Labels of ${nameOf(only)} changed.`, done, { undo: true }, only.id)
      })
      return
    }
    // Of several sets one label is changed at a time: that is what one undo takes back.
    const sentence = (number: number) =>
      plural(number, { one: 'Labels of # post changed.', other: 'Labels of # posts changed.' })
    const [added] = add
    const [removed] = remove
    if (added !== undefined) {
      const shown = (subject: PostSetSubject) => ({ labelsId: [...new Set([...subject.labelsId, added])] })
      await inBulk(subjects, { addLabel: added }, shown, sentence)
    } else if (removed !== undefined) {
      const shown = (subject: PostSetSubject) => ({ labelsId: subject.labelsId.filter((id) => id !== removed) })
      await inBulk(subjects, { removeLabel: removed }, shown, sentence)
    }
  }
}
