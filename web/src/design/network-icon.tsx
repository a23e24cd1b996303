import { t } from '@lingui/core/macro'
import {
  IconBrandBluesky,
  IconBrandFacebook,
  IconBrandGoogle,
  IconBrandInstagram,
  IconBrandLinkedin,
  IconBrandPinterest,
  IconBrandThreads,
  IconBrandTiktok,
  IconBrandX,
  IconBrandYoutube,
  type TablerIcon,
} from '@tabler/icons-react'
import type { AccountType } from '#contract'

/** What people call each account type, and its sign. */
export const networkLooks = {
  INSTAGRAM: { name: 'Instagram', Icon: IconBrandInstagram },
  FACEBOOK: { name: 'Facebook', Icon: IconBrandFacebook },
  TWITTER: { name: 'X', Icon: IconBrandX },
  LINKEDIN_PAGE: {
    get name() {
      return t`LinkedIn page`
    },
    Icon: IconBrandLinkedin,
  },
  LINKEDIN_PERSONAL: {
    get name() {
      return t`LinkedIn profile`
    },
    Icon: IconBrandLinkedin,
  },
  GMB: { name: 'Google Business', Icon: IconBrandGoogle },
  PINTEREST: { name: 'Pinterest', Icon: IconBrandPinterest },
  TIKTOK: { name: 'TikTok', Icon: IconBrandTiktok },
  YOUTUBE: { name: 'YouTube', Icon: IconBrandYoutube },
  THREADS: { name: 'Threads', Icon: IconBrandThreads },
  BLUESKY: { name: 'Bluesky', Icon: IconBrandBluesky },
} as const satisfies Record<AccountType, { name: string; Icon: TablerIcon }>

/** Whether a text is an account type that this page knows. */
export const isNetwork = (text: string): text is AccountType => text in networkLooks

/** What people call an account type: "LinkedIn page". */
export function networkName(accountType: AccountType): string {
  return networkLooks[accountType].name
}

/** The sign of a network. Its name is read aloud, unless `decorative`: the name stands beside it. */
export function NetworkIcon({ accountType, size = 18, decorative = false }: NetworkIconProps) {
  const { name, Icon } = networkLooks[accountType]
  return decorative ? <Icon size={size} aria-hidden /> : <Icon size={size} role="img" aria-label={name} />
}

interface NetworkIconProps {
  accountType: AccountType
  /** Pixels. */
  size?: number
  decorative?: boolean
}
