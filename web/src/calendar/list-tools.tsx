import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { CalendarCard } from '#contract'
import { download } from '../design/download.ts'
import { showError } from '../design/toast.tsx'
import classes from './list.module.css'
import { csvOf } from './list-csv.ts'
import { readWholePosts } from './read-whole-posts.ts'
import { useScene } from './scene.ts'

/** Without it, spreadsheets read letters with accents as something else. */
const BYTE_ORDER_MARK = '\u{feff}'

interface ListToolsProps {
  /** As they are shown. */
  cards: readonly CalendarCard[]
  /** Draws the list with all that posts say, by the ids of their sets, before it is printed. */
  onTexts(texts: ReadonlyMap<string, string>): void
}

/** How many posts the list has, and the ways to take it along, with all of each text. */
export function ListTools({ cards, onTexts }: ListToolsProps) {
  const { zone, labels, over } = useScene()
  const [reading, setReading] = useState<'print' | 'download' | null>(null)
  const take = async (what: 'print' | 'download') => {
    setReading(what)
    try {
      const texts = await readWholePosts(cards)
      if (what === 'download') {
        download(
          `posts-${from}-${to}.csv`,
          BYTE_ORDER_MARK + csvOf({ cards, zone, labels, texts, brandOf: over?.name }),
          'text/csv',
        )
      } else {
        flushSync(() => onTexts(texts))
        window.print()
      }
    } catch (error) {
      showError(error)
    } finally {
      setReading(null)
    }
  }
  const [from, to] = [cards.at(0), cards.at(-1)].map((card) => card?.scheduledAt.slice(0, 10) ?? '').toSorted()
  const button = { size: 'compact-sm', variant: 'subtle', color: 'gray' } as const
  return (
    <div className={classes.tools}>
      <span className={classes.number}>{plural(cards.length, { one: '# post', other: '# posts' })}</span>
      <Button
        {...button}
        loading={reading === 'print'}
        leftSection={<IconPrinter size={16} aria-hidden />}
        onClick={() => take('print')}
      >
        <Trans>Print</Trans>
      </Button>
      <Button
        {...button}
        loading={reading === 'download'}
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => take('download')}
      >
        <Trans>Download CSV</Trans>
      </Button>
    </div>
  )
}
