import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { IconAlertTriangle, IconDots, IconLock, IconRepeat } from '@tabler/icons-react'
import { type CSSProperties, memo } from 'react'
import type { CalendarCard, CardState, Note } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { useApprovalWarning } from '../planning/approvals/approval-warning.tsx'
import { noteTime } from '../planning/dates/note-time.ts'
import { cardName, NETWORKS_ON_CARD, networksOf } from '../planning/posts/card-words.ts'
import { KindSign } from '../planning/posts/kind-sign.tsx'
import { nameOf } from '../planning/posts/subject.ts'
import { formatTime } from '../time/zones.ts'
import classes from './card.module.css'
import { cardItem, noteItem } from './days.ts'
import { useScene } from './scene.ts'
import { useIsSelected } from './selection.ts'
import { StateIcon } from './state-icon.tsx'

/**
 * States that a card names, shorter than elsewhere: a word in the place of its networks. What is not here is scheduled, or
 * has gone out.
 */
const WORDS: Partial<Record<CardState, ReturnType<typeof msg>>> = {
  draft: msg`Draft`,
  pending: msg`Waiting`,
  'changes-requested': msg`Changes`,
  approved: msg`Not scheduled`,
  held: msg`Stopped`,
  publishing: msg`Publishing`,
  'partly-published': msg`failed`,
  'in-inbox': msg`Inbox`,
  'not-finished': msg`Not finished`,
  failed: msg`failed`,
}

interface CardProps {
  card: CalendarCard
  /** Of caption; 0: caption and time share the one line there is. */
  lines: number
  tight?: boolean
}

/**
 * A post set in a grid: its text, one line about it, and its picture. What is done with it is heard by the grid, which
 * finds it by `data-item` and `data-menu`; the grid also decides which element takes the focus.
 */
export const Card = memo(function Card({ card, lines, tight = false }: CardProps) {
  const { t } = useLingui()
  const { zone, preferences, labels, over } = useScene()
  const selected = useIsSelected(card.id)
  const ownLabels = card.labelsId.flatMap((id) => labels.get(id) ?? [])
  const time = formatTime(card.scheduledAt, zone, preferences)
  const warning = useApprovalWarning(card)
  const stateWord = WORDS[card.state]
  const text = warning ? t`Not approved` : stateWord && t(stateWord)
  const caption = card.excerpt.trim() || nameOf(card)
  // In the order of the page: where there is little room, the word goes, and the time stays.
  const word = lines > 0 ? text : undefined
  const name = cardName(
    card,
    { seen: [caption, time, word].filter(Boolean).join(' '), word },
    { labels: ownLabels, warning, brand: over?.words(card) },
  )
  const short = nameOf(card)
  const picture = lines > 0 && card.thumbnailUrl ? mediaAddress(card.thumbnailUrl) : null
  const kind = lines > 0 ? (card.kinds[0] ?? null) : null
  const [label] = ownLabels
  return (
    <div
      className={classes.card}
      data-card={card.id}
      data-state={card.state}
      data-stays={card.status === 'DRAFT' || card.state === 'held' || undefined}
      data-selected={selected || undefined}
      data-warned={warning ? true : undefined}
      data-label={label?.color ? true : undefined}
      data-tight={tight || undefined}
      data-line={lines === 0 || undefined}
      data-pic={picture || kind ? true : undefined}
      style={{ '--lines': lines, '--label': label?.color } as CSSProperties}
    >
      <button
        type="button"
        className={classes.open}
        data-item={cardItem(card.id)}
        tabIndex={-1}
        aria-label={selected ? t`${name}, selected` : name}
      >
        <span className={classes.caption} dir="auto">
          {caption}
        </span>
        {/* Between the words of a name is a space, seen or not. */}{' '}
        <span className={classes.meta}>
          <span className={classes.time}>{time}</span> {over?.mark(card)}
          <span className={classes.sign}>
            {warning ? (
              <IconAlertTriangle size={14} aria-hidden className={classes.state} />
            ) : (
              <StateIcon state={card.state} />
            )}
          </span>
          {lines > 0 ? (
            <Meta card={card} word={word} />
          ) : (
            card.kinds[0] && <KindSign kind={card.kinds[0]} size={13} className={classes.mark} />
          )}
        </span>
        {picture && <img className={classes.picture} src={picture} alt="" loading="lazy" draggable={false} />}
        {kind && !picture && <span className={classes.picture} data-blank />}
        {kind && <KindSign kind={kind} size={13} className={classes.kind} />}
      </button>
      <button
        type="button"
        className={classes.menu}
        data-menu={card.id}
        tabIndex={-1}
        aria-haspopup="menu"
        aria-label={t`Actions for ${short}`}
      >
        <IconDots size={16} aria-hidden />
      </button>
    </div>
  )
})

/** After the time and the sign of the state: the state in a word or the networks, and what else is worth knowing. */
function Meta({ card, word }: { card: CalendarCard; word: string | undefined }) {
  const networks = networksOf(card)
  const failed = card.networks.find(({ result }) => result === 'FAILED')
  return (
    <>
      {word === undefined ? (
        <span className={classes.networks}>
          {networks.slice(0, NETWORKS_ON_CARD).map((network) => (
            <NetworkIcon key={network} accountType={network} size={12} decorative />
          ))}
          <MoreNetworks count={networks.length} />
        </span>
      ) : (
        <>
          {failed && <NetworkIcon accountType={failed.accountType} size={12} decorative />}
          <span className={classes.words}>
            <span className={classes.word}>{word}</span>
          </span>
        </>
      )}
      {card.isLocked && <IconLock size={12} aria-hidden className={classes.mark} />}
      {card.seriesId && <IconRepeat size={12} aria-hidden className={classes.mark} />}
    </>
  )
}

/** How many networks are not drawn: where there is room for three, for two, and for one. */
function MoreNetworks({ count }: { count: number }) {
  const beyond = (drawn: number) => (count > drawn ? `+${count - drawn}` : undefined)
  return (
    <span className={classes.number} data-three={beyond(3)} data-two={beyond(2)} data-one={beyond(1)} aria-hidden />
  )
}

/** A note on its color, after its time where it has one. What is around it hears the click. */
export const NoteBar = memo(function NoteBar({ note, tabIndex = -1 }: { note: Note; tabIndex?: 0 | -1 }) {
  const { t } = useLingui()
  const { zone, preferences, over } = useScene()
  const time = noteTime(note.scheduledAt, zone, preferences, over?.zoneOf(note))
  const content = time === null ? note.content : `${time} ${note.content}`
  return (
    <button
      type="button"
      className={classes.note}
      style={{ '--note': note.hexColor } as CSSProperties}
      data-item={noteItem(note.id)}
      tabIndex={tabIndex}
      aria-label={t`Note: ${content}`}
      title={content}
      dir="auto"
    >
      {content}
    </button>
  )
})

/** For the cards of a day that have no room. */
export function MoreButton({ id, count }: { id: string; count: number }) {
  const whole = plural(count, { other: '+# more' })
  return (
    <button
      type="button"
      className={classes.more}
      data-item={id}
      data-more
      tabIndex={-1}
      aria-haspopup="dialog"
      aria-label={whole}
    >
      <span className={classes.whole}>{whole}</span>
      <span className={classes.short}>+{count}</span>
    </button>
  )
}
