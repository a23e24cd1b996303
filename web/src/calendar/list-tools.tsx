import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import type { CalendarCard } from '#contract'
import { download } from '../design/download.ts'
import classes from './list.module.css'
import { csvOf } from './list-csv.ts'
import { useScene } from './scene.ts'

/** Without it, spreadsheets read letters with accents as something else. */
const BYTE_ORDER_MARK = '\u{feff}'

/** How many posts the list has, and the ways to take it along. `cards`: as they are shown. */
export function ListTools({ cards }: { cards: readonly CalendarCard[] }) {
  const { zone, labels, over } = useScene()
  const [from, to] = [cards.at(0), cards.at(-1)].map((card) => card?.scheduledAt.slice(0, 10) ?? '').toSorted()
  const button = { size: 'compact-sm', variant: 'subtle', color: 'gray' } as const
  return (
    <div className={classes.tools}>
      <span className={classes.number}>{plural(cards.length, { one: '# post', other: '# posts' })}</span>
      <Button {...button} leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
        <Trans>Print</Trans>
      </Button>
      <Button
        {...button}
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() =>
          download(
            `posts-${from}-${to}.csv`,
            BYTE_ORDER_MARK + csvOf({ cards, zone, labels, brandOf: over?.name }),
            'text/csv',
          )
        }
      >
        <Trans>Download CSV</Trans>
      </Button>
    </div>
  )
}
