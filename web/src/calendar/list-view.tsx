import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Checkbox, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconLock, IconNote, IconRepeat } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CalendarCard, Note } from '#contract'
import { NetworkIcon } from '../design/network-icon.tsx'
import { ApprovalWarning } from '../planning/approvals/approval-warning.tsx'
import { noteTime } from '../planning/dates/note-time.ts'
import { shortDay } from '../planning/dates/titles.ts'
import { PostPicture } from '../planning/files/post-picture.tsx'
import { networksOf, networkWords, stateWords } from '../planning/posts/card-words.ts'
import { kindsBeside } from '../planning/posts/kind-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { PostSetMenu } from '../post-set-actions/post-set-menu.tsx'
import { formatTime, wallTime } from '../time/zones.ts'
import { cardItem, noteItem, type PlannedDay } from './days.ts'
import { LabelNames } from './label-names.tsx'
import classes from './list.module.css'
import { ListTools } from './list-tools.tsx'
import { useScene } from './scene.ts'
import { select, span, toggleSelected, useSelection } from './selection.ts'
import { StateIcon } from './state-icon.tsx'

interface ListViewProps {
  days: readonly PlannedDay[]
  /** What the table is called. */
  label: string
  onOpen: (id: string) => void
  onNote: (id: string) => void
}

/** More rows than these are drawn only where they are seen. */
const ALL_DRAWN = 60
const ROW_PX = 45

/** The calendar as a table: all that a card says by signs is a column of words here. */
export const ListView = memo(function ListView({ days, label, onOpen, onNote }: ListViewProps) {
  const { t } = useLingui()
  const [latestFirst, setLatestFirst] = useState(false)
  const selection = useSelection()
  const anchor = useRef<string | null>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const sorted = useMemo(() => {
    const rows = days.flatMap(({ date, notes, cards }): ListRow[] => [
      ...notes.map((note) => ({ kind: 'note' as const, id: note.id, note, date })),
      ...cards.map((card) => ({ kind: 'card' as const, id: card.id, card })),
    ])
    return latestFirst ? rows.reverse() : rows
  }, [days, latestFirst])
  const [texts, setTexts] = useState(NONE)
  // What is printed later may say something else by then.
  const printing = usePrinting(useCallback(() => setTexts(NONE), []))
  const virtual = sorted.length > ALL_DRAWN && !printing
  const virtualizer = useWindowVirtualizer({
    count: virtual ? sorted.length : 0,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollMargin: body.current?.offsetTop ?? 0,
  })
  const drawn = virtual ? virtualizer.getVirtualItems().map(({ index }) => index) : sorted.map((_, index) => index)
  const [first, last] = virtual ? [virtualizer.getVirtualItems().at(0), virtualizer.getVirtualItems().at(-1)] : []
  const before = first ? first.start - virtualizer.options.scrollMargin : 0
  const after = last ? virtualizer.getTotalSize() - (last.end - virtualizer.options.scrollMargin) : 0
  const cards = sorted.flatMap((row) => (row.kind === 'card' ? [row.card] : []))
  const ids = cards.map(({ id }) => id)
  const allSelected = ids.length > 0 && ids.every((id) => selection.has(id))

  const shown = useRef(ids)
  shown.current = ids
  // The same function between renders: rows that are drawn stay as they are while others come.
  const onCheck = useCallback((event: MouseEvent, id: string) => {
    if (event.shiftKey) select(span(shown.current, anchor.current, id))
    else toggleSelected(id)
    anchor.current = id
  }, [])
  const toggleAll = () => {
    if (allSelected) for (const id of ids) toggleSelected(id)
    else select(ids)
  }
  return (
    <>
      <ListTools cards={cards} onTexts={setTexts} />
      {/* What is left over the columns with a width is the text's and its picture's: 207 pixels at least. */}
      <Table.ScrollContainer minWidth={1_000} type="native" className={classes.scroll}>
        <Table highlightOnHover aria-label={label} aria-rowcount={sorted.length + 1} className={classes.table}>
          <Table.Thead>
            <Table.Tr aria-rowindex={1}>
              <Table.Th scope="col" w={40}>
                <Checkbox
                  aria-label={t`Select all`}
                  checked={allSelected}
                  indeterminate={!allSelected && ids.some((id) => selection.has(id))}
                  disabled={ids.length === 0}
                  onChange={toggleAll}
                />
              </Table.Th>
              <Table.Th scope="col" aria-sort={latestFirst ? 'descending' : 'ascending'} w={165}>
                <button type="button" className={classes.sort} onClick={() => setLatestFirst((now) => !now)}>
                  <Trans>Time</Trans>
                  {latestFirst ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />}
                  <VisuallyHidden>
                    {latestFirst ? t`, latest first, change order` : t`, earliest first, change order`}
                  </VisuallyHidden>
                </button>
              </Table.Th>
              <Table.Th scope="col" w={200}>
                <Trans>Status</Trans>
              </Table.Th>
              <Table.Th scope="col" w={110}>
                <Trans>Networks</Trans>
              </Table.Th>
              <Table.Th scope="col">
                <Trans>Text</Trans>
              </Table.Th>
              <Table.Th scope="col" w={120}>
                <Trans>Labels</Trans>
              </Table.Th>
              <Table.Th scope="col" w={110}>
                <Trans>Author</Trans>
              </Table.Th>
              <Table.Th scope="col" w={48}>
                <VisuallyHidden>
                  <Trans>Actions</Trans>
                </VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={body}>
            {before > 0 && <Gap height={before} />}
            {drawn.map((index) => {
              const row = sorted[index]
              if (!row) return null
              return row.kind === 'note' ? (
                <NoteRow key={row.id} note={row.note} date={row.date} index={index} onNote={onNote} />
              ) : (
                <Row
                  key={row.id}
                  card={row.card}
                  text={texts.get(row.id)}
                  index={index}
                  selected={selection.has(row.id)}
                  onCheck={onCheck}
                  onOpen={onOpen}
                />
              )
            })}
            {after > 0 && <Gap height={after} />}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
})

const NONE: ReadonlyMap<string, string> = new Map()

/** Whether the page is on its way to paper, which has all rows. `onPrinted`: always the same function. */
function usePrinting(onPrinted: () => void): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    // The browser takes what is drawn when the listener is through.
    const before = () => flushSync(() => setPrinting(true))
    const after = () => {
      setPrinting(false)
      onPrinted()
    }
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [onPrinted])
  return printing
}

/** Stands for rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <tr aria-hidden="true">
      <td colSpan={8} style={{ height, padding: 0 }} />
    </tr>
  )
}

/** A note says its day, its time where it has one, and its words, and nothing of the other columns. */
function NoteRow({
  note,
  date,
  index,
  onNote,
}: {
  note: Note
  date: string
  index: number
  onNote: (id: string) => void
}) {
  const { zone, preferences, over } = useScene()
  const day = shortDay(Temporal.PlainDate.from(date), preferences.locale)
  const time = noteTime(note.scheduledAt, zone, preferences, over?.zoneOf(note))
  return (
    <Table.Tr aria-rowindex={index + 2} className={classes.row}>
      <Table.Td />
      <Table.Td className={classes.time}>{time === null ? day : `${day}, ${time}`}</Table.Td>
      <Table.Td>
        <span className={classes.signs}>
          <IconNote size={16} aria-hidden />
          <Trans>Note</Trans>
        </span>
      </Table.Td>
      <Table.Td />
      <Table.Td>
        <button
          type="button"
          className={classes.open}
          dir="auto"
          data-item={noteItem(note.id)}
          onClick={() => onNote(note.id)}
        >
          {note.content}
        </button>
        {over?.line(note)}
      </Table.Td>
      <Table.Td colSpan={3} />
    </Table.Tr>
  )
}

type ListRow = { kind: 'note'; id: string; note: Note; date: string } | { kind: 'card'; id: string; card: CalendarCard }

interface RowProps {
  card: CalendarCard
  /** All that it says, for paper. */
  text: string | undefined
  index: number
  selected: boolean
  onCheck: (event: MouseEvent, id: string) => void
  onOpen: (id: string) => void
}

const Row = memo(function Row({ card, text, index, selected, onCheck, onOpen }: RowProps) {
  const { t } = useLingui()
  const { zone, preferences, over } = useScene()
  const name = nameOf(card)
  const kinds = kindsBeside(card)
  return (
    <Table.Tr aria-rowindex={index + 2} data-selected={selected || undefined} className={classes.row}>
      <Table.Td>
        <Checkbox
          aria-label={t`Select ${name}`}
          checked={selected}
          onClick={(event) => onCheck(event, card.id)}
          readOnly
        />
      </Table.Td>
      <Table.Td className={classes.time}>
        {shortDay(wallTime(card.scheduledAt, zone).toPlainDate(), preferences.locale)},{' '}
        {formatTime(card.scheduledAt, zone, preferences)}
        {over?.line(card)}
      </Table.Td>
      <Table.Td>
        <span className={classes.signs}>
          <StateIcon state={card.state} size={16} />
          {stateWords(card)}
          {card.isLocked && <IconLock size={14} role="img" aria-label={t`Locked`} />}
          {card.seriesId && <IconRepeat size={14} role="img" aria-label={t`Repeats`} />}
        </span>
        <ApprovalWarning subject={card} />
      </Table.Td>
      <Table.Td>
        <span className={classes.signs}>
          {networksOf(card).map((network) => (
            <NetworkIcon key={network} accountType={network} size={16} />
          ))}
          {card.networks.some(({ result }) => result === 'FAILED') && (
            <VisuallyHidden>{card.networks.map(networkWords).join(', ')}</VisuallyHidden>
          )}
        </span>
      </Table.Td>
      <Table.Td>
        <span className={classes.what}>
          {card.mediaCount > 0 && <PostPicture post={card} />}
          <button
            type="button"
            className={classes.open}
            // Of what cuts it off: its beginning stays.
            dir="auto"
            data-item={cardItem(card.id)}
            onClick={() => onOpen(card.id)}
          >
            {(text ?? card.excerpt).trim() || name}
          </button>
          {kinds !== null && <span className={classes.kinds}>{kinds}</span>}
        </span>
      </Table.Td>
      <Table.Td>
        <LabelNames ids={card.labelsId} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" truncate>
          {card.author.name}
        </Text>
      </Table.Td>
      <Table.Td>
        <PostSetMenu
          subject={card}
          onOpen={() => onOpen(card.id)}
          target={
            <ActionIcon aria-label={t`Actions for ${name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          }
        />
      </Table.Td>
    </Table.Tr>
  )
})
