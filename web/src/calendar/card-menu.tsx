import { Menu } from '@mantine/core'
import type { CalendarCard } from '#contract'
import { PostSetMenuItems } from '../post-set-actions/post-set-menu.tsx'

/** Where the menu of a card is opened. */
export interface MenuPlace {
  id: string
  x: number
  y: number
}

interface CardMenuProps {
  place: MenuPlace
  card: CalendarCard
  onOpen: (id: string) => void
  /** `chosen`: an entry was chosen, which takes care of the focus itself. */
  onClose: () => void
}

/** The menu of a card in a grid: one for all cards, at the place that it was asked for. */
export function CardMenu({ place, card, onOpen, onClose }: CardMenuProps) {
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      withinPortal
      width={220}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: place.x, top: place.y, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown>
        <PostSetMenuItems subject={card} onOpen={() => onOpen(card.id)} />
      </Menu.Dropdown>
    </Menu>
  )
}
