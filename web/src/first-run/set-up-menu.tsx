import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconExternalLink } from '@tabler/icons-react'
import type { ConnectableType } from '#contract'
import { basePath } from '../api/base.ts'
import { useSession } from '../api/session.ts'
import { networkName } from '../design/network-icon.tsx'
import { RouterMenuItem } from '../frame/links.tsx'

/**
 * The networks whose app is not set up here: where operators enter it, for all others how it is set up. Nothing when all
 * are.
 */
export function SetUpMenu({ types }: { types: readonly ConnectableType[] }) {
  const { t } = useLingui()
  const { operator } = useSession()
  const missing = types.filter(({ configured }) => !configured)
  if (missing.length === 0) return null
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <Trans>Set up a network</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {missing.map(({ accountType, network }) => {
          const name = networkName(accountType)
          if (operator) {
            return (
              <RouterMenuItem key={accountType} to="/settings/network-apps" search={{ app: network }}>
                {name}
              </RouterMenuItem>
            )
          }
          return (
            <Menu.Item
              key={accountType}
              component="a"
              href={`${basePath}/docs/networks/${network}`}
              target="_blank"
              rel="noopener"
              rightSection={<IconExternalLink size={14} aria-hidden />}
              aria-label={t`How to set up ${name} (new tab)`}
            >
              {name}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
