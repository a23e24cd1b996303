import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { VisuallyHidden } from '@mantine/core'
import type { PostSetChanges } from '#contract'
import { usePreferences } from '../api/session.ts'
import { networkName } from '../design/network-icon.tsx'
import classes from './changes-shown.module.css'
import { fieldName } from './field-words.ts'
import { changeLines } from './history-words.ts'
import { diffText } from './text-diff.ts'

/** What changed in a post: each text with what went and came, everything else in a line. */
export function ChangesShown({ changes, zone }: { changes: PostSetChanges; zone: string }) {
  const preferences = usePreferences()
  const { posts, ...rest } = changes
  const { changed = [], order, ...others } = posts ?? {}
  // Posts that changed are shown in full below.
  const lines = changeLines({ action: 'updated', changes: { ...rest, posts: others } }, zone, preferences)
  return (
    <ul className={classes.changes}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {order && (
        <li>
          <Trans>The posts are in another order.</Trans>
        </li>
      )}
      {changed.flatMap(({ id, accountType, fields }) =>
        Object.entries(fields).map(([name, { from, to }]) => (
          <li key={`${id} ${name}`}>
            <FieldChange network={networkName(accountType)} name={name} from={from} to={to} />
          </li>
        )),
      )}
    </ul>
  )
}

interface FieldChangeProps {
  network: string
  name: string
  from: unknown
  to: unknown
}

function FieldChange({ network, name, from, to }: FieldChangeProps) {
  const field = name === 'caption' ? t`Caption` : name === 'media' ? t`Pictures and videos` : fieldName(name)
  const [before, after] = [textOf(from), textOf(to)]
  return (
    <>
      {`${network}: ${field}`}
      {name === 'media' ? ` (${mediaWords(from, to)})` : null}
      {before !== null && after !== null && (
        <p className={classes.diff} dir="auto">
          {diffText(before, after).map(({ kind, text }, index) =>
            kind === 'same' ? (
              text
            ) : kind === 'gone' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
              <del key={index}>
                <VisuallyHidden>{t`Removed:`} </VisuallyHidden>
                {text}
              </del>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
              <ins key={index}>
                <VisuallyHidden>{t`Added:`} </VisuallyHidden>
                {text}
              </ins>
            ),
          )}
        </p>
      )}
    </>
  )
}

/** A text, or nothing yet, as a text; null of what is none. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : null
}

function mediaWords(from: unknown, to: unknown): string {
  const count = (files: unknown) => (Array.isArray(files) ? files.length : 0)
  const [before, after] = [count(from), count(to)]
  return before === after ? t`changed` : t`from ${before} to ${after}`
}
