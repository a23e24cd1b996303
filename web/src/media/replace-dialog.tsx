import '../design/more-styles.ts'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Checkbox, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconArrowRight, IconUpload } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CardState, MediaLibraryItem, MediaReplacements, SocialSet } from '#contract'
import { call } from '../api/client.ts'
import { mediaAddress } from '../api/media-address.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay, usePreferences } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { messageOf } from '../design/error-text.ts'
import { networkName } from '../design/network-icon.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { showUndo } from '../design/toast.tsx'
import { Library } from '../library/library.tsx'
import { type LibraryFilters, NO_FILTERS } from '../library/library-queries.ts'
import { STATE_WORDS } from '../planning/posts/card-words.ts'
import { kindsBeside } from '../planning/posts/kind-words.ts'
import { problemWords } from '../planning/posts/problem-words.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { revert, sendInTurn } from '../post-set-actions/change.ts'
import { doInBulk, readPostSetsAgain } from '../post-set-actions/requests.ts'
import { formatDateTime } from '../time/zones.ts'
import { ACCEPTED } from '../uploads/refusals.ts'
import { addFiles } from '../uploads/run-uploads.ts'
import classes from './media.module.css'

type Post = MediaReplacements['data'][number]
type File = Pick<MediaLibraryItem, 'id' | 'name' | 'type' | 'thumbnailUrl'>

interface ReplaceDialogProps {
  file: File
  socialSet: SocialSet
  onClose: () => void
}

/** Puts another file of the library in the place of one, in the posts that are chosen. */
export function ReplaceDialog({ file, socialSet, onClose }: ReplaceDialogProps) {
  const { t } = useLingui()
  const [other, setOther] = useState<File | null>(null)
  const { name } = file
  return (
    <Modal opened onClose={onClose} size={other ? 640 : 1040} title={<span dir="auto">{t`Replace ${name}`}</span>}>
      {other ? (
        <Posts file={file} other={other} socialSet={socialSet} onBack={() => setOther(null)} onClose={onClose} />
      ) : (
        <Choose file={file} socialSet={socialSet} onChoose={setOther} />
      )}
    </Modal>
  )
}

interface ChooseProps {
  file: File
  socialSet: SocialSet
  onChoose: (other: File) => void
}

function Choose({ file, socialSet, onChoose }: ChooseProps) {
  const { t } = useLingui()
  const mayUpload = useMay('media:write')
  // A picture takes the place of a picture, most of the time.
  const [filters, setFilters] = useState<LibraryFilters>({ ...NO_FILTERS, type: file.type })
  return (
    <Stack>
      <Group justify="space-between">
        <Text>
          <Trans>Which file takes its place?</Trans>
        </Text>
        {mayUpload && (
          <FileButton
            multiple
            accept={ACCEPTED}
            onChange={(files) => void addFiles(socialSet.id, files)}
            inputProps={{ 'aria-label': t`Files` }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
                <Trans>Upload</Trans>
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      <div className={classes.pick}>
        <Library
          socialSet={socialSet}
          filters={filters}
          onFilters={(change) => setFilters((now) => ({ ...now, ...change }))}
          selected={new Set()}
          without={file.id}
          onToggle={onChoose}
          empty={
            <EmptyState>
              <Trans>There is no other file yet. Upload one first.</Trans>
            </EmptyState>
          }
        />
      </div>
    </Stack>
  )
}

const replacementQuery = (from: string, to: string) =>
  queryOptions({
    // Another answer when posts change.
    queryKey: queryKeys.postSets.list({ replaces: from, with: to }),
    queryFn: ({ signal }) =>
      call('GET /media-library/:id/replacement', { params: { id: from }, query: { with: to }, signal }),
  })

interface PostsProps {
  file: File
  other: File
  socialSet: SocialSet
  onBack: () => void
  onClose: () => void
}

function Posts({ file, other, socialSet, onBack, onClose }: PostsProps) {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(replacementQuery(file.id, other.id))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [keepAltTexts, setKeepAltTexts] = useState(false)
  if (error && !data) {
    return <ErrorState title={t`The posts could not be loaded`} error={error} onRetry={() => void refetch()} />
  }
  if (!data) return <LoadingRows rows={3} height={44} />
  const fit = data.data.filter(({ refused }) => refused === null)
  const unfit = data.data.filter(({ refused }) => refused !== null)
  const chosen = fit.filter(({ id }) => !left.has(id))
  const again = chosen.filter(({ asksAgain }) => asksAgain).length
  const describing = chosen.filter(({ describesOld }) => describesOld).length
  const beyond = data.total - data.data.length
  const { published } = data
  const replace = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const refused = await replaceIn(chosen, file, other, keepAltTexts)
      if (refused === 0) onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
      void refetch()
    }
  }
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Small file={file} />
        <IconArrowRight size={18} role="img" aria-label={t`is replaced by`} />
        <Small file={other} />
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          <Trans>Choose another file</Trans>
        </Button>
      </Group>
      {data.total === 0 && (
        <Text>
          <Trans>No draft or scheduled post has this file.</Trans>
        </Text>
      )}
      {fit.length > 0 && (
        <section>
          <Text component="h3" size="sm" fw={600} m={0} mb={6}>
            <Trans>It is replaced in</Trans>
          </Text>
          <ul className={classes.posts}>
            {fit.map((post) => (
              <li key={post.id}>
                <Checkbox
                  checked={!left.has(post.id)}
                  disabled={busy}
                  label={post.excerpt || nameOf(post)}
                  description={<About post={post} socialSet={socialSet} />}
                  onChange={() =>
                    setLeft((now) => {
                      const next = new Set(now)
                      if (!next.delete(post.id)) next.add(post.id)
                      return next
                    })
                  }
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {unfit.length > 0 && (
        <section>
          <Text component="h3" size="sm" fw={600} m={0} mb={6}>
            <Trans>These keep {file.name}</Trans>
          </Text>
          <ul className={classes.posts}>
            {unfit.map((post) => (
              <li key={post.id}>
                <span dir="auto">{post.excerpt || nameOf(post)}</span>
                <small>
                  <About post={post} socialSet={socialSet} />
                </small>
                {post.refused && <small className={classes.why}>{problemWords(post.refused)}</small>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {published > 0 && (
        <Text size="sm" c="dimmed">
          <Plural value={published} one="# published post keeps its file." other="# published posts keep their file." />
        </Text>
      )}
      {beyond > 0 && (
        <Text size="sm" c="dimmed">
          <Plural
            value={beyond}
            one="# later post is not listed: replace the file there when these are done."
            other="# later posts are not listed: replace the file there when these are done."
          />
        </Text>
      )}
      {describing > 0 && (
        <Checkbox
          checked={keepAltTexts}
          disabled={busy}
          label={<Plural value={describing} one="Keep the alt text of # post" other="Keep the alt texts of # posts" />}
          description={t`It describes the old file, and the new one has none. Otherwise it is removed.`}
          onChange={({ currentTarget }) => setKeepAltTexts(currentTarget.checked)}
        />
      )}
      {again > 0 && (
        <Alert color="yellow">
          <Plural
            value={again}
            one="# approved post will wait for approval again."
            other="# approved posts will wait for approval again."
          />
        </Alert>
      )}
      {failure !== null && (
        <Alert color="red" role="alert">
          {messageOf(failure)}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button loading={busy} disabled={chosen.length === 0} onClick={() => void replace()}>
          {chosen.length === 0 ? (
            <Trans>Replace</Trans>
          ) : (
            <Plural value={chosen.length} one="Replace in # post" other="Replace in # posts" />
          )}
        </Button>
      </Group>
    </Stack>
  )
}

function About({ post, socialSet }: { post: Post; socialSet: SocialSet }) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const time = formatDateTime(post.scheduledAt, socialSet.timezone, preferences)
  const status = STATE_WORDS[post.status.toLowerCase() as CardState]
  const kinds = kindsBeside(post)
  const parts = [status, time, ...(kinds === null ? [] : [kinds]), post.accountTypes.map(networkName).join(', ')]
  return [...parts, ...(post.asksAgain ? [t`Waits for approval again`] : [])].join(' · ')
}

function Small({ file }: { file: File }) {
  const source = file.thumbnailUrl && mediaAddress(file.thumbnailUrl)
  return (
    <span className={classes.small}>
      {source && <img src={source} alt="" />}
      <span dir="auto">{file.name}</span>
    </span>
  )
}

/** Replaces a file in posts as they were seen, and offers to undo it. Answers in how many it was not, which others have changed meanwhile. */
async function replaceIn(posts: readonly Post[], from: File, to: File, keepAltTexts: boolean): Promise<number> {
  const { done, refused } = await sendInTurn({
    sets: posts,
    send: () => doInBulk(posts, { replaceMedia: { from: from.id, to: to.id, keepAltTexts } }),
    versionsOf: (answer) => answer.done,
  })
  const { name } = from
  if (done.length === 0) return refused.length
  showUndo({
    message: plural(done.length, {
      one: `${name} replaced in # post.`,
      other: `${name} replaced in # posts.`,
    }),
    undo: () => revert(done, { undo: true }),
  })
  await readPostSetsAgain()
  return refused.length
}
