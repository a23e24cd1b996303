import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { NetworkDescription, ProblemEntry } from '#contract'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { RouterButton } from '../frame/links.tsx'
import classes from './composer.module.css'
import type { Draft } from './draft-shape.ts'
import { fixLabel, warningWords, wordsOfAll } from './fix-words.ts'
import { type Fix, fixesOf, fixesOfAll, postOf } from './fixes.ts'

interface ProblemRowsProps {
  socialSetId: string
  draft: Draft
  networks: readonly NetworkDescription[]
  entries: readonly ProblemEntry[]
  onFix: (problem: ProblemEntry, fixes: readonly Fix[]) => void
}

/** What stops the post, a line for each network, with the buttons that fix it. */
export function ProblemRows({ socialSetId, draft, networks, entries, onFix }: ProblemRowsProps) {
  const { t } = useLingui()
  if (entries.length === 0) return null
  return (
    <section className={classes.problems} aria-label={t`Problems`}>
      {byPost(entries).map(([first, ...others]) => {
        const all = [first, ...others]
        const network = networkOf(networks, first)
        const buttons = byLabel(fixesOfAll(draft, network, all), first)
        return (
          <div key={keyOf(first)} className={classes.problem} data-problem tabIndex={-1}>
            <Sign problem={first} />
            <p>
              <Name problem={first} />
              {wordsOfAll(all, network)}
            </p>
            <span className={classes.fixes}>
              {buttons.map(({ label, fixes }, index) =>
                fixes.some(({ kind }) => kind === 'reconnect') ? (
                  <RouterButton
                    key={label}
                    to="/connections"
                    search={{ set: socialSetId }}
                    size="compact-sm"
                    variant="subtle"
                  >
                    <Trans>Reconnect</Trans>
                  </RouterButton>
                ) : (
                  <FixButton
                    key={label}
                    label={label}
                    isBest={index === buttons.length - 1}
                    onClick={() => onFix(first, fixes)}
                  />
                ),
              )}
            </span>
          </div>
        )
      })}
    </section>
  )
}

/** What is worth knowing and stops nothing, a line each. */
export function WarningRows({ draft, networks, entries, onFix }: Omit<ProblemRowsProps, 'socialSetId'>) {
  const { t } = useLingui()
  if (entries.length === 0) return null
  return (
    <section className={classes.problems} aria-label={t`Worth knowing`}>
      {entries.map((warning) => {
        const network = networkOf(networks, warning)
        // A post is not left out for what is only advised.
        const crop = fixesOf(draft, network, warning).find(({ kind }) => kind === 'crop')
        return (
          <div key={keyOf(warning)} className={classes.problem} data-warning>
            <IconInfoCircle size={14} aria-hidden />
            <p>
              <Name problem={warning} />
              {warningWords(warning, network)}
            </p>
            {crop && <FixButton label={fixLabel(crop, warning)} isBest onClick={() => onFix(warning, [crop])} />}
          </div>
        )
      })}
    </section>
  )
}

const networkOf = (networks: readonly NetworkDescription[], { accountType }: ProblemEntry) =>
  networks.find((each) => each.accountType === accountType)

/** Those of one post together, where the first of them is; what is about no post alone. */
function byPost(entries: readonly ProblemEntry[]): [ProblemEntry, ...ProblemEntry[]][] {
  const groups: [ProblemEntry, ...ProblemEntry[]][] = []
  for (const entry of entries) {
    const post = postOf(entry)
    const group = post === null ? undefined : groups.find(([first]) => postOf(first) === post)
    if (group) group.push(entry)
    else groups.push([entry])
  }
  return groups
}

/** One button for what is called the same: two pictures are cropped by one click. */
function byLabel(fixes: readonly Fix[], problem: ProblemEntry): { label: string; fixes: Fix[] }[] {
  const buttons: { label: string; fixes: Fix[] }[] = []
  for (const fix of fixes) {
    const label = fixLabel(fix, problem)
    const same = buttons.find((button) => button.label === label)
    if (same) same.fixes.push(fix)
    else buttons.push({ label, fixes: [fix] })
  }
  return buttons
}

function FixButton({ label, isBest, onClick }: { label: string; isBest: boolean; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant={isBest ? 'default' : 'subtle'} onClick={onClick}>
      {label}
    </Button>
  )
}

function Name({ problem: { accountType } }: { problem: ProblemEntry }) {
  return accountType && <b>{networkName(accountType)}: </b>
}

function Sign({ problem: { accountType } }: { problem: ProblemEntry }) {
  return accountType ? (
    <NetworkIcon accountType={accountType} size={14} decorative />
  ) : (
    <IconAlertTriangle size={14} aria-hidden />
  )
}

const keyOf = ({ path, code, message }: ProblemEntry) => `${path} ${code} ${message}`
