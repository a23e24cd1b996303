import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconBolt, IconCheck, IconLink } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { SocialSet } from '#contract'
import { change } from '../api/change.ts'
import { useMay, usePreferences } from '../api/session.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { showError } from '../design/toast.tsx'
import { RouterButton } from '../frame/links.tsx'
import { connectionsQuery } from '../planning/brands/connections-query.ts'
import { weekdayOf } from '../planning/dates/titles.ts'
import { firstDayOfWeek, zoneChip } from '../time/zones.ts'
import classes from './first-run.module.css'
import { SamplePictures } from './sample-pictures.tsx'
import { SetUpMenu } from './set-up-menu.tsx'

/** Three steps to the first post of a brand. Which of them are done is read from what there is. */
export function FirstSteps({ socialSet, onHide }: { socialSet: SocialSet; onHide: () => void }) {
  const heading = useId()
  const connected = socialSet.accounts.length > 0
  return (
    <div className={classes.place}>
      <section className={classes.card} aria-labelledby={heading}>
        <h2 id={heading}>
          <Trans>Let’s put your first post on the calendar</Trans>
        </h2>
        <p className={classes.lead}>
          <Trans>Three steps, about four minutes. You can change everything later.</Trans>
        </p>
        <ol className={classes.steps}>
          <Brand socialSet={socialSet} />
          <Accounts socialSet={socialSet} connected={connected} />
          <FirstPost socialSet={socialSet} connected={connected} />
        </ol>
        <div className={classes.after}>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={onHide}>
            <Trans>Hide</Trans>
          </Button>
        </div>
      </section>
    </div>
  )
}

type State = 'done' | 'now' | 'next'

interface StepProps {
  number: number
  state: State
  title: string
  words: ReactNode
  action?: ReactNode
  children?: ReactNode
}

function Step({ number, state, title, words, action, children }: StepProps) {
  const { t } = useLingui()
  return (
    <li className={classes.step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={classes.number}>
        {state === 'done' ? <IconCheck size={16} role="img" aria-label={t`Done`} /> : number}
      </span>
      <div>
        <h3>{title}</h3>
        <p>{words}</p>
      </div>
      {action}
      {children}
    </li>
  )
}

function Brand({ socialSet: { name, timezone } }: { socialSet: SocialSet }) {
  const { t } = useLingui()
  const mayManage = useMay('social-sets:manage')
  const preferences = usePreferences()
  const zone = zoneChip(timezone, new Date().toISOString())
  const day = weekdayOf(firstDayOfWeek(preferences), preferences.locale)
  return (
    <Step
      number={1}
      state="done"
      title={t`Brand and time zone`}
      words={t`${name}, ${zone}, week starts on ${day}`}
      action={
        mayManage && (
          <RouterButton to="/settings/social-sets" variant="subtle" color="gray" size="compact-sm">
            <Trans>Change</Trans>
          </RouterButton>
        )
      }
    />
  )
}

function Accounts({ socialSet, connected }: { socialSet: SocialSet; connected: boolean }) {
  const { t } = useLingui()
  const mayConnect = useMay('connections:manage')
  const { data } = useQuery({ ...connectionsQuery(socialSet.id), enabled: mayConnect && !connected })
  const connecting = useMutation({
    mutationFn: () => change('POST /connections/sandbox', { body: { socialSetId: socialSet.id } }),
    onError: showError,
  })
  if (connected) {
    return (
      <Step
        number={2}
        state="done"
        title={t`Accounts`}
        words={
          <span className={classes.networks}>
            {socialSet.accounts.map(({ id, type }) => (
              <NetworkIcon key={id} accountType={type} size={16} />
            ))}
          </span>
        }
        action={
          mayConnect && (
            <RouterButton
              to="/connections"
              search={{ set: socialSet.id }}
              variant="subtle"
              color="gray"
              size="compact-sm"
            >
              <Trans>Change</Trans>
            </RouterButton>
          )
        }
      />
    )
  }
  const demo = data?.accountTypes.filter(({ sandbox }) => sandbox) ?? []
  const ready = data?.accountTypes.some(({ configured }) => configured) ?? false
  return (
    <Step number={2} state="now" title={t`Accounts`} words={t`Where your posts go. You can mix both kinds.`}>
      <div className={classes.options}>
        {demo.length > 0 && (
          <div className={classes.option}>
            <strong>
              <IconBolt size={16} aria-hidden /> <Trans>Demo accounts</Trans>
            </strong>
            <p>
              <Trans>All networks at once, to try everything without risk. Posts stay on this computer.</Trans>
            </p>
            <span className={classes.networks}>
              {demo.map(({ accountType }) => (
                <NetworkIcon key={accountType} accountType={accountType} size={16} />
              ))}
            </span>
            <Button loading={connecting.isPending} onClick={() => connecting.mutate()}>
              <Trans>Use demo accounts</Trans>
            </Button>
          </div>
        )}
        <div className={classes.option}>
          <strong>
            <IconLink size={16} aria-hidden /> <Trans>Your own accounts</Trans>
          </strong>
          <p>
            {ready
              ? t`Bluesky takes a minute. Other networks need an app of yours first; the docs show how.`
              : t`Networks need an app of yours first; the docs show how.`}
          </p>
          <div className={classes.choices}>
            <RouterButton to="/connections" search={{ set: socialSet.id }} variant="default">
              <Trans>Connect an account</Trans>
            </RouterButton>
            {data && <SetUpMenu types={data.accountTypes} />}
          </div>
        </div>
      </div>
    </Step>
  )
}

function FirstPost({ socialSet, connected }: { socialSet: SocialSet; connected: boolean }) {
  const { t } = useLingui()
  return (
    <Step
      number={3}
      state={connected ? 'now' : 'next'}
      title={t`Your first post`}
      words={
        connected
          ? t`Take one of these pictures, or begin with your own. Nothing goes out before you schedule it.`
          : t`With a picture of ours, or your own.`
      }
      action={<SamplePictures socialSet={socialSet} enabled={connected} />}
    >
      {connected && (
        <div className={classes.buttons}>
          <RouterButton
            to="/scheduling/calendar/$view"
            params={{ view: 'month' }}
            search={{ set: socialSet.id, post: 'new' }}
            variant="default"
          >
            <Trans>Begin with an empty post</Trans>
          </RouterButton>
        </div>
      )}
    </Step>
  )
}
