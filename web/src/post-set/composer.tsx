import { Trans, useLingui } from '@lingui/react/macro'
import { Button, CloseButton, Loader, Text } from '@mantine/core'
import { IconCheck, IconEye } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { Approval, NetworkDescription, PostSet, SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { differences } from '../api/differences.ts'
import { useMay, usePreferences } from '../api/session.ts'
import { announce } from '../design/announce.tsx'
import { Failure } from '../design/confirm-action.tsx'
import { DrawerTitle } from '../design/dialogs.tsx'
import { OfflineLine } from '../design/states.tsx'
import { showUndo } from '../design/toast.tsx'
import { BrandName } from '../frame/brand-face.tsx'
import { openDialogs } from '../frame/shortcuts.ts'
import { isCount } from '../planning/dates/repeat-fields.tsx'
import { awaitsReview, lacksApproval } from '../planning/posts/subject.ts'
import { formatDate, formatTime } from '../time/zones.ts'
import { TrayPlace } from '../uploads/tray-place.tsx'
import { AccountRow } from './account-row.tsx'
import classes from './composer.module.css'
import { ComposerFooter, type Ending, WhatItDoes } from './composer-footer.tsx'
import { captionOf, comingIn, postsOf } from './draft.ts'
import type { Draft } from './draft-shape.ts'
import { emptyAsOne } from './empty-post.ts'
import { type Fix, postOf, withFix } from './fixes.ts'
import type { Keeping } from './keeping/keeping.ts'
import { type SaveOf, useKeeping } from './keeping/use-keeping.ts'
import { KeptNotice } from './kept-notice.tsx'
import { LabelMenu } from './label-menu.tsx'
import { NetworkChips } from './network-chips.tsx'
import type { PostSetBody } from './post-set-queries.ts'
import { Present } from './presence.tsx'
import { Preview } from './preview.tsx'
import { ProblemRows, WarningRows } from './problem-rows.tsx'
import { relativeIn } from './relative-in.ts'
import { RuleNotice, useRuleOf, WaitingLine } from './rule-notice.tsx'
import { useStop } from './stopped.ts'
import { useAgreeingAccounts, useAgreements } from './use-agreements.ts'
import { useComingFiles } from './use-coming-files.ts'
import { useFormKeys } from './use-form-keys.ts'
import { useFreshAddresses } from './use-fresh-addresses.ts'
import { useGiven } from './use-given.ts'
import { countsAt, fitsOf, ofPost } from './use-live-check.ts'
import { useElsewhere, useRefused } from './use-refused.ts'
import { WhenRow } from './when-row.tsx'
import { type Cut, WriteTabs } from './write-tabs.tsx'

export interface SaveWish {
  body: PostSetBody
  /** What differs from the post that is edited. */
  change: Partial<PostSetBody>
  labels: readonly string[]
  /** It is to go out now, no matter what time was chosen. */
  atOnce: boolean
  /** Makes the request that saves it, which ends the text that was kept. */
  saving: <T>(request: (of: SaveOf) => Promise<T>) => Promise<T>
}

export interface ComposerProps {
  socialSet: SocialSet
  /** The post that is edited; null for a new one. */
  before: PostSet | null
  initial: Draft
  /** What the text begins with: `initial`, or what was kept. Asked once. */
  begin: () => Keeping
  /** What the text is called where it was opened. */
  textId: string
  /** The text goes on under another id. */
  onDraftId: (id: string) => void
  networks: readonly NetworkDescription[]
  title: string
  /** Above the fields: that others changed the post meanwhile. */
  notice: React.ReactNode
  /** Reports whether something would be lost: it is kept nowhere. */
  onUnkept: (isUnkept: boolean) => void
  onClose: () => void
  /** Saves, unless the person turns back. When it throws, the composer stays and says why. */
  onSave: (wish: SaveWish) => Promise<unknown>
}

const REVEAL_MS = 300

/** Writes a post: accounts, texts, files, what single networks want, and when. */
export function Composer(props: ComposerProps) {
  const { socialSet, before, initial, begin, textId, onDraftId, networks, title, notice, onUnkept, onClose, onSave } =
    props
  const { t } = useLingui()
  const preferences = usePreferences()
  const keeping = useKeeping({ id: textId, socialSetId: socialSet.id, onId: onDraftId }, begin)
  const { now, draft, setDraft, changed, isUnkept } = keeping
  const [shown, setShown] = useState<number | null>(null)
  const [revealed, setRevealed] = useState(before !== null)
  const [busy, setBusy] = useState<Ending | null>(null)
  /** What was asked for while the check of this text was under way: it is done when that has ended. */
  const [asked, setAsked] = useState<{ ending: Ending; text: string } | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [cut, setCut] = useState<Cut | null>(null)
  const [untimed, setUntimed] = useState<string | null>(null)
  /** On narrow screens, which have room for the text or for what comes of it. */
  const [previewing, setPreviewing] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const mayPublish = useMay('post-sets:publish')
  useLayoutEffect(() => onUnkept(isUnkept), [isUnkept, onUnkept])
  const takeFiles = useComingFiles(socialSet, draft, setDraft)
  const { over, handlers } = useGiven((files) => takeFiles(files, shown))
  useFreshAddresses(draft, setDraft)

  const inSeries = before?.seriesId !== undefined
  // Of the post as it is now: what was kept may be older than it.
  const standing = before?.approval ?? 'NONE'
  const accounts = useAgreeingAccounts(socialSet, networks, draft)
  const bodyOf = (written: Draft, status: PostSetBody['status'], approval: Approval = standing): PostSetBody => ({
    socialSetId: socialSet.id,
    scheduledAt: written.at,
    status,
    approval,
    posts: postsOf(written, networks, before, accounts),
    ...(written.repeat && !inSeries ? { repeat: written.repeat } : {}),
  })
  const uncounted = draft.repeat !== null && !inSeries && !isCount(draft.repeat.occurrences, LIMITS.postSetOccurrences)
  // What the field says itself is not said again.
  const checked = bodyOf(uncounted ? { ...draft, repeat: null } : draft, 'SCHEDULED')
  const { check, blocked, declared } = useAgreements(networks, draft, accounts, {
    ...checked,
    posts: postsOf(draft, networks, null, accounts),
  })
  // A person who goes on writing is not ready.
  const wish = asked?.text === check.text ? asked.ending : null
  const coming = comingIn(draft)
  const refused = coming.filter(useRefused())
  const isElsewhere = coming.some(useElsewhere())
  const whyUnsavable = () => {
    if (draft.posts.length === 0) return t`Choose an account first.`
    if (check.tooLong) return check.tooLong.message
    if (untimed !== null) return untimed
    if (uncounted) return t`Choose how many in all.`
    if (isElsewhere) return t`A file is on its way from another browser.`
    if (coming.length > refused.length) return t`Files are still on their way.`
    return refused.length > 0 ? t`Remove the files that cannot be used.` : null
  }
  const unsavable = whyUnsavable()
  const stop = useStop(socialSet.id, draft.posts)

  // The approval of a draft ends with the text or the files that it was of.
  const ends =
    standing === 'APPROVED' &&
    before?.status === 'DRAFT' &&
    changed &&
    'posts' in differences(bodyOf(draft, 'DRAFT'), bodyOf(initial, 'DRAFT'))
  const left = ends ? 'NONE' : standing
  const asks = lacksApproval({ approval: left, status: before?.status ?? 'DRAFT' })
  // What waits goes on waiting when it is saved, whoever saves it.
  const waits = before !== null && awaitsReview(before)
  const scheduled = before?.status === 'SCHEDULED'
  const { binding, refuses } = useRuleOf(socialSet.id, left)
  const schedules = mayPublish && !refuses
  const endings: Ending[] = [
    ...(schedules ? (['schedule'] as const) : []),
    ...(schedules && !draft.repeat ? (['publish'] as const) : []),
    'draft',
    ...(asks ? (['request'] as const) : []),
    // Where a rule binds, the client is asked about what the team has approved.
    ...(asks && !binding ? (['request-client'] as const) : []),
  ]
  // Who was asked for changes shows them to who asked, as from the panel.
  const isReturned = standing === 'DENIED' && !scheduled
  const primary: Ending =
    waits && !scheduled
      ? 'draft'
      : schedules && !isReturned
        ? 'schedule'
        : asks && (refuses || isReturned)
          ? 'request'
          : 'draft'
  const labels: Record<Ending, { label: string; about: string }> = {
    schedule:
      waits && !scheduled
        ? { label: t`Schedule without approval…`, about: t`Asks before it is scheduled` }
        : { label: scheduled ? t`Save` : t`Schedule`, about: t`Goes out at the time above` },
    publish: { label: t`Publish now`, about: t`Asks before it goes out` },
    draft:
      waits && !scheduled
        ? { label: t`Save`, about: t`Goes on waiting for approval` }
        : { label: scheduled ? t`Save as draft` : t`Save draft`, about: t`Stays on the calendar, does not go out` },
    request: { label: t`Request approval`, about: t`Saves a draft and asks the team` },
    'request-client': { label: t`Ask the client`, about: t`Saves a draft and asks the client` },
  }

  const showProblem = (index: number | null) => {
    setRevealed(true)
    setPreviewing(false)
    if (index !== null && index !== shown && ofPost(check.problems, index).length > 0) setShown(index)
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[data-problem]')?.focus())
  }
  const end = async (ending: Ending) => {
    const goesOut = ending === 'schedule' || ending === 'publish'
    if (unsavable) return announce(unsavable)
    if (goesOut && check.checking) return setAsked({ ending, text: check.text })
    if (goesOut && check.problems.length > 0) {
      announce(t`Fix the problems first.`)
      return showProblem(null)
    }
    setBusy(ending)
    setFailure(null)
    try {
      const approval = ending === 'request' ? 'PENDING' : ending === 'request-client' ? 'EXTERNAL_PENDING' : standing
      const atOnce = ending === 'publish'
      const written = { ...draft, ...(atOnce ? { at: new Date().toISOString() } : {}) }
      const wanted = bodyOf(written, goesOut ? 'SCHEDULED' : 'DRAFT', approval)
      const change = differences(wanted, bodyOf(initial, scheduled ? 'SCHEDULED' : 'DRAFT'))
      const saving: SaveWish['saving'] = (request) => keeping.saving(ending, request)
      await onSave({ body: wanted, change, labels: draft.labels, atOnce, saving })
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(null)
    }
  }
  const endWish = useEffectEvent(() => {
    setAsked(null)
    if (wish) void end(wish)
  })
  useEffect(() => {
    if (wish && !check.checking) endWish()
  }, [wish, check.checking])
  // The form has come after its panel, which took the focus.
  useEffect(() => {
    body.current?.querySelector('textarea')?.focus()
  }, [])
  useFormKeys({
    // A dialog over this one has its own keys.
    primary: () => openDialogs().length <= 1 && busy === null && void end(primary),
    saveDraft: () => openDialogs().length <= 1 && busy === null && void end('draft'),
  })
  const fix = (problem: Parameters<typeof postOf>[0], wanted: readonly Fix[]) => {
    const index = postOf(problem)
    if (index === null) return
    if (wanted.some(({ kind }) => kind === 'leave-out')) setShown(null)
    if (wanted.some(({ kind }) => kind === 'own-text' || kind === 'fill-in')) setShown(index)
    const fits = fitsOf(countsAt(check.counts, `posts[${index}]`))
    const fixed = wanted.reduce((written, each) => withFix(written, index, each, fits), draft)
    setDraft(fixed)
    if (!wanted.some(({ kind }) => kind === 'shorten')) return
    const [before, after] = [draft.posts[index], fixed.posts[index]]
    if (!before || !after) return
    // What was cut is seen where it was.
    setShown(index)
    setPreviewing(false)
    setCut({ index, own: before.caption, whole: captionOf(draft, before), left: captionOf(fixed, after) })
    requestAnimationFrame(() => body.current?.querySelector('textarea')?.focus())
  }
  // In a tab the problems of its network alone, so that what is fixed is beside what is wrong.
  // Where no draft can be saved either, there is nothing to wait for.
  const found = emptyAsOne(check.problems, checked.posts)
  const areShown = revealed || check.tooLong !== null
  const seen = areShown ? found : []
  const problems = shown === null ? seen : areShown ? ofPost(check.problems, shown) : []
  const warnings = revealed ? (shown === null ? check.warnings : ofPost(check.warnings, shown)) : []
  const savedAt = now.storedAt && formatTime(now.storedAt, Temporal.Now.timeZoneId(), preferences)
  return (
    <div className={classes.composer} data-composer data-over={over || undefined} {...handlers}>
      <div>
        <header className={classes.head}>
          <div className={classes.named}>
            <BrandName brand={socialSet} small />
            <DrawerTitle className={classes.title}>{title}</DrawerTitle>
          </div>
          <Text span size="xs" c="dimmed" role="status" className={classes.savedAt}>
            {changed &&
              (now.trouble !== 'none' || now.phase !== 'open' ? (
                <Trans>Kept in this browser</Trans>
              ) : (
                savedAt && (
                  <>
                    <IconCheck size={14} aria-hidden /> <Trans>Draft kept {savedAt}</Trans>
                  </>
                )
              ))}
          </Text>
          <span className={classes.spacer} />
          <TrayPlace />
          {before && <Present postSetId={before.id} />}
          <Button
            className={classes.previewing}
            variant={previewing ? 'light' : 'subtle'}
            color="gray"
            size="compact-sm"
            leftSection={<IconEye size={16} aria-hidden />}
            aria-pressed={previewing}
            onClick={() => setPreviewing(!previewing)}
          >
            <Trans>Preview</Trans>
          </Button>
          <LabelMenu chosen={draft.labels} onChange={(chosen) => setDraft((now) => ({ ...now, labels: chosen }))} />
          <CloseButton aria-label={t`Close`} onClick={onClose} />
        </header>
        <OfflineLine />
      </div>
      <div className={classes.body} data-previewing={previewing || undefined} inert={busy !== null}>
        <div className={classes.write} ref={body}>
          {notice}
          <WaitingLine before={before} />
          <RuleNotice socialSetId={socialSet.id} before={before} />
          <KeptNotice
            keeping={keeping}
            socialSetId={socialSet.id}
            onDiscard={() => showUndo({ message: t`What you wrote was discarded.`, undo: keeping.discard() })}
          />
          <AccountRow
            socialSet={socialSet}
            networks={networks}
            draft={draft}
            onChange={(posts) => {
              setShown(null)
              setDraft((now) => ({ ...now, posts }))
            }}
          />
          <WriteTabs
            socialSet={socialSet}
            networks={networks}
            draft={draft}
            check={check}
            accounts={accounts}
            revealed={revealed}
            shown={shown !== null && shown < draft.posts.length ? shown : null}
            onShow={setShown}
            onChange={setDraft}
            onLeft={() => {
              // After a click that the text was left for: what moves under a pointer is not what was meant.
              if (draft.posts.length > 0) window.setTimeout(() => setRevealed(true), REVEAL_MS)
            }}
            onFiles={takeFiles}
            cut={cut}
          />
          <ProblemRows socialSetId={socialSet.id} draft={draft} networks={networks} entries={problems} onFix={fix} />
          {shown === null && <NetworkChips networks={networks} draft={draft} onShow={setShown} />}
          <WhenRow
            socialSet={socialSet}
            draft={draft}
            inSeries={inSeries}
            timed={untimed === null}
            onChange={(change) => setDraft((now) => ({ ...now, ...change }))}
            onIncomplete={setUntimed}
          />
          <WarningRows draft={draft} networks={networks} entries={warnings} onFix={fix} />
          <Failure error={failure ?? check.error} />
        </div>
        <Preview socialSet={socialSet} draft={draft} shown={shown} />
      </div>
      <ComposerFooter
        socialSet={socialSet}
        endings={endings}
        primary={primary}
        labels={labels}
        busy={busy ?? wish}
        problems={seen.length}
        blocked={blocked}
        declared={declared}
        why={unsavable}
        about={
          check.checking && draft.posts.length > 0 ? (
            <Loader size={14} aria-label={t`Checking…`} role="img" />
          ) : (
            <WhatItDoes
              ending={primary}
              stop={stop}
              waits={waits}
              scheduled={scheduled}
              when={relativeIn(draft.at, { zone: socialSet.timezone, preferences })}
              date={formatDate(draft.at, socialSet.timezone, preferences)}
              accounts={draft.posts.length}
            />
          )
        }
        onProblems={() => {
          const [first] = found
          showProblem(first ? postOf(first) : null)
        }}
        onEnd={(ending) => void end(ending)}
      />
    </div>
  )
}
