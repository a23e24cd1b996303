import {
  IconAlertTriangleFilled,
  IconCircleCheck,
  IconCircleCheckFilled,
  IconCircleHalf2,
  IconClock,
  IconHourglass,
  IconInbox,
  IconInboxOff,
  IconLoader2,
  IconMessageReport,
  IconPencil,
  IconPlayerPause,
  type TablerIcon,
} from '@tabler/icons-react'
import type { CardState } from '#contract'
import classes from './card.module.css'

const ICONS: Readonly<Record<CardState, TablerIcon>> = {
  draft: IconPencil,
  pending: IconHourglass,
  'changes-requested': IconMessageReport,
  approved: IconCircleCheck,
  scheduled: IconClock,
  held: IconPlayerPause,
  publishing: IconLoader2,
  published: IconCircleCheckFilled,
  'partly-published': IconCircleHalf2,
  'in-inbox': IconInbox,
  'not-finished': IconInboxOff,
  failed: IconAlertTriangleFilled,
}

/** The sign of a state; its word stands elsewhere. */
export function StateIcon({ state, size = 14 }: { state: CardState; size?: number }) {
  const Icon = ICONS[state]
  return <Icon size={size} aria-hidden className={classes.state} data-state={state} />
}
