import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Avatar, Button, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import type { AccountType, NetworkDescription, SocialSet } from '#contract'
import { useMay } from '../api/session.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { RouterButton } from '../frame/links.tsx'
import { AccountGroups } from './account-groups.tsx'
import classes from './composer.module.css'
import { newPost } from './draft.ts'
import type { Draft } from './draft-shape.ts'
import { lastNetworks } from './last-networks.ts'

interface AccountRowProps {
  socialSet: SocialSet
  networks: readonly NetworkDescription[]
  draft: Draft
  onChange: (posts: Draft['posts']) => void
}

/** Which accounts the post goes to. One that must be reconnected can be chosen for a draft, and says so. */
export function AccountRow({ socialSet, networks, draft, onChange }: AccountRowProps) {
  const { t } = useLingui()
  const may = useMay('connections:manage')
  const { accounts } = socialSet
  const chosen = draft.posts.map(({ accountType }) => accountType)
  const number = chosen.length
  const connected = accounts.map(({ type }) => type)
  // A post for an account that is gone stays until it is left out.
  const gone = [...new Set(chosen.filter((accountType) => !connected.includes(accountType)))]
  const last = lastNetworks('accounts', socialSet.id).filter((type) => connected.includes(type))
  const choose = (types: readonly AccountType[]) => {
    const kept = draft.posts.filter(({ accountType }) => types.includes(accountType))
    const added = types.flatMap((type) => {
      const network = networks.find(({ accountType }) => accountType === type)
      return network && !chosen.includes(type) ? [newPost(network)] : []
    })
    // In the order of the accounts, whatever was chosen first.
    const order = [...connected, ...gone]
    onChange([...kept, ...added].sort((a, b) => order.indexOf(a.accountType) - order.indexOf(b.accountType)))
  }
  const toggle = (type: AccountType) =>
    choose(chosen.includes(type) ? chosen.filter((each) => each !== type) : [...chosen, type])
  const [current, setCurrent] = useState(0)
  const stop = Math.min(current, accounts.length + gone.length - 1)
  const all = accounts.length > 0 && connected.every((type) => chosen.includes(type))
  return (
    <fieldset className={classes.plain}>
      <div className={classes.label}>
        <legend className={classes.legend}>
          <Trans>Post to</Trans>
        </legend>
        {accounts.length > 0 && (
          <Text span size="sm" c="dimmed">
            <Plural value={accounts.length} one={`${number} of # account`} other={`${number} of # accounts`} />
          </Text>
        )}
        <span className={classes.choices}>
          {accounts.length > 1 && (
            <Button variant="subtle" size="compact-xs" onClick={() => choose(all ? [] : [...connected, ...gone])}>
              {all ? t`None` : t`All`}
            </Button>
          )}
          {last.length > 0 && (
            <Button variant="subtle" size="compact-xs" onClick={() => choose(last)}>
              <Trans>Last used</Trans>
            </Button>
          )}
          {accounts.length > 1 && (
            <AccountGroups socialSetId={socialSet.id} connected={connected} chosen={chosen} onChoose={choose} />
          )}
        </span>
      </div>
      {accounts.length === 0 && <NoAccounts socialSet={socialSet} may={may} />}
      <div
        className={classes.accounts}
        role="toolbar"
        aria-label={t`Accounts`}
        onKeyDown={step}
        onFocus={({ currentTarget, target }) => setCurrent(placeIn(currentTarget, target))}
      >
        {accounts.map(({ id, type, name, status }, place) => (
          <Account
            key={id}
            type={type}
            isStop={place === stop}
            name={name}
            pressed={chosen.includes(type)}
            trouble={status === 'RECONNECT_REQUIRED' ? t`reconnect` : null}
            onClick={() => toggle(type)}
          />
        ))}
        {gone.map((type, place) => (
          <Account
            key={type}
            type={type}
            isStop={accounts.length + place === stop}
            name=""
            pressed
            trouble={t`not connected`}
            onClick={() => toggle(type)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function NoAccounts({ socialSet, may }: { socialSet: SocialSet; may: boolean }) {
  return (
    <div className={classes.label}>
      <Text size="sm">
        {may ? (
          <Trans>No account is connected yet.</Trans>
        ) : (
          <Trans>No account is connected yet. An admin can connect one.</Trans>
        )}
      </Text>
      {may && (
        <RouterButton to="/connections" search={{ set: socialSet.id }} size="compact-sm" variant="default">
          <Trans>Connect an account</Trans>
        </RouterButton>
      )}
    </div>
  )
}

const placeIn = (row: HTMLElement, account: Element) => Math.max(0, [...row.children].indexOf(account))

/** Arrows lead from account to account, around the ends; Tab leads on from all of them. */
function step(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: row, target, key } = event
  const count = row.children.length
  const from = placeIn(row, target as Element)
  const back = getComputedStyle(row).direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  const to = key === 'Home' ? 0 : key === 'End' ? count - 1 : key === back ? from - 1 : from + 1
  if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) return
  event.preventDefault()
  ;(row.children[(to + count) % count] as HTMLElement | undefined)?.focus()
}

interface AccountProps {
  type: AccountType
  /** Tab leads to it. */
  isStop: boolean
  /** Of the connected account. */
  name: string
  pressed: boolean
  /** What keeps posts from going out there. */
  trouble: string | null
  onClick: () => void
}

function Account({ type, isStop, name, pressed, trouble, onClick }: AccountProps) {
  const label = [networkName(type), name, trouble].filter(Boolean).join(', ')
  return (
    <Tooltip label={label}>
      <UnstyledButton
        className={classes.account}
        role="checkbox"
        tabIndex={isStop ? 0 : -1}
        aria-checked={pressed}
        aria-label={label}
        data-trouble={trouble !== null || undefined}
        onClick={onClick}
      >
        {/* What tells accounts apart is the network: most brands have one name on all of them. */}
        <Avatar size={40} radius="xl" variant={pressed ? 'light' : 'transparent'} aria-hidden>
          <NetworkIcon accountType={type} size={22} decorative />
        </Avatar>
        {name !== '' && (
          <span className={classes.accountLetter} aria-hidden>
            {[...name.trim()][0]?.toUpperCase()}
          </span>
        )}
      </UnstyledButton>
    </Tooltip>
  )
}
