import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Popover, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconLayoutGrid, IconSelector } from '@tabler/icons-react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { SocialSet } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { followBrands } from '../api/events.ts'
import { Part } from '../design/part.tsx'
import { BrandFace } from '../frame/brand-face.tsx'
import { changedSearch } from '../frame/search.ts'
import { chooseAllBrands, chooseSocialSet, useAllBrands, useSocialSet } from '../frame/social-sets.ts'
import classes from './social-set-switcher.module.css'

// The brand that is looked at is there before another one is wanted.
const BrandList = lazyWithWords(() =>
  import('../frame/brand-list.tsx').then(({ BrandList }) => ({ default: BrandList })),
)

/** Which social set is looked at. At the top of the rail, and in the header of narrow screens. */
export function SocialSetSwitcher({ rail = false }: { rail?: boolean }) {
  const { socialSet, sets } = useSocialSet()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const all = useAllBrands()
  const id = all ? undefined : socialSet?.id
  /** Changes of these are listened to. */
  const ids = all ? sets?.map((set) => set.id).join() : undefined
  const named = 'set' in search || pathname.startsWith('/scheduling/') || pathname.startsWith('/drafts')
  useEffect(() => {
    if (ids !== undefined) {
      followBrands(null, ids)
      // The links around it lead to what is shown here, also when that came by an address.
      if (named) chooseAllBrands()
    }
    if (id === undefined) return
    followBrands(id)
    if (named) chooseSocialSet(id)
  }, [id, ids, named])
  // Its place is kept, so that what stands below does not jump when it comes.
  if (!sets) return <div className={`${classes.place} ${rail ? classes.rail : ''}`} />
  if (sets.length === 0) return null

  const chooseAll = () => {
    setOpened(false)
    chooseAllBrands()
    if (pathname === '/drafts') return void navigate({ to: '/drafts', search: {} })
    if (pathname.startsWith('/scheduling/')) {
      return void navigate({
        to: '.',
        search: (search) => changedSearch(search, { set: undefined, post: undefined, note: undefined }),
      })
    }
    // Screens of one brand have none of all.
    if (['/media', '/connections', '/settings/calendars'].includes(pathname)) {
      void navigate({ to: '/scheduling/calendar/$view', params: { view: 'month' }, search: {} })
    }
  }
  const choose = ({ id }: SocialSet) => {
    setOpened(false)
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
    <Popover
      opened={opened}
      onChange={setOpened}
      position={rail ? 'right-start' : 'bottom-start'}
      width={280}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <UnstyledButton
          className={rail ? classes.rail : classes.switcher}
          title={all ? t`All brands` : socialSet?.name}
          onClick={() => setOpened((shown) => !shown)}
        >
          {all ? (
            <span className={classes.all} data-rail={rail || undefined}>
              <IconLayoutGrid size={rail ? 22 : 18} aria-hidden />
            </span>
          ) : (
            socialSet && <BrandFace brand={socialSet} size={rail ? 'l' : 'm'} />
          )}
          <span className={classes.named}>
            {all ? (
              <span className={classes.name}>
                <Trans>All brands</Trans>
              </span>
            ) : socialSet ? (
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
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={t`Brands`}>
        <Part>
          <BrandList
            sets={sets}
            chosen={id}
            onChoose={choose}
            onLeave={() => setOpened(false)}
            {...(sets.length > 1 ? { all: { chosen: all, choose: chooseAll } } : {})}
          />
        </Part>
      </Popover.Dropdown>
    </Popover>
  )
}
