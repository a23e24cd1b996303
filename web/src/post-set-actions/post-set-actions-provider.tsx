import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { SocialSet } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { usePreferences, useSession } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { Part } from '../design/part.tsx'
import { changedSearch } from '../frame/search.ts'
import { focusDialogIfLost } from '../frame/shortcuts.ts'
import { dayOf } from '../planning/dates/dates.ts'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import { makeActions } from './make-actions.tsx'
import { PostSetActionsContext } from './post-set-actions.tsx'
import { type Ask, type Prompt, subjectOf } from './prompt.ts'

const PromptDialog = lazyWithWords(() =>
  import('./prompt-dialog.tsx').then(({ PromptDialog }) => ({ default: PromptDialog })),
)

/** The brands that a screen is over, by their ids, and by whose clock it is. */
interface OverBrands {
  brands: ReadonlyMap<string, SocialSet>
  zone: string
}

interface PostSetActionsProviderProps {
  /** The brand that the screen is of; null where it is over several. */
  socialSet: SocialSet | null
  over?: OverBrands
  /** Puts the focus on a set, wherever it is shown now: after an action, and after a dialog was closed. */
  onFocus?: (id: string) => void
  /** Puts the focus beside sets that are about to go. */
  onLeave?: (ids: readonly string[]) => void
  /** Lets the person click on a day. */
  onPick?: (subject: PostSetSubject) => void
  children: ReactNode
}

/** Gives the actions on post sets to everything below, and shows the dialogs that they ask with. */
export function PostSetActionsProvider(props: PostSetActionsProviderProps) {
  const { socialSet, over, onFocus, onLeave, onPick, children } = props
  const { rights, user } = useSession()
  const me = user.name
  const preferences = usePreferences()
  const confirm = useConfirmAction()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Prompt | null>(null)
  const settle = useRef<() => void>(() => {})

  const ask = useCallback<Ask>((make) => {
    settle.current()
    return new Promise((resolve) => {
      settle.current = () => resolve(null)
      setAsked(
        make((answer) => {
          setAsked(null)
          resolve(answer)
        }),
      )
    })
  }, [])
  // What was asked in a panel goes back to it.
  useEffect(() => {
    if (asked) return
    const frame = requestAnimationFrame(focusDialogIfLost)
    return () => cancelAnimationFrame(frame)
  }, [asked])
  const [set, zone] = [socialSet?.id, over?.zone ?? socialSet?.timezone]
  const brandOf = useCallback(
    ({ socialSetId }: Pick<PostSetSubject, 'socialSetId'>) => {
      const brand = over ? over.brands.get(socialSetId) : socialSet
      if (!brand) throw new Error('The brand of a post that is shown is not known.')
      return brand
    },
    [over, socialSet],
  )
  const open = useCallback(
    (id: string, at?: string) =>
      void navigate({
        to: '/scheduling/calendar/$view',
        params: (params) => ({ view: 'view' in params && params.view ? params.view : 'month' }),
        search: (search) => ({
          ...changedSearch(search, { ...(set === undefined ? {} : { set }), post: id }),
          ...(at === undefined || zone === undefined ? {} : { date: dayOf(at, zone) }),
        }),
      }),
    [navigate, set, zone],
  )
  const focus = useCallback((id: string) => onFocus?.(id), [onFocus])
  const leave = useCallback((ids: readonly string[]) => onLeave?.(ids), [onLeave])
  const actions = useMemo(
    () =>
      makeActions({
        ...{ brandOf, shownZone: over?.zone, rights, me, preferences },
        ...{ ask, confirm, open, focus, leave, pick: onPick },
      }),
    [brandOf, over, rights, me, preferences, ask, confirm, open, focus, leave, onPick],
  )
  return (
    <PostSetActionsContext value={actions}>
      {children}
      {asked && (
        <Part>
          <PromptDialog asked={asked} socialSet={brandOf(subjectOf(asked))} />
        </Part>
      )}
    </PostSetActionsContext>
  )
}
