import { Trans, useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type MouseEvent, useRef } from 'react'
import type { MediaTag } from '#contract'
import { CroppedImage } from '../planning/files/cropped-image.tsx'
import classes from './composer.module.css'
import type { DraftMedia } from './draft-shape.ts'

interface PeopleTagsProps {
  item: DraftMedia
  onChange: (tags: readonly MediaTag[]) => void
}

/** People on a picture: a click on it, or a place in numbers. */
export function PeopleTags({ item, onChange }: PeopleTagsProps) {
  const { t } = useLingui()
  const { tags } = item
  const added = useRef(false)
  const add = (x: number, y: number) => {
    added.current = true
    onChange([...tags, { x, y, text: '' }])
  }
  // Who was just clicked is named next.
  const focusAdded = (field: HTMLInputElement | null) => {
    if (!field || !added.current) return
    added.current = false
    field.focus()
  }
  const change = (index: number, part: Partial<MediaTag>) =>
    onChange(tags.map((tag, place) => (place === index ? { ...tag, ...part } : tag)))
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    add(rounded((event.clientX - left) / width), rounded((event.clientY - top) / height))
  }
  return (
    <Stack gap="xs">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: "Add a person" below does the same by keys */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <div className={classes.tagged} onClick={onClick}>
        <CroppedImage item={item} alt={item.altText} shaped />
        {tags.map(({ x, y, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two people may be in one place while they are written
          <span key={index} className={classes.tag} style={{ left: `${x * 100}%`, top: `${y * 100}%` }} aria-hidden>
            {text || index + 1}
          </span>
        ))}
      </div>
      <Text size="sm" c="dimmed">
        <Trans>Click a person on the picture, or add one below.</Trans>
      </Text>
      {tags.map(({ x, y, text }, index) => {
        const number = index + 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Group key={index} gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              ref={number === tags.length ? focusAdded : undefined}
              style={{ flex: 1 }}
              size="xs"
              label={t`Handle of person ${number}`}
              placeholder="anna.baker"
              value={text}
              onChange={(event) => change(index, { text: event.currentTarget.value.replace(/^@+/, '') })}
            />
            <PartField label={t`Horizontal position, %`} part={x} onChange={(x) => change(index, { x })} />
            <PartField label={t`Vertical position, %`} part={y} onChange={(y) => change(index, { y })} />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Remove person ${number}`}
              onClick={() => onChange(tags.filter((_, place) => place !== index))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        )
      })}
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => add(0.5, 0.5)}
        >
          <Trans>Add a person</Trans>
        </Button>
      </Group>
    </Stack>
  )
}

interface PartFieldProps {
  label: string
  /** 0 to 1 of a side. */
  part: number
  onChange: (part: number) => void
}

function PartField({ label, part, onChange }: PartFieldProps) {
  return (
    <NumberInput
      w={88}
      size="xs"
      label={label}
      min={0}
      max={100}
      value={Math.round(part * 100)}
      onChange={(value) => onChange(Number(value) / 100)}
    />
  )
}

const rounded = (part: number) => Math.min(1, Math.max(0, Math.round(part * 1_000) / 1_000))
