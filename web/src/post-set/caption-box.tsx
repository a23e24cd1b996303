import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Popover, Text, Textarea } from '@mantine/core'
import { IconHash, IconMoodSmile } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { CaptionCount, SocialSet } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { isFocusLost } from '../design/opener.ts'
import { Part } from '../design/part.tsx'
import { MarkedText } from '../planning/files/marked-text.tsx'
import classes from './composer.module.css'
import { CountsRow } from './counts-row.tsx'
import { HashtagMenu } from './hashtag-menu.tsx'

const EmojiPicker = lazyWithWords(() =>
  import('./emoji-picker.tsx').then(({ EmojiPicker }) => ({ default: EmojiPicker })),
)

interface CaptionBoxProps {
  socialSet: SocialSet
  label: string
  value: string
  counts: readonly CaptionCount[]
  /** So much of its start may stay, in UTF-16 code units; null: all of it. */
  fits: number | null
  /** There are networks to count for: what they count comes in a moment. */
  counted: boolean
  /** Why it cannot go out so; shown once the text was left. */
  error: string | null
  /** Takes the focus when the dialog opens. */
  autofocus?: boolean
  /** Few lines to begin with. */
  short?: boolean
  /** Backspace before the first letter. */
  onJoin?: () => void
  /** What is beside the tools. */
  children?: ReactNode
  onChange: (caption: string) => void
  onBlur: () => void
}

/** A caption, with what is left of it on each network. How long it is, the server's check says: each counts in its way. */
export function CaptionBox(props: CaptionBoxProps) {
  const { socialSet, label, value, counts, fits, counted, error, autofocus = false, short = false, children } = props
  const { onChange, onJoin, onBlur } = props
  const { t } = useLingui()
  const field = useRef<HTMLTextAreaElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const [emojis, setEmojis] = useState(false)
  const about = useId()
  const insert = (text: string, between = '') => {
    const { selectionStart: from = value.length, selectionEnd: to = value.length } = field.current ?? {}
    const before = value.slice(0, from)
    const space = between !== '' && before !== '' && !/\s$/.test(before) ? between : ''
    onChange(`${before}${space}${text}${value.slice(to)}`)
    const end = from + space.length + text.length
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(end, end)
    })
  }
  return (
    <div>
      <div className={classes.box} data-wrong={error !== null || undefined}>
        <div className={classes.writing}>
          <Marks text={value} fits={fits ?? value.length} field={field} />
          <Textarea
            ref={field}
            aria-label={label}
            aria-describedby={error ? about : undefined}
            aria-invalid={error !== null || undefined}
            variant="unstyled"
            className={classes.text}
            placeholder={t`What do you want to say?`}
            dir="auto"
            value={value}
            autosize
            data-autofocus={autofocus || undefined}
            minRows={short ? 3 : 5}
            maxRows={16}
            onChange={(event) => onChange(event.currentTarget.value)}
            onKeyDown={(event) => {
              const { selectionStart, selectionEnd } = event.currentTarget
              if (!onJoin || event.key !== 'Backspace' || selectionStart !== 0 || selectionEnd !== 0) return
              event.preventDefault()
              onJoin()
            }}
            onBlur={onBlur}
          />
        </div>
        <div className={classes.tools}>
          <Popover
            opened={emojis}
            onChange={setEmojis}
            position="bottom-start"
            width={320}
            trapFocus
            onExitTransitionEnd={() => isFocusLost() && opener.current?.focus()}
          >
            <Popover.Target>
              <ActionIcon
                ref={opener}
                variant="subtle"
                color="gray"
                size="md"
                aria-label={t`Emoji`}
                onClick={() => setEmojis((shown) => !shown)}
              >
                <IconMoodSmile size={18} aria-hidden />
              </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown aria-label={t`Emoji`} p="xs" data-mantine-stop-propagation="true">
              <Part>
                {emojis && (
                  <EmojiPicker
                    onPick={(emoji) => {
                      setEmojis(false)
                      insert(emoji)
                    }}
                  />
                )}
              </Part>
            </Popover.Dropdown>
          </Popover>
          <HashtagMenu socialSet={socialSet} caption={value} onInsert={(tags) => insert(tags, ' ')}>
            <ActionIcon variant="subtle" color="gray" size="md" aria-label={t`Hashtags`}>
              <IconHash size={18} aria-hidden />
            </ActionIcon>
          </HashtagMenu>
          {children}
          <span className={classes.spacer} />
          {counted && (
            <Text span size="xs" c="dimmed">
              <Trans>Characters left</Trans>
            </Text>
          )}
        </div>
        {counted && <CountsRow counts={counts} />}
      </div>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4} id={about}>
          {error}
        </Text>
      )}
    </div>
  )
}

/**
 * Tints hashtags, mentions, addresses and what is too much behind the field, which draws all of its text itself: typing, selecting and what is
 * read aloud are as without it.
 */
function Marks({ text, fits, field }: { text: string; fits: number; field: RefObject<HTMLTextAreaElement | null> }) {
  const marks = useRef<HTMLDivElement>(null)
  const follow = () => {
    const { current: from } = field
    if (!from || !marks.current) return
    // Without the bar that a long text is scrolled by.
    marks.current.style.width = `${from.clientWidth}px`
    marks.current.scrollTop = from.scrollTop
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field grows with the text
  useLayoutEffect(follow, [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is the same one as long as this is there
  useEffect(() => {
    const { current: from } = field
    if (!from) return
    const sizes = new ResizeObserver(follow)
    sizes.observe(from)
    from.addEventListener('scroll', follow)
    return () => {
      sizes.disconnect()
      from.removeEventListener('scroll', follow)
    }
  }, [])
  return (
    <div ref={marks} className={classes.marks} dir="auto" aria-hidden>
      <MarkedText text={text.slice(0, fits)} as="mark" />
      {fits < text.length && (
        <mark className={classes.over} data-over>
          {text.slice(fits)}
        </mark>
      )}
      {/* A last empty line has no height without it. */}
      {'\n'}
    </div>
  )
}
