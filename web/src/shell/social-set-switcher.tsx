import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangleFilled, IconCheck, IconSelector } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { SocialSet } from '#contract'
import { followSocialSet } from '../api/events.ts'
import { changedSearch } from './search.ts'
import classes from './social-set-switcher.module.css'
import { chooseSocialSet, needsReconnecting, useSocialSet } from './social-sets.ts'

/** Which social set is looked at. Stands at the top of the rail, and in the header of narrow screens. */
export function SocialSetSwitcher() {
  const { socialSet, sets } = useSocialSet()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const id = socialSet?.id
  useEffect(() => {
    if (id !== undefined) followSocialSet(id)
  }, [id])
  // Its place is kept, so that what stands below does not jump when it comes.
  if (!sets) return <div className={classes.place} />
  if (sets.length === 0) return null

  const choose = ({ id }: SocialSet) => {
    chooseSocialSet(id)
    // What is open is of the social set before.
    if (pathname === '/connections') return void navigate({ to: '/connections', search: { set: id } })
    if (pathname.startsWith('/scheduling/')) {
      void navigate({
        to: '.',
        search: (search) => changedSearch(search, { set: id, post: undefined, note: undefined }),
      })
    }
  }
  return (
    <Menu width="target" position="bottom-start" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.switcher}>
          {socialSet ? <SetLine socialSet={socialSet} /> : <Text size="sm">Choose a social set</Text>}
          <IconSelector size={16} aria-hidden />
          <VisuallyHidden>, switch social set</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown miw={220}>
        {sets.map((set) => (
          <Menu.Item
            key={set.id}
            onClick={() => choose(set)}
            aria-current={set.id === socialSet?.id ? 'true' : undefined}
            rightSection={set.id === socialSet?.id ? <IconCheck size={16} aria-hidden /> : undefined}
          >
            <SetLine socialSet={set} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function SetLine({ socialSet }: { socialSet: SocialSet }) {
  const warns = needsReconnecting(socialSet)
  return (
    <span className={classes.line}>
      <Avatar size={28} radius="sm" color="indigo" aria-hidden>
        {[...socialSet.name.trim()][0]?.toUpperCase()}
      </Avatar>
      <span className={classes.name}>{socialSet.name}</span>
      {warns && (
        <span className={classes.warning} title="An account needs to be connected again">
          <IconAlertTriangleFilled size={16} aria-hidden />
          <VisuallyHidden>, an account needs to be connected again</VisuallyHidden>
        </span>
      )}
    </span>
  )
}
