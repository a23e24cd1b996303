import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Button, Group, Menu, Text, Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconChecks,
  IconChevronDown,
  IconClock,
  IconPencil,
  IconSend,
  IconShieldCheck,
} from '@tabler/icons-react'
import { type ReactNode, useCallback, useState } from 'react'
import type { Hold, PostOptions, SocialSet } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { useMay } from '../api/session.ts'
import { keepHeight } from '../design/keep-height.ts'
import { Part } from '../design/part.tsx'
import type { AgreeingNetwork } from '../planning/agreements/agreement.ts'
import classes from './composer.module.css'
import { stoppedWords } from './stopped.ts'

const Declaration = lazyWithWords(() =>
  import('../planning/agreements/declaration.tsx').then(({ Declaration }) => ({ default: Declaration })),
)
const RuleDialog = lazyWithWords(() => import('./rule-dialog.tsx').then(({ RuleDialog }) => ({ default: RuleDialog })))

/** How a post can be left. */
export type Ending = 'schedule' | 'publish' | 'draft' | 'request' | 'request-client'

interface ComposerFooterProps {
  socialSet: SocialSet
  endings: readonly Ending[]
  /** The one that the button does. */
  primary: Ending
  labels: Record<Ending, { label: string; about: string }>
  /** The one that is being done. */
  busy: Ending | null
  problems: number
  /** Why nothing can be scheduled or published as it is decided now; null when it can. */
  blocked: string | null
  /** What networks have people agree to, each with the choices for its post. */
  declared: readonly { network: AgreeingNetwork; options: PostOptions }[]
  /** Why nothing can be saved; null when it can. */
  why: string | null
  about: ReactNode
  onProblems: () => void
  onEnd: (ending: Ending) => void
}

const TOOLTIP_EVENTS = { hover: true, focus: true, touch: true }

const ICONS = {
  schedule: IconClock,
  publish: IconSend,
  draft: IconPencil,
  request: IconChecks,
  'request-client': IconChecks,
} as const

/** One button for what is done most, the other endings in its menu, and the way to what is in its way. */
export function ComposerFooter(props: ComposerFooterProps) {
  const { socialSet, endings, primary, labels, busy, problems, blocked, declared, why, about, onProblems, onEnd } =
    props
  const { t } = useLingui()
  const mayRule = useMay('social-sets:manage')
  const [ruling, setRuling] = useState(false)
  // Messages stand above it.
  const foot = useCallback((element: HTMLElement | null) => (element ? keepHeight(element, '--foot') : undefined), [])
  const goesOut = (ending: Ending) => ending === 'schedule' || ending === 'publish'
  const isBlocked = (ending: Ending) => blocked !== null && goesOut(ending)
  const isInTheWay = problems > 0 && goesOut(primary)
  return (
    <footer ref={foot} className={classes.foot}>
      {declared.length > 0 && (
        <div className={classes.declared}>
          <Part>
            {declared.map((each) => (
              <Declaration key={each.network.accountType} {...each} />
            ))}
          </Part>
        </div>
      )}
      {problems > 0 && (
        <Button
          variant="light"
          color="red"
          leftSection={<IconAlertTriangle size={16} aria-hidden />}
          onClick={onProblems}
        >
          <Plural value={problems} one="# problem" other="# problems" />
        </Button>
      )}
      <Text size="sm" c="dimmed" className={classes.footAbout}>
        {why ?? (isBlocked(primary) ? blocked : isInTheWay ? <Trans>Fix this before it goes out.</Trans> : about)}
      </Text>
      <Group gap={1} wrap="nowrap" className={classes.end}>
        <Tooltip label={blocked} disabled={!isBlocked(primary)} multiline maw={280} events={TOOLTIP_EVENTS}>
          <Button
            className={classes.endMain}
            loading={busy === primary}
            disabled={busy !== null}
            // It says why it does nothing, so it is reached and pressed all the same.
            {...(isBlocked(primary) ? { 'data-disabled': true, 'aria-disabled': true } : {})}
            aria-keyshortcuts={primary === 'draft' ? 'Control+S Meta+S' : 'Control+Enter Meta+Enter'}
            onClick={() => onEnd(primary)}
          >
            {labels[primary].label}
          </Button>
        </Tooltip>
        <Menu position="top-end" width={292}>
          <Menu.Target>
            <Button
              className={classes.endMore}
              px={8}
              aria-label={t`More options`}
              loading={busy !== null && busy !== primary}
              disabled={busy !== null}
            >
              <IconChevronDown size={16} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {endings.map((ending) => {
              const Icon = ICONS[ending]
              return (
                <Menu.Item
                  key={ending}
                  leftSection={<Icon size={16} aria-hidden />}
                  disabled={isBlocked(ending)}
                  onClick={() => onEnd(ending)}
                >
                  {labels[ending].label}
                  <Text size="xs" c="dimmed">
                    {labels[ending].about}
                  </Text>
                </Menu.Item>
              )
            })}
            {mayRule && (
              <>
                <Menu.Divider />
                <Menu.Item leftSection={<IconShieldCheck size={16} aria-hidden />} onClick={() => setRuling(true)}>
                  <Trans>Approval rule…</Trans>
                  <Text size="xs" c="dimmed">
                    <Trans>Whose approval the posts of this brand need</Trans>
                  </Text>
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Part>{ruling && <RuleDialog socialSet={socialSet} onClose={() => setRuling(false)} />}</Part>
    </footer>
  )
}

interface WhatItDoesProps {
  ending: Ending
  /** What keeps it from going out. */
  stop: Hold | null
  /** The post waits for approval. */
  waits: boolean
  /** It was scheduled before. */
  scheduled: boolean
  when: string
  date: string
  accounts: number
}

/** What the button does: "Saved as a draft for 8 December 2026; the team is asked". */
export function WhatItDoes({ ending, stop, waits, scheduled, when, date, accounts }: WhatItDoesProps) {
  switch (ending) {
    case 'schedule':
    case 'publish':
      if (stop) return stoppedWords(stop)
      return (
        <Trans>
          Goes out {when} to <Plural value={accounts} one="# account" other="# accounts" />
        </Trans>
      )
    case 'request':
      return <Trans>Saved as a draft for {date}; the team is asked</Trans>
    case 'request-client':
      return <Trans>Saved as a draft for {date}; the client is asked</Trans>
    case 'draft':
      if (scheduled) return <Trans>Leaves the schedule and is saved as a draft for {date}</Trans>
      if (waits) return <Trans>Saved as a draft for {date}; it goes on waiting</Trans>
      return <Trans>Saved as a draft for {date}; it does not go out</Trans>
  }
}
