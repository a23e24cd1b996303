import { Trans, useLingui } from '@lingui/react/macro'
import { IconArrowLeft, IconCheck, IconChevronLeft, IconChevronRight, IconMessageCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { GuestCard, GuestPostSet, GuestVisit } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { DECIDES } from '../design/presses.ts'
import { useStays } from '../design/still.ts'
import { sameClock, viewerZone, zoneChip } from '../time/zones.ts'
import { go, usePlace } from './address.ts'
import { Answer } from './answer.tsx'
import { Comments } from './comments.tsx'
import classes from './controls.module.css'
import { dayIn, zoneOf } from './data.ts'
import { whenText } from './dates.ts'
import { useDecide } from './decide.tsx'
import { OtherToDo } from './other-to-do.tsx'
import css from './post.module.css'
import { PostChanges } from './post-changes.tsx'
import { PostPreview } from './post-preview.tsx'
import { Failed, Loading } from './states.tsx'
import { useShownPost } from './use-shown-post.ts'
import { decisionWords, POST_STATES, stateOf } from './words.ts'

interface PostScreenProps {
  id: string
  visit: GuestVisit
  /** Those of the calendar behind it, in their order. */
  cards: readonly GuestCard[]
}

/** A whole post, before a guest who decides about it. */
export function PostScreen({ id, visit, cards }: PostScreenProps) {
  const { shown, error, retry, showNewer } = useShownPost(id)
  const { date } = usePlace()
  const day = shown && dayIn(shown.post, visit.brands)
  // The calendar behind is that of the month of the post.
  useEffect(() => {
    if (day && !date) go({ date: day }, { replace: true })
  }, [day, date])
  if (!shown) {
    const gone = hasCode(error, 'post-set:not_found')
    return (
      <main className={css.screen} tabIndex={-1}>
        <PostBar id={id} cards={cards} />
        <h1>{gone ? <Trans>This post is not in this calendar any more</Trans> : <Trans>Post</Trans>}</h1>
        {error && !gone ? <Failed error={error} onRetry={retry} /> : !error && <Loading />}
      </main>
    )
  }
  const { post, changes } = shown
  const zone = zoneOf(post, visit.brands)
  const brand = visit.brands.find(({ id: brandId }) => brandId === post.socialSetId)
  return (
    <main className={css.screen} tabIndex={-1}>
      <PostBar id={id} cards={cards} />
      <PostHead post={post} zone={zone} brandName={visit.brands.length > 1 ? (brand?.name ?? '') : ''} />
      {showNewer && (
        <div className={css.changes} role="status">
          <p>
            <Trans>This post was changed a moment ago.</Trans>
          </p>
          <button type="button" className={classes.button} onClick={showNewer}>
            <Trans>Show what has changed</Trans>
          </button>
        </div>
      )}
      {changes && <PostChanges id={id} changes={changes} zone={zone} />}
      <div className={css.columns}>
        <div className={css.previews}>
          {post.posts.map((each) => (
            <PostPreview key={each.id} post={each} brandName={brand?.name ?? visit.name} />
          ))}
        </div>
        <div className={css.side}>
          <Decision
            post={post}
            allowed={visit.allows.decide}
            next={nextWaiting(cards, id)}
            others={day && <OtherToDo visit={visit} date={Temporal.PlainDate.from(date ?? day)} />}
          />
          <Comments id={id} writes={visit.allows.comment} />
        </div>
      </div>
    </main>
  )
}

function PostHead({ post, zone, brandName }: { post: GuestPostSet; zone: string; brandName: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each post that is opened
  useEffect(() => heading.current?.focus(), [post.id])
  const own = viewerZone()
  return (
    <header className={css.top}>
      <h1 ref={heading} tabIndex={-1}>
        {whenText(post.scheduledAt, zone, { long: true })}
      </h1>
      <p className={classes.dim}>
        {brandName !== '' && (
          <>
            <bdi>{brandName}</bdi>
            {' · '}
          </>
        )}
        {zoneChip(zone, post.scheduledAt)}
        {!sameClock(post.scheduledAt, zone, own) && (
          <>
            {' · '}
            <Trans>your time: {whenText(post.scheduledAt, own)}</Trans>
          </>
        )}
      </p>
    </header>
  )
}

function PostBar({ id, cards }: Pick<PostScreenProps, 'id' | 'cards'>) {
  const { t } = useLingui()
  const at = cards.findIndex((card) => card.id === id)
  const [previous, next] = at === -1 ? [undefined, undefined] : [cards[at - 1], cards[at + 1]]
  const number = at + 1
  const count = cards.length
  return (
    <nav className={css.bar} aria-label={t`Posts`}>
      <button type="button" className={classes.button} onClick={() => go({ post: null })}>
        <IconArrowLeft size={18} aria-hidden /> <Trans>Calendar</Trans>
      </button>
      <span className={classes.spacer} />
      {at !== -1 && (
        <span className={classes.dim}>
          <Trans>
            {number} of {count}
          </Trans>
        </span>
      )}
      <button
        type="button"
        className={classes.icon}
        aria-label={t`Previous post`}
        disabled={!previous}
        onClick={() => previous && go({ post: previous.id })}
      >
        <IconChevronLeft size={20} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.icon}
        aria-label={t`Next post`}
        disabled={!next}
        onClick={() => next && go({ post: next.id })}
      >
        <IconChevronRight size={20} aria-hidden />
      </button>
    </nav>
  )
}

/** The next one that waits after this post, or else the first one. */
function nextWaiting(cards: readonly GuestCard[], id: string): GuestCard | undefined {
  const at = cards.findIndex((card) => card.id === id)
  const order = [...cards.slice(at + 1), ...cards.slice(0, Math.max(0, at))]
  return order.find((card) => card.waiting && card.id !== id)
}

interface DecisionProps {
  post: GuestPostSet
  allowed: boolean
  next: GuestCard | undefined
  /** The way to what waits elsewhere. */
  others: ReactNode
}

function Decision({ post, allowed, next, others }: DecisionProps) {
  const { approve, requestChanges, undo, busy } = useDecide()
  const waits = post.waiting && allowed
  // What was decided takes the place of the buttons for a while.
  const stays = useStays(waits)
  const said = useRef<HTMLParagraphElement>(null)
  const waited = useRef(post.waiting)
  useEffect(() => {
    // The buttons have gone, with the focus that was on one of them.
    if (waited.current && !post.waiting && !document.querySelector('dialog[open]')) said.current?.focus()
    waited.current = post.waiting
  }, [post.waiting])
  const state = stateOf({ ...post, changed: false })
  const words = decisionWords(post)
  const message = post.decision?.message
  // On a phone the buttons are far from all else: who decides reads it there.
  const alone = post.approvedAlone && (
    <p className={classes.dim}>
      <Trans>The team approved this without its usual review.</Trans>
    </p>
  )
  return (
    <section className={css.decision} aria-labelledby="decision">
      <h2 id="decision">
        <Trans>Approval</Trans>
      </h2>
      <p ref={said} tabIndex={-1}>
        <span className={classes.badge} data-state={state}>
          {POST_STATES[state]}
        </span>{' '}
        {words}
      </p>
      {message && (
        <blockquote dir="auto" className={css.said}>
          {message}
        </blockquote>
      )}
      {!waits && alone}
      {stays && !waits && (
        <div className={css.decide} data-bar>
          <Answer card={post} />
        </div>
      )}
      {!stays && post.decision?.undoable && (
        <p>
          <Trans>Changed your mind?</Trans>{' '}
          <button
            type="button"
            {...DECIDES}
            className={classes.quiet}
            disabled={busy.has(post.id)}
            onClick={() => undo(post)}
          >
            <Trans>Take it back</Trans>
          </button>
        </p>
      )}
      {waits && (
        <div className={css.decide} data-bar>
          {alone}
          <button
            type="button"
            {...DECIDES}
            className={classes.primary}
            disabled={busy.has(post.id)}
            onClick={() => approve(post)}
          >
            <IconCheck size={18} aria-hidden /> <Trans>Approve</Trans>
          </button>
          <button
            type="button"
            {...DECIDES}
            className={classes.button}
            disabled={busy.has(post.id)}
            onClick={() => requestChanges(post, 'dialog')}
          >
            <IconMessageCircle size={18} aria-hidden /> <Trans>Request changes</Trans>
          </button>
        </div>
      )}
      {!post.waiting && next && allowed && (
        <p>
          <button type="button" className={classes.primary} onClick={() => go({ post: next.id })}>
            <Trans>Next post that needs you</Trans> <IconChevronRight size={18} aria-hidden />
          </button>
        </p>
      )}
      {!post.waiting && !next && allowed && others}
    </section>
  )
}
