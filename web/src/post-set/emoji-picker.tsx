import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { SegmentedControl, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useIsWide } from '../frame/use-is-wide.ts'
import classes from './composer.module.css'
import { findEmojis, loadEmojiNames, type NamedEmoji } from './emoji-names.ts'
import { type EmojiKind, emojisOf } from './emojis.ts'

type Kind = EmojiKind | 'recent'

const RECENT = 'almanac.recent-emojis'
const MOST_RECENT = 24

/** Those that were written last in this browser, the last one first. */
function recentEmojis(): string[] {
  try {
    return (localStorage.getItem(RECENT) ?? '').split(' ').filter((sign) => sign !== '')
  } catch {
    return []
  }
}

function remember(emoji: string): void {
  try {
    const others = recentEmojis().filter((each) => each !== emoji)
    localStorage.setItem(RECENT, [emoji, ...others].slice(0, MOST_RECENT).join(' '))
  } catch {
    // Switched off: then none are remembered.
  }
}

interface EmojiPickerProps {
  onPick: (emoji: string) => void
}

/** A grid of emojis by their kinds, those that were used last first, or of those that are called as was typed. */
export function EmojiPicker({ onPick }: EmojiPickerProps) {
  const { t } = useLingui()
  const [kind, setKind] = useState<Kind>(() => (recentEmojis().length > 0 ? 'recent' : 'faces'))
  const [typed, setTyped] = useState('')
  const named = useNames()
  const field = useRef<HTMLInputElement>(null)
  // A phone would cover them with its keyboard.
  const isWide = useIsWide()
  useEffect(() => {
    if (isWide) field.current?.focus()
  }, [isWide])
  const names = useMemo(() => new Map(named.map(({ emoji, name }) => [emoji, name])), [named])
  const searching = typed.trim() !== ''
  const emojis = useMemo(() => {
    if (searching) return findEmojis(named, typed).map(({ emoji }) => emoji)
    return kind === 'recent' ? recentEmojis() : emojisOf(kind)
  }, [kind, named, searching, typed])
  const pick = (emoji: string) => {
    remember(emoji)
    onPick(emoji)
  }
  const kinds: { value: Kind; label: string }[] = [
    ...(recentEmojis().length > 0 ? [{ value: 'recent' as const, label: t`Last used` }] : []),
    { value: 'faces', label: t`Faces` },
    { value: 'people', label: t`People` },
    { value: 'nature', label: t`Nature` },
    { value: 'food', label: t`Food` },
    { value: 'things', label: t`Things` },
    { value: 'signs', label: t`Signs` },
  ]
  return (
    <div>
      <TextInput
        ref={field}
        type="search"
        size="xs"
        mb="xs"
        aria-label={t`Search emojis`}
        placeholder={t`Search emojis`}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          // Nothing around it is sent.
          event.preventDefault()
          const [first] = emojis
          if (searching && first !== undefined) pick(first)
        }}
      />
      {!searching && (
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t`Kind of emoji`}
          data={kinds}
          value={kind}
          onChange={(value) => setKind(value as Kind)}
        />
      )}
      <section className={classes.emojis} aria-label={t`Emojis`}>
        {emojis.map((emoji) => (
          <UnstyledButton key={emoji} className={classes.emoji} title={names.get(emoji)} onClick={() => pick(emoji)}>
            {emoji}
          </UnstyledButton>
        ))}
      </section>
      {searching && emojis.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          <Trans>No emoji found.</Trans>
        </Text>
      )}
    </div>
  )
}

/** The emojis with their names; none until they are there. Without them there are the kinds. */
function useNames(): readonly NamedEmoji[] {
  const [named, setNamed] = useState<readonly NamedEmoji[]>([])
  useEffect(() => {
    let closed = false
    loadEmojiNames().then(
      (found) => !closed && setNamed(found),
      () => {},
    )
    return () => {
      closed = true
    }
  }, [])
  return named
}
