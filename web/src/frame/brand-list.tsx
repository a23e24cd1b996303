import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangleFilled, IconCheck, IconLayoutGrid, IconPlus, IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { BrandFace } from './brand-face.tsx'
import classes from './brand-list.module.css'
import { needsReconnecting } from './social-sets.ts'

/** Fewer are seen at a glance. */
const SEARCHED_FROM = 7

interface BrandListProps {
  sets: readonly SocialSet[]
  chosen: string | undefined
  onChoose: (socialSet: SocialSet) => void
  /** All of them are looked at; absent where one is wanted. */
  all?: { chosen: boolean; choose: () => void }
  /** Leads to a new brand; absent where one of those that there are is wanted. */
  onLeave?: () => void
}

/** All brands that the member sees, with a field to find one of many, and the way to a new one. */
export function BrandList({ sets, chosen, onChoose, all, onLeave }: BrandListProps) {
  const manages = useMay('social-sets:manage')
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const wanted = text.trim().toLocaleLowerCase()
  const found = sets.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const searched = sets.length >= SEARCHED_FROM
  /** Has the focus at first, where there is no field. */
  const first = chosen ?? (all ? undefined : sets[0]?.id)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between what is in it
    <div ref={box} onKeyDown={(event) => moveByArrows(event, box.current)}>
      {searched && (
        <TextInput
          type="search"
          data-autofocus
          aria-label={t`Find a brand`}
          placeholder={t`Find a brand`}
          leftSection={<IconSearch size={16} aria-hidden />}
          mb={4}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
          onKeyDown={(event) => {
            const [first] = found
            if (event.key !== 'Enter' || !first) return
            event.preventDefault()
            onChoose(first)
          }}
        />
      )}
      <ul className={classes.brands} aria-label={t`Brands`}>
        {all && wanted === '' && (
          <li>
            <UnstyledButton
              className={classes.brand}
              aria-current={all.chosen ? 'true' : undefined}
              onClick={all.choose}
              {...(!searched && all.chosen ? { 'data-autofocus': true } : {})}
            >
              <span className={classes.plus}>
                <IconLayoutGrid size={18} aria-hidden />
              </span>
              <span className={classes.name}>
                <Trans>All brands</Trans>
              </span>
              {all.chosen && <IconCheck size={16} aria-hidden />}
            </UnstyledButton>
          </li>
        )}
        {found.map((set) => (
          <li key={set.id}>
            <UnstyledButton
              className={classes.brand}
              aria-current={set.id === chosen ? 'true' : undefined}
              onClick={() => onChoose(set)}
              {...(!searched && set.id === first ? { 'data-autofocus': true } : {})}
            >
              <BrandFace brand={set} />
              <span className={classes.name} dir="auto">
                {set.name}
              </span>
              {needsReconnecting(set) && (
                <span className={classes.warning} title={t`An account must be reconnected`}>
                  <IconAlertTriangleFilled size={14} aria-hidden />
                  <VisuallyHidden>
                    <Trans>An account must be reconnected, </Trans>
                  </VisuallyHidden>
                </span>
              )}
              {set.id === chosen && <IconCheck size={16} aria-hidden />}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <Text size="sm" p="xs" role="status">
          <Trans>No brand is called that.</Trans>
        </Text>
      )}
      {manages && onLeave && (
        <UnstyledButton
          className={`${classes.brand} ${classes.new}`}
          onClick={() => {
            onLeave()
            void navigate({ to: '/settings/social-sets', search: { new: 'yes' } })
          }}
        >
          <span className={classes.plus}>
            <IconPlus size={16} aria-hidden />
          </span>
          <Trans>New brand</Trans>
        </UnstyledButton>
      )}
    </div>
  )
}

/** Up and down move between the field and the buttons. */
function moveByArrows(event: KeyboardEvent, box: HTMLElement | null): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0 || !box) return
  event.preventDefault()
  const stops = [...box.querySelectorAll<HTMLElement>('input, button')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops.at((at + by + stops.length) % stops.length)?.focus()
}
