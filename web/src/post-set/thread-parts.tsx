import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, Text } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { AccountType, CaptionCount, SocialSet } from '#contract'
import { announce } from '../design/announce.tsx'
import { CaptionBox } from './caption-box.tsx'
import classes from './composer.module.css'
import type { DraftPart } from './draft-shape.ts'
import { MediaStrip } from './media-strip.tsx'
import { areNumbered, joined, newPart, splitParts, withNumbers, withoutNumbers, withText } from './thread.ts'
import { fitsOf } from './use-live-check.ts'

interface ThreadPartsProps {
  socialSet: SocialSet
  accountType: AccountType
  /** Most further parts. */
  most: number
  /** The first part, which is the post, and what is counted of it. */
  caption: string
  captionCounts: readonly CaptionCount[]
  parts: readonly DraftPart[]
  /** What is counted of a part, and what is wrong with it, by the name of its field. */
  countsOf: (place: number) => readonly CaptionCount[]
  errorAt: (place: number, field: 'caption' | 'media') => string | null
  onChange: (parts: readonly DraftPart[]) => void
  /** The text of the post changes with those of the parts. */
  onTexts: (caption: string, parts: readonly DraftPart[]) => void
  /** The first further part goes back into the text of the post. */
  onJoinFirst: () => void
  onLeft: () => void
  onFiles: (files: readonly File[], part: string) => void
}

/** The further parts of a post, each with a text and files of its own. */
export function ThreadParts(props: ThreadPartsProps) {
  const { socialSet, accountType, most, caption, captionCounts, parts, countsOf, errorAt } = props
  const { onChange, onTexts, onJoinFirst, onLeft, onFiles } = props
  const { t } = useLingui()
  const list = useRef<HTMLOListElement>(null)
  /** The part that is to have the focus once it is there. */
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    const field = list.current?.querySelector<HTMLTextAreaElement>(`[data-part="${wanted.current}"] textarea`)
    wanted.current = null
    field?.focus()
  })
  const changePart = (uid: string, change: Partial<DraftPart>) =>
    onChange(parts.map((part) => (part.uid === uid ? { ...part, ...change } : part)))
  const write = (place: number, text: string) => {
    const { parts: next, added } = withText(parts, place, text)
    wanted.current = added?.uid ?? null
    onChange(next)
  }
  const join = (place: number) => {
    const [part, before] = [parts[place], parts[place - 1]]
    if (!part) return
    if (!before) return onJoinFirst()
    wanted.current = before.uid
    const whole = { ...before, caption: joined(before.caption, part.caption), media: [...before.media, ...part.media] }
    onChange(parts.flatMap((each, at) => (at === place ? [] : at === place - 1 ? [whole] : [each])))
  }
  const remove = (place: number) => {
    const number = place + 2
    onChange(parts.filter((_, at) => at !== place))
    announce(t`Part ${number} was removed.`)
  }
  const left = most - parts.length
  const texts = [caption, ...parts.map((part) => part.caption)]
  const limits = [captionCounts, ...parts.map((_, place) => countsOf(place))].map(
    (counts) => counts.find(({ fits }) => fits !== undefined)?.limit ?? Number.POSITIVE_INFINITY,
  )
  const isLong = texts.some((text, at) => text.trim().length > (limits[at] ?? Number.POSITIVE_INFINITY))
  const numbered = areNumbered(texts)
  const number = () => {
    const [first = '', ...rest] = numbered ? withoutNumbers(texts) : withNumbers(texts)
    onTexts(
      first,
      parts.map((part, at) => ({ ...part, caption: rest[at] ?? part.caption })),
    )
    announce(numbered ? t`The numbers were removed.` : t`The parts are numbered.`)
  }
  const split = () => {
    const next = splitParts(caption, parts, limits, most)
    onTexts(next.caption, next.parts)
    announce(plural(next.parts.length + 1, { one: 'The thread has # part.', other: 'The thread has # parts.' }))
  }
  return (
    <>
      <ol className={classes.parts} ref={list} aria-label={t`Further parts`}>
        {parts.map((part, place) => {
          const number = place + 2
          return (
            <li key={part.uid} className={classes.part} data-part={part.uid}>
              <div className={classes.label}>
                <h3>
                  <Trans>Part {number}</Trans>
                </h3>
                <span className={classes.spacer} />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="md"
                  aria-label={t`Remove part ${number}`}
                  onClick={() => remove(place)}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </div>
              <CaptionBox
                socialSet={socialSet}
                label={t`Text of part ${number}`}
                value={part.caption}
                counts={countsOf(place)}
                fits={fitsOf(countsOf(place))}
                counted
                short
                error={errorAt(place, 'caption')}
                onChange={(caption) => write(place, caption)}
                onJoin={() => join(place)}
                onBlur={onLeft}
              />
              <MediaStrip
                socialSet={socialSet}
                label={t`Pictures and video of part ${number}`}
                accountTypes={[accountType]}
                media={part.media}
                error={errorAt(place, 'media')}
                onChange={(media) => changePart(part.uid, { media })}
                onFiles={(files) => onFiles(files, part.uid)}
              />
            </li>
          )
        })}
      </ol>
      <div className={classes.partActions}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={left <= 0}
          onClick={() => {
            const part = newPart()
            wanted.current = part.uid
            onChange([...parts, part])
          }}
        >
          <Trans>Add a part</Trans>
        </Button>
        {isLong && left > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={split}>
            <Trans>Split at sentences</Trans>
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" onClick={number}>
          {numbered ? <Trans>Remove the numbers</Trans> : <Trans>Number the parts</Trans>}
        </Button>
        <Text size="sm" c="dimmed">
          {left > 0 ? (
            <Trans>Three line breaks end a part. Other networks keep their own text.</Trans>
          ) : (
            <Plural value={most + 1} one="A thread has at most # part." other="A thread has at most # parts." />
          )}
        </Text>
      </div>
    </>
  )
}
