import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, CloseButton, Group, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { MoveScope, PostSet, SocialSet } from '#contract'
import { ApiError, hasCode } from '../api/api-error.ts'
import { readAgain } from '../api/change.ts'
import { queryKeys } from '../api/query-keys.ts'
import { usePreferences, useSession } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { Drawer, DrawerTitle } from '../design/dialogs.tsx'
import { networkName } from '../design/network-icon.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError, showUndo } from '../design/toast.tsx'
import { listOf } from '../design/words.ts'
import { BrandName } from '../frame/brand-face.tsx'
import { changedSearch } from '../frame/search.ts'
import { holdsQuery } from '../frame/stops.ts'
import { approvalRuleQuery } from '../planning/approvals/review-queries.ts'
import { networksQuery } from '../planning/brands/networks-query.ts'
import { awaitsReview, nameOf, subjectOf } from '../planning/posts/subject.ts'
import { undecidedWords } from '../planning/posts/undecided-words.ts'
import { revert, revertSeries } from '../post-set-actions/change.ts'
import { followOutcome } from '../post-set-actions/follow.ts'
import { PUBLISHES_AT_ONCE, publishesAtOnce } from '../post-set-actions/plan-move.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { APPROVAL_REQUIRED, setLabels } from '../post-set-actions/requests.ts'
import { formatDateTime } from '../time/zones.ts'
import classes from './composer.module.css'
import { Composer, type ComposerProps, type SaveWish } from './composer.tsx'
import { draftOf } from './draft.ts'
import type { Draft } from './draft-shape.ts'
import { useFirstDraft } from './first-draft.ts'
import { begin } from './keeping/begin.ts'
import { readCopies } from './keeping/copies.ts'
import { openRow } from './keeping/row.ts'
import { rememberNetworks } from './last-networks.ts'
import { createPostSet, type PostSetBody, updatePostSet } from './post-set-queries.ts'
import { stopOf, stoppedWords } from './stopped.ts'

interface PostSetEditorProps {
  socialSet: SocialSet
  /** The post that is edited; null for a new one. */
  before?: PostSet | null
  /** The text of a new post. */
  draftId?: string
  /** It began here: it is nowhere else yet. */
  isBegun?: boolean
  /** It goes on under another id. */
  onDraftId?: (id: string) => void
  /** The time that was asked for, of a new post; ISO 8601 in UTC. A text that was kept stays at its own. */
  at?: string
  /** When a new post goes out of which neither is known. */
  usualAt?: string
  onClose: () => void
  onSaved?: (postSet: PostSet) => void
}

/** The calendar stays in sight beside the composer from here on. */
const PANEL = '1180px'
const FULL_PAGE_BELOW = '(max-width: 899px)'

/** Writes a new post, or changes one. */
export function PostSetEditor(props: PostSetEditorProps) {
  const {
    socialSet,
    before = null,
    draftId,
    isBegun = false,
    onDraftId = () => {},
    at,
    usualAt,
    onClose,
    onSaved,
  } = props
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const preferences = usePreferences()
  const confirm = useConfirmAction()
  const small = useMediaQuery(FULL_PAGE_BELOW, false, { getInitialValueInEffect: false })
  const { leave } = usePostSetActions()
  const navigate = useNavigate()
  const session = useSession()
  const { data: networks, error, refetch } = useQuery(networksQuery)
  // What was read when the composer opened. It is the version that saving asks for: what others change meanwhile is seen.
  const [begun, setBegun] = useState(before)
  // The composer knows under which id it goes on.
  const [textId] = useState(before?.id ?? draftId ?? '')
  const copyHere = () => readCopies(session).find(({ id }) => id === textId)
  const [wasBegun] = useState(() => isBegun && copyHere() === undefined)
  const kept = useQuery({
    queryKey: queryKeys.keptRow(textId, begun?.version ?? null),
    queryFn: () => {
      const copy = copyHere()
      const hadRow = copy !== undefined && !copy.isStored && copy.seen > 0
      const subject = { id: textId, postSetId: before?.id ?? null }
      return openRow(subject, socialSet.id, hadRow).catch(() => 'unreachable' as const)
    },
    enabled: !wasBegun,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const row = wasBegun ? null : kept.data
  // A reference: a key that follows the last letter at once has to find it.
  const unkept = useRef(false)
  const onUnkept = useCallback((now: boolean) => {
    unkept.current = now
  }, [])
  const first = useFirstDraft({
    socialSet,
    networks,
    at: before ? null : (at ?? null),
    usualAt,
    isNew: before === null,
  })
  const initial = useMemo((): Draft | null => (begun ? draftOf(begun) : first), [begun, first])
  const isLoading = !networks || row === undefined || initial === null
  const overtaken = before !== null && begun !== null && before.version !== begun.version
  const close = () => {
    if (!unkept.current) return onClose()
    void confirm({
      title: t`Close without saving?`,
      children: t`The server does not answer, and this browser keeps nothing. What you wrote would be lost.`,
      confirmLabel: t`Close`,
      cancelLabel: t`Keep writing`,
      run: async () => onClose(),
    })
  }
  const store = async ({ body, change, labels, saving }: SaveWish, publishNow: boolean) => {
    const written = await saving((of) =>
      begun ? updatePostSet(begun, change, publishNow, of) : createPostSet(body, publishNow, of),
    )
    const saved = await labelled(written, labels, begun === null && body.repeat ? 'all' : 'this')
    rememberNetworks(
      'accounts',
      socialSet.id,
      saved.posts.map(({ accountType }) => accountType),
    )
    await readAgain(begun ? 'PATCH /post-sets/:id' : 'POST /post-sets')
    const message = savedWords(saved, body)
    // What publishes cannot be undone.
    if (publishNow) follow(saved)
    else if (body.repeat && !begun) showUndo({ message, undo: () => undoSeries(saved) })
    else if (body.repeat) showDone(message)
    else if (!begun || saved.version > begun.version) showUndo({ message, undo: () => undoOf(saved, begun === null) })
    onSaved?.(saved)
    onClose()
  }
  const follow = (saved: PostSet) => {
    const { id } = saved
    const stop = stopped(saved)
    if (stop?.accountType === null) return showDone(stoppedWords(stop))
    const see = () => void navigate({ to: '.', search: (search) => changedSearch(search, { post: id }) })
    followOutcome({ id, name: nameOf(subjectOf(saved)), see })
  }
  const savedWords = ({ scheduledAt, status, approval: standing }: PostSet, { repeat, approval }: PostSetBody) => {
    const when = formatDateTime(scheduledAt, socialSet.timezone, preferences)
    const number = repeat?.occurrences ?? 0
    if (number > 0 && status === 'SCHEDULED') return t`${number} posts scheduled, the first for ${when}.`
    if (number > 0) return t`${number} posts saved as drafts, the first for ${when}.`
    if (begun?.status === 'SCHEDULED' && status === 'SCHEDULED') return t`Saved. It goes out ${when}.`
    if (status === 'SCHEDULED') return t`Scheduled for ${when}.`
    if (approval !== begun?.approval && approval === 'PENDING')
      return t`Saved as a draft for ${when}. The team is asked.`
    if (approval !== begun?.approval && approval === 'EXTERNAL_PENDING')
      return t`Saved as a draft for ${when}. It waits for the client in your shared calendars.`
    // What the client was to decide about has changed.
    if (begun?.approval === 'EXTERNAL_PENDING' && standing === 'PENDING')
      return t`Saved. It waits for the team again, then for the client.`
    if (awaitsReview({ approval: standing, status })) return t`Saved. It goes on waiting for approval.`
    return t`Saved as a draft for ${when}.`
  }
  const undoOf = async ({ id, version }: PostSet, isNew: boolean) => {
    if (isNew) leave([id])
    return revert([{ id, version }], isNew ? { delete: true } : { undo: true })
  }
  const undoSeries = async (first: PostSet) => {
    leave([first.id])
    return revertSeries(first)
  }
  /** A brand that requires approval: what it does not let out is saved as a draft, if the person wants that. */
  const storeAsDraft = (wish: SaveWish) => {
    const taken = begun?.approval === 'APPROVED'
    const ask = taken ? {} : ({ approval: 'PENDING' } as const)
    const { body, change } = wish
    const draft = { status: 'DRAFT', ...ask } as const
    return confirm({
      title: taken ? t`Save as a draft?` : t`Request approval?`,
      children: taken
        ? t`This brand requires approval, and your change takes it away. The post leaves the schedule and waits for approval again.`
        : t`This brand requires approval before a post is scheduled. It is saved as a draft, and the team is asked.`,
      confirmLabel: taken ? t`Save as draft` : t`Request approval`,
      cancelLabel: t`Keep writing`,
      run: () => store({ ...wish, body: { ...body, ...draft }, change: { ...change, ...draft } }, false),
    })
  }
  const stopped = ({ posts }: Pick<PostSetBody, 'posts'>) =>
    stopOf(queryClient.getQueryData(holdsQuery.queryKey)?.data ?? [], socialSet.id, posts as PostSet['posts'])
  /** Who has not decided about the post that is edited, where it waits and is about to go out; null otherwise. */
  const undecidedAbout = async ({ status }: PostSetBody): Promise<string | null> => {
    if (begun?.status !== 'DRAFT' || status !== 'SCHEDULED' || !awaitsReview(begun)) return null
    const rule = await queryClient.ensureQueryData(approvalRuleQuery(socialSet.id)).catch(() => null)
    return undecidedWords(begun, rule, nameOf(subjectOf(begun)))
  }
  const save: ComposerProps['onSave'] = async (wish) => {
    const { body, atOnce } = wish
    const unapproved = await undecidedAbout(body)
    if (unapproved !== null && !publishesAtOnce(body, body.scheduledAt)) {
      return confirm({
        title: t`Schedule without approval?`,
        children: t`${unapproved} It goes out at its time even if no one approves it.`,
        confirmLabel: t`Schedule without approval`,
        cancelLabel: t`Keep writing`,
        run: () => store(wish, false),
      })
    }
    if (!publishesAtOnce(body, body.scheduledAt)) {
      try {
        await store(wish, false)
        return true
      } catch (error) {
        if (hasCode(error, APPROVAL_REQUIRED)) return storeAsDraft(wish)
        // The clock of the server is ahead of the one here.
        if (!hasCode(error, PUBLISHES_AT_ONCE)) throw overtakenWords(error)
      }
    }
    const names = listOf(body.posts.map((post) => networkName((post as PostSet['posts'][number]).accountType)))
    const stop = stopped(body)
    const what =
      stop?.accountType === null
        ? t`${stoppedWords(stop)} It cannot be undone then.`
        : atOnce
          ? t`This goes out at once to ${names}. It cannot be undone.`
          : t`The time has passed, so this goes out at once to ${names}. It cannot be undone.`
    return confirm({
      title: t`Publish now?`,
      children: [unapproved, stop?.accountType ? stoppedWords(stop) : null, what].filter(Boolean).join(' '),
      confirmLabel: t`Publish now`,
      run: () => store(wish, true),
    })
  }
  const notice = overtaken && (
    <Alert role="alert" color="yellow" title={t`This post was changed meanwhile`}>
      <Group justify="space-between">
        <Text size="sm">
          <Trans>Saving would be refused. What you wrote is kept, and offered to you over the new state.</Trans>
        </Text>
        <Button variant="default" size="compact-sm" onClick={() => setBegun(before)}>
          <Trans>Load the new state</Trans>
        </Button>
      </Group>
    </Alert>
  )
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={small ? '100%' : `min(${PANEL}, calc(100vw - 76px))`}
      withOverlay={false}
      withCloseButton={false}
      lockScroll={false}
      padding={0}
      classNames={{ content: classes.drawer, body: classes.drawerBody }}
    >
      {/* The form brings its own. */}
      {isLoading && (
        <div className={classes.head}>
          <div className={classes.named}>
            <BrandName brand={socialSet} small />
            <DrawerTitle className={classes.title}>{before ? t`Edit post` : t`New post`}</DrawerTitle>
          </div>
          <span className={classes.spacer} />
          <CloseButton aria-label={t`Close`} onClick={onClose} />
        </div>
      )}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && isLoading && (
        <div className={classes.coming}>
          <LoadingRows label={t`Loading the form…`} />
        </div>
      )}
      {networks && row !== undefined && initial && (
        <Composer
          key={begun?.version ?? 'new'}
          socialSet={socialSet}
          before={begun}
          initial={initial}
          begin={() => begin(session, { id: textId, socialSet, before: begun, initial, row, isBegun: wasBegun })}
          textId={textId}
          onDraftId={onDraftId}
          networks={networks}
          title={before ? t`Edit post` : t`New post`}
          notice={notice}
          onUnkept={onUnkept}
          onClose={close}
          onSave={save}
        />
      )}
    </Drawer>
  )
}

/** The post with these labels, like those of its series in the scope: they are applied once it is there. */
async function labelled(postSet: PostSet, labels: readonly string[], scope: MoveScope): Promise<PostSet> {
  const before = postSet.labelsId
  if (before.length === labels.length && labels.every((id) => before.includes(id))) return postSet
  try {
    return await setLabels(postSet, labels, scope)
  } catch (error) {
    // The post itself is saved.
    showError(error)
    return postSet
  }
}

/** That someone else was faster, in words for people. */
function overtakenWords(error: unknown): unknown {
  if (!(error instanceof ApiError) || !hasCode(error, 'post-set:version_conflict')) return error
  const message = t`Someone else has changed this post meanwhile. Load the new state first. What you wrote is kept.`
  return new ApiError({ status: error.status, code: error.code, message })
}
