import '../design/more-styles.ts'
import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button, Checkbox, Group, NumberInput, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountType, LibraryFile, NetworkDescription, PostSet, SocialSet } from '#contract'
import { HOUR_MS } from '#contract/durations'
import * as LIMITS from '#contract/limits'
import { change } from '../api/change.ts'
import { mediaAddress } from '../api/media-address.ts'
import { usePreferences } from '../api/session.ts'
import { Modal } from '../design/dialogs.tsx'
import { messageOf } from '../design/error-text.ts'
import { NetworkIcon, networkName } from '../design/network-icon.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showUndo } from '../design/toast.tsx'
import { listOf } from '../design/words.ts'
import { freeSlotsQuery } from '../planning/brands/brand-queries.ts'
import { networksQuery } from '../planning/brands/networks-query.ts'
import { today } from '../planning/dates/dates.ts'
import { ScheduleFields } from '../planning/dates/schedule-fields.tsx'
import { newMedia, newPost, postsOf } from '../post-set/draft.ts'
import { emptyDraft } from '../post-set/draft-shape.ts'
import { lastNetworks, rememberNetworks } from '../post-set/last-networks.ts'
import { needsVideo } from '../post-set/needs-video.ts'
import { doInBulk, readPostSetsAgain } from '../post-set-actions/requests.ts'
import { formatDateTime, type TimePreferences } from '../time/zones.ts'
import { clockTimes } from './clock-times.ts'
import classes from './media.module.css'

interface PostsOfFilesProps {
  files: readonly LibraryFile[]
  socialSet: SocialSet
  onClose: () => void
  onDone: () => void
}

/** Makes a draft of each file: on the same accounts, at free times or some days apart. */
export function PostsOfFiles(props: PostsOfFilesProps) {
  const { t } = useLingui()
  const { data: networks, error, refetch } = useQuery(networksQuery)
  return (
    <Modal opened onClose={props.onClose} size={560} title={t`One post per file`}>
      {networks ? (
        <Plan {...props} networks={networks} />
      ) : error ? (
        <ErrorState title={t`The networks could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingRows rows={3} height={44} />
      )}
    </Modal>
  )
}

type When = 'free' | 'spaced'
const MOST_DAYS = 60

function Plan({ files, socialSet, networks, onClose, onDone }: PostsOfFilesProps & { networks: NetworkDescription[] }) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const { id, timezone: zone, accounts } = socialSet
  const number = files.length
  const fits = (type: AccountType) => {
    const network = networks.find(({ accountType }) => accountType === type)
    return network !== undefined && files.every((file) => takes(network, file))
  }
  const [types, setTypes] = useState<readonly AccountType[]>(() => firstTypes(socialSet).filter(fits))
  const [chosenWhen, setWhen] = useState<When | null>(null)
  const [days, setDays] = useState(1)
  const [at, setAt] = useState(() => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS).toISOString())
  const [incomplete, setIncomplete] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const { data: slots = [] } = useQuery({
    ...freeSlotsQuery(id, today(zone).toString(), Math.min(number, LIMITS.freeSlots.max)),
    enabled: number <= LIMITS.freeSlots.max,
  })
  const hasFree = slots.length === number
  const when: When = hasFree && chosenWhen !== 'spaced' ? 'free' : 'spaced'
  const times = when === 'free' ? slots.map((slot) => slot.at) : clockTimes(at, zone, { days, number })
  const tooMany = number > LIMITS.bulk.postSets || number * types.length > LIMITS.bulk.posts
  const said = (instant: string) => formatDateTime(instant, zone, preferences)
  const create = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const chosen = networks.filter(({ accountType }) => types.includes(accountType))
      await createPosts({ files, times, networks: chosen, socialSet, preferences })
      rememberNetworks('accounts', id, types)
      onDone()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <Stack>
      <Checkbox.Group
        label={t`Accounts`}
        value={[...types]}
        onChange={(next) => setTypes(accounts.map(({ type }) => type).filter((type) => next.includes(type)))}
      >
        <Group gap="sm" mt="xs">
          {accounts.map(({ type }) => (
            <Checkbox
              key={type}
              value={type}
              disabled={!fits(type)}
              title={fits(type) ? undefined : t`It does not take all of these files.`}
              label={
                <Group gap={6} wrap="nowrap">
                  <NetworkIcon accountType={type} size={16} decorative />
                  {networkName(type)}
                </Group>
              }
            />
          ))}
        </Group>
      </Checkbox.Group>
      {hasFree && (
        <Radio.Group label={t`When`} value={when} onChange={(value) => setWhen(value as When)}>
          <Stack gap="xs" mt="xs">
            <Radio value="free" label={t`Next free times`} />
            <Radio value="spaced" label={t`Some days apart`} />
          </Stack>
        </Radio.Group>
      )}
      {when === 'spaced' && (
        <ScheduleFields at={at} zone={zone} onChange={setAt} onIncomplete={setIncomplete}>
          <NumberInput
            label={t`Days between`}
            min={1}
            max={MOST_DAYS}
            clampBehavior="strict"
            allowDecimal={false}
            w={120}
            value={days}
            onChange={(value) => setDays(Math.max(1, Number(value) || 1))}
          />
        </ScheduleFields>
      )}
      <ol className={classes.plan} aria-label={t`Drafts`}>
        {files.map((file, index) => (
          <li key={file.id}>
            <Picture file={file} />
            <span dir="auto">{file.name}</span>
            <small>{times[index] && said(times[index])}</small>
          </li>
        ))}
      </ol>
      <Text size="sm" c="dimmed">
        <Trans>These are drafts without text. They do not go out before you schedule them.</Trans>
      </Text>
      {tooMany && (
        <Text size="sm" c="red">
          <Trans>
            At most {LIMITS.bulk.postSets} files at once, and {LIMITS.bulk.posts} posts on all accounts together.
          </Trans>
        </Text>
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
        <Button
          loading={busy}
          disabled={types.length === 0 || tooMany || (when === 'spaced' && incomplete !== null)}
          onClick={() => void create()}
        >
          <Plural value={number} one="Create # draft" other="Create # drafts" />
        </Button>
      </Group>
    </Stack>
  )
}

function Picture({ file }: { file: LibraryFile }) {
  const source = file.thumbnailUrl && mediaAddress(file.thumbnailUrl)
  return source ? <img src={source} alt="" /> : <span className={classes.blank} />
}

/** Whether a kind of post of a network has a place for a picture or a video alone. */
function takes({ forms }: NetworkDescription, { type }: LibraryFile): boolean {
  return forms.some(({ media }) => {
    const taken = { VIDEO: media.videos > 0, DOCUMENT: media.documents > 0, IMAGE: !needsVideo(media) }
    return media.min <= 1 && taken[type]
  })
}

/** The accounts of the last post of the brand; all of them where there was none. */
function firstTypes({ id, accounts }: SocialSet): AccountType[] {
  const connected = accounts.map(({ type }) => type)
  const last = lastNetworks('accounts', id).filter((type) => connected.includes(type))
  return last.length > 0 ? last : connected
}

interface Planned {
  files: readonly LibraryFile[]
  /** One for each file, in their order. */
  times: readonly string[]
  networks: readonly NetworkDescription[]
  socialSet: SocialSet
  preferences: TimePreferences
}

async function createPosts({ files, times, networks, socialSet, preferences }: Planned): Promise<void> {
  const postSets = files.map((file, index) => {
    const at = times[index] ?? ''
    const draft = { ...emptyDraft(at), media: [newMedia(file)], posts: networks.map(newPost) }
    return {
      socialSetId: socialSet.id,
      scheduledAt: at,
      status: 'DRAFT' as const,
      approval: 'NONE' as const,
      posts: postsOf(draft, networks, null),
    }
  })
  const { data } = await change('POST /post-sets/bulk', { body: { mode: 'ATOMIC', postSets } })
  const made = data.flatMap(({ postSet }) => postSet ?? [])
  const message = plural(made.length, { one: '# draft created.', other: '# drafts created.' })
  const said = ({ scheduledAt }: PostSet) => formatDateTime(scheduledAt, socialSet.timezone, preferences)
  showUndo({ message, undo: () => removeUnchanged(made, said) })
}

/** Removes drafts that are as they were made. Answers which ones were not, and so stay. */
async function removeUnchanged(made: readonly PostSet[], said: (post: PostSet) => string): Promise<string | undefined> {
  try {
    const { refused } = await doInBulk(made, { delete: true })
    const stayed = made.filter(({ id }) => refused.some((each) => each.id === id))
    if (stayed.length === 0) return undefined
    const list = listOf(stayed.map(said))
    return plural(stayed.length, {
      one: `# draft stays, because it was changed since: ${list}`,
      other: `# drafts stay, because they were changed since: ${list}`,
    })
  } finally {
    void readPostSetsAgain()
  }
}
