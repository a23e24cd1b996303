import { t } from '@lingui/core/macro'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'

interface ActionsMenuProps {
  name: string
  buttonRef?: Ref<HTMLButtonElement>
  /** Items of a menu. */
  children: ReactNode
}

/** What can be done to a thing of a list, behind one button. */
export function ActionsMenu({ name, buttonRef, children }: ActionsMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon {...(buttonRef ? { ref: buttonRef } : {})} aria-label={t`Actions for ${name}`} color="gray">
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
