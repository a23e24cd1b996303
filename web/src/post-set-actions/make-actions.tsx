import { Text } from '@mantine/core'
import type { BulkAction, MoveScope, Right, SocialSet } from '#contract'
import { ApiError, hasCode } from '../api/api-error.ts'
import { dashboardPath } from '../api/base.ts'
import { nextSensibleTime, today } from '../calendar/dates.ts'
import { announce } from '../design/announce.tsx'
import type { useConfirmAction } from '../design/confirm.tsx'
import { copyText } from '../design/copy-text.ts'
import { networkName } from '../design/network-icon.tsx'
import { showDone, showError, showText, tellWhyNot } from '../design/toast.tsx'
import { count, listOf } from '../design/words.ts'
import type { TimePreferences } from '../time/zones.ts'
import type { Ask, SeriesChange, SeriesChoice } from './asked.ts'
import { change, refresh, versionOf } from './change.ts'
import type { PendingChange } from './pending.ts'
import { clockChoices, PUBLISHES_AT_ONCE, publishesAtOnce, resolveTarget, staysPut } from './plan-move.ts'
import type { PostSetActions } from './post-set-actions.tsx'
import { raised } from './raised.ts'
import { doInBulk, duplicateOne, moveOne, moveSeries, removeSeries, reviewOne, setLabels } from './requests.ts'
import { movingTo, removing } from './series-changes.ts'
import { lacksApproval, nameOf, type PostSetSubject, whyNotChangeable, whyNotDeletable } from './subject.ts'
import { makeTelling } from './telling.ts'
import { movedSentence, saidTime, stayedSentence } from './words.ts'

interface Means {
  socialSet: SocialSet
  rights: readonly Right[]
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

export function makeActions(means: Means): PostSetActions {
  const { socialSet, rights, preferences, ask, confirm, open, focus, leave, pick } = means
  const zone = socialSet.timezone

  const { tellUndo, attempt } = makeTelling({ open, focus })
  const changeable = (subject: PostSetSubject): boolean => {
    const why = whyNotChangeable(subject, rights)
    if (why) tellWhyNot(why)
    return !why
  }

  const move: PostSetActions['move'] = async (subject, target) => {
    if (!changeable(subject)) return
    const clock = resolveTarget(subject, zone, target)
    const instant =
      clock.kind === 'exact'
        ? clock.instant
        : await ask<'clock'>((answer) => ({
            kind: 'clock',
            subject,
            gap: clock.kind === 'gap',
            choices: clockChoices(clock, zone, preferences),
            answer,
          }))
    if (instant === null || staysPut(subject, instant)) return focus(subject.id)
    if (publishesAtOnce(subject, instant)) {
      await publishNow(subject, instant)
      return focus(subject.id)
    }
    const chosen = await chooseOf(subject, movingTo(subject, instant))
    if (chosen === null) return focus(subject.id)
    const { scope } = chosen
    let passed = false
    const moving = attempt([subject], async () => {
      try {
        await (scope === 'this' ? moveThis(subject, instant) : moveAll(subject, instant, scope))
      } catch (error) {
        if (!hasCode(error, PUBLISHES_AT_ONCE)) throw error
        passed = true
      }
    })
    focus(subject.id)
    await moving
    if (!passed) return
    await publishNow(subject, instant)
    focus(subject.id)
  }

  const moveThis = async (subject: PostSetSubject, instant: string) => {
    const done = await change({
      subjects: [subject],
      shown: () => ({ scheduledAt: instant }),
      send: ([version = subject]) => raised(version, (of) => moveOne(of, instant)),
      versionsOf: (done) => done,
    })
    tellUndo(movedSentence(subject, instant, zone, preferences), done, { undo: true }, subject.id)
  }

  const moveAll = async (subject: PostSetSubject, instant: string, scope: MoveScope) => {
    const { moved, left } = await change({
      subjects: [subject],
      shown: () => ({ scheduledAt: instant }),
      send: ([version]) => moveSeries(version ?? subject, instant, scope, false),
      versionsOf: (done) => done.moved,
    })
    const to = `this one to ${saidTime(instant, zone, preferences)}`
    const sentence = `${count(moved.length, 'post set')} of the series moved, ${to}.`
    tellUndo(withStayed(sentence, left), moved, { undo: true }, subject.id)
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
      const sentence = `${count(removed.length, 'post set')} of the series deleted.`
      tellUndo(withStayed(sentence, left), removed, { restore: true }, subject.id)
    })

  /** Which sets of its series a change of a set is about; the set alone where it is in none. */
  const chooseOf = (subject: PostSetSubject, change: SeriesChange): Promise<SeriesChoice | null> =>
    subject.seriesId
      ? ask<'series'>((answer) => ({ kind: 'series', subject, change, answer }))
      : Promise.resolve({ scope: 'this', sets: [subject] })

  const publishNow = async (subject: PostSetSubject, instant: string) => {
    const networks = [...new Set(subject.networks.map(({ accountType }) => networkName(accountType)))]
    const done = await confirm({
      title: 'Publish now?',
      children: (
        <Text>
          {saidTime(instant, zone, preferences)} has passed. “{nameOf(subject)}” would be published at once to{' '}
          {listOf(networks)}. This cannot be undone.
        </Text>
      ),
      confirmLabel: `Publish to ${listOf(networks)}`,
      run: async () => {
        await change({
          subjects: [subject],
          shown: () => ({ scheduledAt: instant }),
          send: ([version]) => moveOne(version ?? subject, instant, true),
          versionsOf: (version) => [version],
        })
      },
    })
    if (done) announce(`${nameOf(subject)} is being published.`)
  }

  /** One request for all; what was refused is told after what was done. */
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
      if (done.length > 0) tellUndo(sentenceOf(done.length), done, undo, only)
      else tellWhyNot('There was nothing to change.')
      const [first] = refused
      if (first)
        showError(new ApiError({ status: 412, code: first.code, message: tellRefused(refused.length, first.message) }))
    })

  const about = (subjects: readonly PostSetSubject[], number: number) => {
    const [only] = subjects
    return subjects.length === 1 && only ? nameOf(only) : count(number, 'post set')
  }

  return {
    socialSet,
    leave,
    move,
    pick,
    openMove: (subject) => {
      if (!changeable(subject)) return
      void ask<'move'>((answer) => ({ kind: 'move', subject, answer })).then((target) =>
        target ? move(subject, target) : focus(subject.id),
      )
    },
    moveByDays: async (subjects, days) => {
      const shift = (subject: PostSetSubject) => {
        const clock = resolveTarget(subject, zone, { to: 'days', days })
        return clock.kind === 'exact' ? { scheduledAt: clock.instant } : {}
      }
      const by = `${count(Math.abs(days), 'day')} ${days > 0 ? 'later' : 'earlier'}`
      await inBulk(subjects, { move: { days } }, shift, (number) => `${about(subjects, number)} moved ${by}.`)
    },
    duplicate: async (subject) => {
      await attempt([subject], async () => {
        const copy = await duplicateOne(subject.id)
        refresh([copy])
        // The copy is gone then: the focus goes to what it is of.
        tellUndo(`${nameOf(subject)} duplicated as a draft.`, [copy], { delete: true }, subject.id)
        focus(copy.id)
      })
    },
    retryFailed: async (subject) => {
      await attempt([subject], async () => {
        const scheduledAt = nextSensibleTime(today(zone), zone)
        const copy = await duplicateOne(subject.id, { scheduledAt, only: 'failed' })
        refresh([copy])
        // Taken back, it leads to where it was begun.
        tellUndo(`A draft of what failed of ${nameOf(subject)} was made.`, [copy], { delete: true }, () =>
          open(subject.id, subject.scheduledAt),
        )
        open(copy.id, copy.scheduledAt)
      })
    },
    openLabels: (subjects) => {
      const [only] = subjects
      void ask<'labels'>((answer) => ({ kind: 'labels', subjects, answer })).then(async (wanted) => {
        if (only && subjects.length === 1) focus(only.id)
        if (wanted) await putLabels(subjects, wanted)
      })
    },
    setLocked: async (subjects, locked) => {
      const verb = locked ? 'locked' : 'unlocked'
      await inBulk(
        subjects,
        { lock: locked },
        () => ({ isLocked: locked }),
        (number) => `${about(subjects, number)} ${verb}.`,
      )
    },
    approve: async (subject) => {
      await attempt([subject], async () => {
        const done = await change({
          subjects: [subject],
          shown: ({ status }) => ({ approval: 'APPROVED', state: status === 'SCHEDULED' ? 'scheduled' : 'approved' }),
          send: ([version = subject]) => raised(version, (of) => reviewOne(of, 'approve', null)),
          versionsOf: (done) => done,
        })
        tellUndo(`${nameOf(subject)} approved.`, done, { undo: true }, subject.id)
      })
    },
    openRequestChanges: (subject) => {
      void ask<'request-changes'>((answer) => ({ kind: 'request-changes', subject, answer })).then(async (message) => {
        focus(subject.id)
        if (message === null) return
        await attempt([subject], async () => {
          const done = await change({
            subjects: [subject],
            shown: () => ({ status: 'DRAFT', approval: 'DENIED', state: 'changes-requested' }),
            send: ([version = subject]) => raised(version, (of) => reviewOne(of, 'request-changes', message)),
            versionsOf: (done) => done,
          })
          tellUndo(`Changes requested for ${nameOf(subject)}.`, done, { undo: true }, subject.id)
        })
      })
    },
    requestApproval: async (subjects) => {
      const shown = () => ({ approval: 'PENDING', state: 'pending' }) as const
      const asked = subjects.filter(lacksApproval)
      await inBulk(
        asked,
        { requestApproval: true },
        shown,
        (number) => `Approval of ${about(asked, number)} requested.`,
      )
    },
    copyLink: async ({ id }) => {
      const address = `${window.location.origin}${dashboardPath}/scheduling/calendar/month?set=${socialSet.id}&post=${id}`
      // A browser that gives the clipboard to nobody: the address stays until it is copied by hand.
      if (await copyText(address)) showDone('Link copied.')
      else showText(address)
    },
    remove: async (subjects) => {
      const [only] = subjects
      const why = only && subjects.length === 1 ? whyNotDeletable(only, rights) : null
      if (why) return tellWhyNot(why)
      if (only && subjects.length === 1) {
        const chosen = await chooseOf(only, removing(only))
        if (chosen === null) return focus(only.id)
        if (chosen.scope !== 'this') {
          leave([only.id, ...chosen.sets.map(({ id }) => id)])
          return void (await removeAll(only, chosen))
        }
      }
      const shown = () => ({ deleted: true })
      leave(subjects.map(({ id }) => id))
      await inBulk(subjects, { delete: true }, shown, (number) => `${about(subjects, number)} deleted.`, {
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
        tellUndo(`Labels of ${nameOf(only)} changed.`, done, { undo: true }, only.id)
      })
      return
    }
    // Of several sets one label is changed at a time: that is what one undo takes back.
    const sentence = (number: number) => `Labels of ${count(number, 'post set')} changed.`
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

function withStayed(sentence: string, left: readonly unknown[]): string {
  return [sentence, stayedSentence(left.length)].filter((part) => part !== undefined).join(' ')
}

function tellRefused(number: number, why: string): string {
  return number === 1
    ? `1 post set was left as it is: ${why}`
    : `${number} post sets were left as they are. The first: ${why}`
}
