import { Trans, useLingui } from '@lingui/react/macro'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { mediaAddress } from '../../api/media-address.ts'
import classes from './document-pages.module.css'

interface DocumentPagesProps {
  /** Addresses of pictures, one for each page. */
  pages: readonly string[]
  /** Of the document. */
  name: string
  /** Width by height of the first page: the others lie in its middle. */
  ratio: number
}

/** A document to leaf through: by buttons, by arrow keys, by swiping. */
export function DocumentPages({ pages, name, ratio }: DocumentPagesProps) {
  const { t } = useLingui()
  const strip = useRef<HTMLElement>(null)
  const [page, setPage] = useState(1)
  const all = pages.length
  const go = (to: number) => {
    const { current } = strip
    const target = current?.children[Math.min(Math.max(to, 1), all) - 1]
    target?.scrollIntoView({ behavior: 'instant', block: 'nearest', inline: 'start' })
  }
  return (
    <div className={classes.pages}>
      <section
        ref={strip}
        className={classes.strip}
        style={{ aspectRatio: ratio }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        tabIndex={0}
        aria-label={t`Pages of ${name}`}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setPage(1 + Math.round(Math.abs(scrollLeft) / Math.max(1, clientWidth)))
        }
        onKeyDown={(event) => {
          const by = { ArrowRight: 1, ArrowLeft: -1, Home: -all, End: all }[event.key]
          if (by === undefined) return
          event.preventDefault()
          go(page + (getComputedStyle(event.currentTarget).direction === 'rtl' && Math.abs(by) === 1 ? -by : by))
        }}
      >
        {pages.map((address, index) => (
          <img
            key={address}
            src={mediaAddress(address) ?? undefined}
            alt={t`Page ${index + 1} of ${all}`}
            loading="lazy"
            draggable={false}
          />
        ))}
      </section>
      <div className={classes.bar}>
        <button type="button" aria-label={t`Previous page`} disabled={page <= 1} onClick={() => go(page - 1)}>
          <IconChevronLeft size={16} aria-hidden />
        </button>
        <span aria-live="polite">
          <Trans>
            {page} of {all}
          </Trans>
        </span>
        <button type="button" aria-label={t`Next page`} disabled={page >= all} onClick={() => go(page + 1)}>
          <IconChevronRight size={16} aria-hidden />
        </button>
      </div>
    </div>
  )
}
