import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { NetworkDescription, ProblemEntry } from '#contract'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { RouterButton } from '../frame/links.tsx'
import classes from './composer.module.css'
import type { Draft } from './draft.ts'
import { fixLabel, namedWords, problemWords } from './fix-words.ts'
import { type Fix, fixesOf } from './fixes.ts'

interface ProblemRowsProps {
  socialSetId: string
  draft: Draft
  networks: readonly NetworkDescription[]
  problems: readonly ProblemEntry[]
  warnings: readonly ProblemEntry[]
  onFix: (problem: ProblemEntry, fix: Fix) => void
}

/** What stops the post, a line each, with the buttons that fix it; below it what is worth knowing. */
export function ProblemRows({ socialSetId, draft, networks, problems, warnings, onFix }: ProblemRowsProps) {
  const { t } = useLingui()
  if (problems.length + warnings.length === 0) return null
  const networkOf = ({ accountType }: ProblemEntry) => networks.find((each) => each.accountType === accountType)
  return (
    <section className={classes.problems} aria-label={t`Problems`}>
      {problems.map((problem) => (
        <div key={keyOf(problem)} className={classes.problem} data-problem tabIndex={-1}>
          <Sign problem={problem} />
          <p>
            {problem.accountType && <b>{networkName(problem.accountType)}: </b>}
            {problemWords(problem, networkOf(problem))}
          </p>
          <span className={classes.fixes}>
            {fixesOf(draft, networkOf(problem), problem).map((fix, index, all) =>
              fix.kind === 'reconnect' ? (
                <RouterButton
                  key={fix.kind}
                  to="/connections"
                  search={{ set: socialSetId }}
                  size="compact-sm"
                  variant="subtle"
                >
                  <Trans>Reconnect</Trans>
                </RouterButton>
              ) : (
                <FixButton key={fix.kind} {...{ problem, fix, onFix }} isBest={index === all.length - 1} />
              ),
            )}
          </span>
        </div>
      ))}
      {warnings.map((warning) => (
        <div key={keyOf(warning)} className={classes.problem} data-warning>
          <IconInfoCircle size={14} aria-hidden />
          <p>
            {warning.accountType && <b>{networkName(warning.accountType)}: </b>}
            {namedWords(warning, networkOf(warning))}
          </p>
          <span className={classes.fixes}>
            {fixesOf(draft, networkOf(warning), warning).map(
              (fix) =>
                // A post is not left out for what is only advised.
                fix.kind === 'crop' && <FixButton key={fix.kind} {...{ fix, onFix }} problem={warning} isBest />,
            )}
          </span>
        </div>
      ))}
    </section>
  )
}

interface FixButtonProps {
  problem: ProblemEntry
  fix: Fix
  isBest: boolean
  onFix: ProblemRowsProps['onFix']
}

function FixButton({ problem, fix, isBest, onFix }: FixButtonProps) {
  return (
    <Button size="compact-sm" variant={isBest ? 'default' : 'subtle'} onClick={() => onFix(problem, fix)}>
      {fixLabel(fix, problem)}
    </Button>
  )
}

function Sign({ problem: { accountType } }: { problem: ProblemEntry }) {
  return accountType ? (
    <NetworkIcon accountType={accountType} size={14} decorative />
  ) : (
    <IconAlertTriangle size={14} aria-hidden />
  )
}

const keyOf = ({ path, code, message }: ProblemEntry) => `${path} ${code} ${message}`
