import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type LinkOf<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> }

// Mantine's links that know the router's addresses: `<RouterAnchor to="/settings/labels">`.

/** A link in a text. */
export const RouterAnchor = createLink((props: LinkOf<AnchorProps>) => <Anchor {...props} />)

/** A link that looks like a button. */
export const RouterButton = createLink((props: LinkOf<ButtonProps>) => <Button component="a" {...props} />)

/** An entry of a navigation. */
export const RouterNavLink = createLink((props: LinkOf<NavLinkProps>) => <NavLink {...props} />)

/** An entry of a menu that leads to another screen. */
export const RouterMenuItem = createLink((props: LinkOf<MenuItemProps>) => <Menu.Item component="a" {...props} />)
