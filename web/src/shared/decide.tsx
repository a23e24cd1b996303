// What a guest does to posts: from a row, a selection, a month or the open post.
import { plural, t } from '@lingui/core/macro'
import { createContext, type ReactNode, use, useMemo, useState } from 'react'
import type { GuestCard, GuestPostSet, GuestVisit } from '#contract'
import * as LIMITS from '#contract/limits'
import { hasCode } from '../api/api-error.ts'
import { callAsGuest } from '../api/guests.ts'
import { messageOf } from '../design/error-text.ts'
import { keepWritten, writtenOf } from '../planning/posts/written.ts'
import { go, readPlace } from './address.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { ChangesDialog, type ChangesFormProps } from './changes-form.tsx'
import { commentsKey, postKey, readAgain, showPost } from './data.ts'
import { focusPageIfLost } from './dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { announce, notify } from './notices.tsx'
import { decisionWords } from './words.ts'

/** A post in the version that the guest has before them. */
type Decided = Pick<GuestCard, 'id' | 'version'>

interface Decide {
  /** Ids of posts whose decision is on its way. */
  busy: ReadonlySet<string>
  approve: (post: Decided) => void
  /** Takes the guest's own approval back. */
  undo: (post: Decided) => void
  /** Asks what is to be changed: over the page, or in the row of the post. */
  requestChanges: (post: Decided, where: 'dialog' | 'row') => void
  /** What is asked in the row of a post. */
  inRow: { id: string; form: ChangesFormProps } | null
  /** Asks once, then approves them all. */
  approveAll: (cards: readonly GuestCard[]) => void
  /** Runs what needs a name: asks for it once, unless it was given. */
  asNamed: (work: () => void) => void
  /** How often a post turned out to be another than the one that was seen: then it is drawn as it is now. */
  conflicts: number
  /** Asks for the name, or for another one. */
  askName: () => void
}

const DecideContext = createContext<Decide | null>(null)

export function useDecide(): Decide {
  const decide = use(DecideContext)
  if (!decide) throw new Error('DecideProvider is not around this component.')
  return decide
}

const NAME_REQUIRED = 'shared-calendar:name_required'
const CHANGED = 'post-set:version_conflict'

interface DecideProviderProps {
  visit: GuestVisit
  children: ReactNode
}

type Prompt =
  | { kind: 'name'; work: () => void }
  | { kind: 'changes'; post: Decided; where: 'dialog' | 'row' }
  | { kind: 'approve'; cards: readonly GuestCard[] }

/** The decisions of a guest, with what they ask before. Around the page once. */
export function DecideProvider({ visit, children }: DecideProviderProps) {
  const [asked, setAsked] = useState<Prompt | null>(null)
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const named = visit.guest.name !== null
  const [conflicts, setConflicts] = useState(0)
  const close = () => setAsked(null)

  const changes = useMemo(() => {
    if (asked?.kind !== 'changes') return null
    const { post, where } = asked
    const form: ChangesFormProps = {
      written: writtenOf('guest', 'changes', post.id),
      onWrite: (text) => keepWritten('guest', 'changes', post.id, text),
      onClose: () => setAsked(null),
      onSend: async (message) => {
        try {
          await sendDecision(post, { decision: 'request-changes', message })
        } catch (error) {
          if (!hasCode(error, CHANGED)) throw error
          // What was written is there again when the guest has seen the post.
          setAsked(null)
          await explain(error, post, visit.allows.comment ? message : '')
          setConflicts((before) => before + 1)
          return
        }
        keepWritten('guest', 'changes', post.id, '')
        setAsked(null)
        announce(t`Changes requested. The team sees your words.`)
        window.requestAnimationFrame(focusPageIfLost)
      },
    }
    return { id: post.id, where, form }
  }, [asked, visit.allows.comment])

  const decide = useMemo<Decide>(() => {
    const asNamed = (work: () => void) => (named ? work() : setAsked({ kind: 'name', work }))
    const deciding = async (post: Decided, send: () => Promise<void>) => {
      setBusy((before) => new Set([...before, post.id]))
      try {
        await send()
      } catch (error) {
        if (hasCode(error, NAME_REQUIRED)) setAsked({ kind: 'name', work: () => void deciding(post, send) })
        else {
          await explain(error, post)
          if (hasCode(error, CHANGED)) setConflicts((before) => before + 1)
        }
      } finally {
        setBusy((before) => new Set([...before].filter((id) => id !== post.id)))
        window.requestAnimationFrame(focusPageIfLost)
      }
    }
    const approveNow = (post: Decided) =>
      deciding(post, async () => {
        await sendDecision(post, { decision: 'approve' })
        announce(t`Approved.`)
      })
    const undo = ({ id, version }: Decided) =>
      deciding({ id, version }, async () => {
        show(await callAsGuest('POST /posts/:id/decision/undo', { params: { id }, body: { version } }))
        announce(t`Your approval is undone. The post needs your answer again.`)
      })
    return {
      busy,
      conflicts,
      asNamed,
      askName: () => setAsked({ kind: 'name', work: () => {} }),
      approve: (post) => asNamed(() => void approveNow(post)),
      undo: (post) => void undo(post),
      requestChanges: (post, where) => asNamed(() => setAsked({ kind: 'changes', post, where })),
      inRow: changes?.where === 'row' ? changes : null,
      approveAll: (cards) => asNamed(() => setAsked({ kind: 'approve', cards })),
    }
  }, [busy, changes, conflicts, named])

  return (
    <DecideContext value={decide}>
      {children}
      {asked?.kind === 'name' && (
        <NameDialog
          name={visit.guest.name}
          onClose={close}
          onNamed={() => {
            close()
            asked.work()
          }}
        />
      )}
      {changes?.where === 'dialog' && <ChangesDialog {...changes.form} />}
      {asked?.kind === 'approve' && (
        <ApproveDialog
          cards={asked.cards}
          brands={visit.brands}
          onClose={close}
          onApprove={async (cards) => {
            await approveMany(cards)
            close()
          }}
        />
      )}
    </DecideContext>
  )
}

type Decision = { decision: 'approve' } | { decision: 'request-changes'; message: string }

async function sendDecision({ id, version }: Decided, decision: Decision): Promise<void> {
  show(await callAsGuest('POST /posts/:id/decision', { params: { id }, body: { ...decision, version } }))
}

/** What is answered is shown at once; the rest is read again meanwhile, and nothing waits for that. */
function show(post: GuestPostSet): void {
  showPost(post)
  void readAgain(commentsKey(post.id))
}

/**
 * Says why a decision was not taken. A post that has changed is opened, so that it is seen before it is decided again. Where
 * somebody else has decided meanwhile, what was to be changed becomes the comment to send.
 */
async function explain(error: unknown, { id }: Decided, message = ''): Promise<void> {
  await readAgain(postKey(id))
  if (!hasCode(error, CHANGED)) return notify(messageOf(error), { bad: true })
  const post = await callAsGuest('GET /posts/:id', { params: { id } }).catch(() => null)
  const decided = post && !post.waiting ? decisionWords(post) : null
  if (decided === null) {
    notify(t`This post has changed since you saw it. Look at what has changed, then decide.`, { bad: true })
  } else if (message === '') notify(decided, { bad: true })
  else {
    keepWritten('guest', 'changes', id, '')
    keepWritten('guest', 'comment', id, message)
    notify(t`${decided} Your words are below as a comment that you can send.`, { bad: true })
  }
  go({ post: id }, { replace: readPlace(window.location.search).post === id })
}

async function approveMany(cards: readonly GuestCard[]): Promise<void> {
  let approved = 0
  let refused = 0
  try {
    for (let at = 0; at < cards.length; at += LIMITS.sharedCalendars.approvalsAtOnce) {
      const posts = cards
        .slice(at, at + LIMITS.sharedCalendars.approvalsAtOnce)
        .map(({ id, version }) => ({ id, version }))
      const answer = await callAsGuest('POST /approvals', { body: { posts } })
      approved += answer.approved.length
      refused += answer.refused.length
    }
  } finally {
    await readAgain(['post'])
  }
  if (refused === 0) {
    const done = plural(approved, { one: '# post approved.', other: '# posts approved.' })
    // Where they are listed, each says so itself.
    if (document.querySelector('[data-answer]')) announce(done)
    else notify(done)
  } else {
    const rest = plural(refused, {
      one: '# post has changed or does not wait any more. Look at it again.',
      other: '# posts have changed or do not wait any more. Look at them again.',
    })
    notify(`${plural(approved, { one: '# post approved.', other: '# posts approved.' })} ${rest}`, { bad: true })
  }
}
