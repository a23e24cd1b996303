import { useLingui } from '@lingui/react/macro'
import { VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { LibraryFile } from '#contract'
import { mediaAddress } from '../api/media-address.ts'
import { VideoSign } from '../planning/files/video-sign.tsx'
import { fileWords, fillsWords, pagesText, ratioText, usedWords } from './file-words.ts'
import classes from './library.module.css'
import { type Fit, fitOf } from './unfit.ts'

const TILE_PX = 200
const SMALL_TILE_PX = 140
const NARROW_PX = 480
const GAP_PX = 14
/** Name and use, and the gap below. */
const CAPTION_PX = 27
const REASON_PX = 34

interface LibraryGridProps {
  files: readonly LibraryFile[]
  /** Of all pages, where it is known. */
  total: number | null
  selected: ReadonlySet<string>
  onToggle: (file: LibraryFile) => void
  /** Absent: a tile is chosen by a click on it, and cannot be opened. */
  onOpen?: ((file: LibraryFile) => void) | undefined
  onDelete?: ((file: LibraryFile) => void) | undefined
  /** How many networks the files are for: 0, and none is unfit. */
  networks: number
  hasMore: boolean
  onMore: () => void
}

/**
 * Files as tiles, of which those are drawn that are seen. One stop of the Tab key: arrows go from tile to tile, Space selects, Enter
 * opens, Delete deletes.
 */
export function LibraryGrid(props: LibraryGridProps) {
  const { files, total, selected, onToggle, onOpen, onDelete, networks, hasMore, onMore } = props
  const { t } = useLingui()
  const scroll = useRef<HTMLDivElement>(null)
  const width = useWidth(scroll)
  const [active, setActive] = useState(0)
  const least = width < NARROW_PX ? SMALL_TILE_PX : TILE_PX
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (least + GAP_PX)))
  const size = (width - GAP_PX * (columns - 1)) / columns
  const rowPx = size + CAPTION_PX + GAP_PX + (networks > 0 ? REASON_PX : 0)
  const virtualizer = useVirtualizer({
    count: width === 0 ? 0 : Math.ceil(files.length / columns),
    getScrollElement: () => scroll.current,
    estimateSize: () => rowPx,
    overscan: 2,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are as high as tiles are wide
  useLayoutEffect(() => virtualizer.measure(), [rowPx])
  const rows = virtualizer.getVirtualItems()
  const lastDrawn = ((rows.at(-1)?.index ?? -1) + 3) * columns
  useEffect(() => {
    if (hasMore && width > 0 && lastDrawn >= files.length) onMore()
  }, [hasMore, width, lastDrawn, files.length, onMore])

  const go = (index: number) => {
    const next = Math.max(0, Math.min(files.length - 1, index))
    setActive(next)
    virtualizer.scrollToIndex(Math.floor(next / columns))
    const focus = () => scroll.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus()
    // A tile that was not seen is drawn in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(focus))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      Home: -files.length,
      End: files.length,
    }
    const step = steps[event.key]
    const file = files[active]
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (step !== undefined) go(active + (isRightToLeft(scroll.current) && Math.abs(step) === 1 ? -step : step))
    else if (event.key === ' ' && file && onOpen) onToggle(file)
    else if (event.key === 'Delete' && file && onDelete) onDelete(file)
    else return
    event.preventDefault()
  }
  // What was looked at may be gone.
  const stop = Math.min(active, files.length - 1)
  return (
    <div className={classes.scroll} ref={scroll}>
      <ul
        className={classes.grid}
        style={{ height: virtualizer.getTotalSize() }}
        aria-label={t`Files`}
        data-selecting={selected.size > 0 || undefined}
        onKeyDown={onKeyDown}
      >
        {rows.flatMap((row) =>
          files.slice(row.index * columns, (row.index + 1) * columns).map((file, column) => {
            const index = row.index * columns + column
            return (
              <li
                key={file.id}
                className={classes.tile}
                style={{ width: size, insetInlineStart: column * (size + GAP_PX), insetBlockStart: row.start }}
                data-selected={selected.has(file.id) || undefined}
                aria-setsize={total ?? -1}
                aria-posinset={index + 1}
              >
                <Tile
                  file={file}
                  index={index}
                  isStop={index === stop}
                  isSelected={selected.has(file.id)}
                  networks={networks}
                  onActive={setActive}
                  onToggle={onToggle}
                  onOpen={onOpen}
                />
              </li>
            )
          }),
        )}
      </ul>
    </div>
  )
}

interface TileProps {
  file: LibraryFile
  index: number
  isStop: boolean
  isSelected: boolean
  networks: number
  onActive: (index: number) => void
  onToggle: (file: LibraryFile) => void
  onOpen: ((file: LibraryFile) => void) | undefined
}

const Tile = memo(function Tile(props: TileProps) {
  const { file, index, isStop, isSelected, networks, onActive, onToggle, onOpen } = props
  const { t } = useLingui()
  const fit = fitOf(file, networks)
  const { name } = file
  const words = [fileWords(file), fillsWords(file), usedWords(file), fit.reason].filter(Boolean).join(', ')
  const press = useCallback(() => {
    if (onOpen) onOpen(file)
    else if (!fit.isUnfit) onToggle(file)
  }, [file, fit.isUnfit, onOpen, onToggle])
  const common = {
    type: 'button' as const,
    className: classes.open,
    'data-index': index,
    tabIndex: isStop ? 0 : -1,
    title: fit.reason ?? name,
    onFocus: () => onActive(index),
    onClick: press,
  }
  if (onOpen) {
    return (
      <>
        <button {...common} aria-keyshortcuts="Space Delete">
          <VisuallyHidden>{words}</VisuallyHidden>
          <Shown file={file} fit={fit} />
        </button>
        <input
          type="checkbox"
          className={classes.check}
          tabIndex={-1}
          aria-label={t`Select ${name}`}
          checked={isSelected}
          onChange={() => onToggle(file)}
        />
      </>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a tile that is chosen by a press anywhere on it
    <button {...common} role="checkbox" aria-checked={isSelected} aria-disabled={fit.isUnfit || undefined}>
      <VisuallyHidden>{words}</VisuallyHidden>
      <Shown file={file} fit={fit} />
      <span className={classes.mark} aria-hidden>
        {isSelected && <IconCheck size={16} />}
      </span>
    </button>
  )
})

function Shown({ file, fit }: { file: LibraryFile; fit: Fit }) {
  const { t } = useLingui()
  const source = file.thumbnailUrl && mediaAddress(file.thumbnailUrl)
  const missing = file.type === 'IMAGE' && !file.altText && file.usedIn === 0
  return (
    <span aria-hidden>
      <span className={classes.picture}>
        {source && <img src={source} alt="" loading="lazy" draggable={false} />}
        {file.type === 'VIDEO' && <VideoSign size={18} durationMs={file.durationMs} />}
        <span className={classes.ratio} title={fillsWords(file) ?? undefined}>
          {file.fills.length > 0 && <IconCheck size={12} />}
          {file.type === 'DOCUMENT' ? pagesText(file) : ratioText(file)}
        </span>
      </span>
      <span className={classes.caption}>
        <span className={classes.name} dir="auto">
          {file.name}
        </span>
        {missing ? (
          <span className={classes.missing}>{t`Alt text?`}</span>
        ) : (
          <span className={classes.used}>{usedWords(file)}</span>
        )}
      </span>
      {fit.reason !== null && <span className={classes.reason}>{fit.reason}</span>}
    </span>
  )
}

/** Of what an element shows, in pixels; 0 before it is drawn. */
function useWidth(ref: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}

function isRightToLeft(element: Element | null): boolean {
  return element !== null && getComputedStyle(element).direction === 'rtl'
}
