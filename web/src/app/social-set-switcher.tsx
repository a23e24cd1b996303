import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangleFilled, IconCheck, IconSelector } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { SocialSet } from '#contract'
import { followSocialSet } from '../api/events.ts'
import { changedSearch } from '../frame/search.ts'
import { chooseSocialSet, needsReconnecting, useSocialSet } from '../frame/social-sets.ts'
import classes from './social-set-switcher.module.css'

/** Which social set is looked at. At the top of the rail, and in the header of narrow screens. */
export function SocialSetSwitcher({ rail = false }: { rail?: boolean }) {
  const { socialSet, sets } = useSocialSet()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const id = socialSet?.id
  useEffect(() => {
    if (id === undefined) return
    followSocialSet(id)
    // The links around it name none: they lead to the one that is shown here, also when an address had named it.
    chooseSocialSet(id)
  }, [id])
  // Its place is kept, so that what stands below does not jump when it comes.
  if (!sets) return <div className={`${classes.place} ${rail ? classes.rail : ''}`} />
  if (sets.length === 0) return null

  const choose = ({ id }: SocialSet) => {
    chooseSocialSet(id)
    // What is open is of the social set before.
    if (pathname === '/connections') return void navigate({ to: '/connections', search: { set: id } })
    if (pathname === '/drafts') return void navigate({ to: '/drafts', search: { set: id } })
    if (pathname === '/settings/calendars') return void navigate({ to: '/settings/calendars', search: { set: id } })
    if (pathname.startsWith('/scheduling/')) {
      void navigate({
        to: '.',
        search: (search) => changedSearch(search, { set: id, post: undefined, note: undefined }),
      })
    }
  }
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <UnstyledButton className={rail ? classes.rail : classes.switcher} title={socialSet?.name}>
          {socialSet && <Face socialSet={socialSet} />}
          <span className={classes.named}>
            {socialSet ? (
              <span className={classes.name} dir="auto">
                {socialSet.name}
              </span>
            ) : (
              <Text size="sm">
                <Trans>Choose a brand</Trans>
              </Text>
            )}
            <IconSelector size={rail ? 12 : 16} aria-hidden />
          </span>
          <VisuallyHidden>
            <Trans>, switch brand</Trans>
          </VisuallyHidden>
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
  return (
    <span className={classes.line}>
      <Face socialSet={socialSet} />
      <span className={classes.name} dir="auto">
        {socialSet.name}
      </span>
    </span>
  )
}

/** The first letter of the name, and a sign when an account of it needs something. */
function Face({ socialSet }: { socialSet: SocialSet }) {
  return (
    <span className={classes.face}>
      <span aria-hidden>{[...socialSet.name.trim()][0]?.toUpperCase()}</span>
      {needsReconnecting(socialSet) && (
        <span className={classes.warning} title={t`An account must be reconnected`}>
          <IconAlertTriangleFilled size={14} aria-hidden />
          <VisuallyHidden>
            <Trans>An account must be reconnected, </Trans>
          </VisuallyHidden>
        </span>
      )}
    </span>
  )
}
