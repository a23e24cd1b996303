import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Checkbox, Loader, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { MemberLink, MemberLinkEnd, NewAddress, TeamMember } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { CopyField } from '../design/copy-field.tsx'
import { ErrorState } from '../design/states.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { allowsWords, brandsOf, showsWords } from './shared-calendars-words.ts'
import type { Access } from './team-access-fields.tsx'

interface MemberLinksProps {
  member: TeamMember
  /** What the member is to be; null: no member any more. */
  access: Access | null
  /** Hears whether the list is missing: it is loading, or could not be loaded. */
  onMissing: (missing: boolean) => void
  onChange: (links: MemberLinkEnd[]) => void
}

/**
 * What opens something to everyone who has its address, and what a member knows of that and would not see any more: each by
 * name with what it opens, ticked, to get another address or to be closed. Below them the webhooks that the member made and could not make
 * any more, ticked, to be closed. Nothing where there is none.
 */
export function MemberLinks({ member, access, onMissing, onChange }: MemberLinksProps) {
  const { data: sets = [] } = useQuery(socialSetsQuery)
  const { data, error, isPending, isLoadingError, refetch } = useQuery(linksQuery(member.userId, access))
  const [how, setHow] = useState<MemberLinkEnd['how']>('RENEW')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const isMissing = isPending || isLoadingError
  useEffect(() => onMissing(isMissing), [isMissing, onMissing])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with what is chosen
  useEffect(() => {
    onChange((data ?? []).filter(({ id }) => !left.has(id)).map(({ kind, id }) => ({ kind, id, how })))
  }, [data, how, left])
  if (isPending) return <Loader size="sm" aria-label={t`Loading the shared links`} />
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />
  const webhooks = data.filter(({ kind }) => kind === 'WEBHOOK')
  const links = data.filter(({ kind }) => kind !== 'WEBHOOK')
  const box = (link: MemberLink, label: string, description: string) => (
    <Checkbox
      key={`${link.kind} ${link.id}`}
      label={label}
      description={description}
      checked={!left.has(link.id)}
      onChange={({ currentTarget: { checked } }) => {
        setLeft((before) => new Set(checked ? [...before].filter((id) => id !== link.id) : [...before, link.id]))
      }}
    />
  )
  return (
    <>
      {links.length > 0 && (
        <Stack gap="xs" role="group" aria-label={t`Shared links`}>
          <Text size="sm">
            <Trans>
              {member.name} knows the addresses below. Anyone with one of these addresses can open it. They stay open
              unless you end them.
            </Trans>
          </Text>
          {links.map((link) => box(link, titleOf(link), opens(link, brandsOf(link, sets))))}
          <HowToEnd how={how} onChange={setHow} />
        </Stack>
      )}
      {webhooks.length > 0 && (
        <Stack gap="xs" role="group" aria-label={t`Webhooks`}>
          <Text size="sm">
            <Trans>
              {member.name} has what happens sent to these addresses. Nothing is sent to those that you close; another
              member can open them again within 30 days.
            </Trans>
          </Text>
          {webhooks.map((link) => box(link, link.name, brandsOf(link, sets) || t`All brands`))}
        </Stack>
      )}
    </>
  )
}

function HowToEnd({ how, onChange }: { how: MemberLinkEnd['how']; onChange: (how: MemberLinkEnd['how']) => void }) {
  return (
    <Radio.Group
      label={t`What to do with the selected links`}
      value={how}
      onChange={(value) => onChange(value === 'CLOSE' ? 'CLOSE' : 'RENEW')}
    >
      <Stack gap={4} mt={4}>
        <Radio
          value="RENEW"
          label={t`New address`}
          description={t`You get the new address next; send it to the people who use it.`}
        />
        <Radio value="CLOSE" label={t`Close`} description={t`Clients and calendar programs lose access.`} />
      </Stack>
    </Radio.Group>
  )
}

function titleOf({ kind, name, made }: MemberLink): string {
  const title = kind === 'SHARED_CALENDAR' ? t`Shared calendar “${name}”` : t`Calendar address of ${name}`
  return made ? t`${title}, created by them` : title
}

/** "Café Anna. Shows: Posts that wait for the client · Drafts. Guests may: Look · Comment" */
function opens({ shows, allows, hasFeed }: MemberLink, brands: string): string {
  if (!shows || !allows) return t`Opens all posts and notes of the brand to calendar programs.`
  const parts = [
    brands,
    showsWords({ shows }),
    allowsWords({ allows }),
    ...(hasFeed ? [t`Read by calendar programs`] : []),
  ]
  return `${parts.filter((part) => part !== '').join('. ')}.`
}

const linksQuery = (userId: string, access: Access | null) =>
  ({
    queryKey: queryKeys.memberLinks(userId, access?.role ?? null, access?.socialSetIds ?? null),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<MemberLink[]> => {
      const brands = access?.socialSetIds ?? null
      const query = access ? { role: access.role, ...(brands ? { socialSetIds: brands.join(',') } : {}) } : {}
      return (await call('GET /members/:id/links', { params: { id: userId }, query, signal })).data
    },
    staleTime: 0,
  }) as const

/** Shows the addresses that replace others, once; nothing when there are none. */
export function useShowNewAddresses(): (addresses: readonly NewAddress[]) => Promise<void> {
  const confirm = useConfirmAction()
  return async (addresses) => {
    if (addresses.length === 0) return
    await confirm({
      title: t`The new addresses`,
      children: (
        <Stack gap="sm">
          <Text size="sm">
            <Trans>They are shown only once. Send each to those who used the old one.</Trans>
          </Text>
          {addresses.map(({ kind, id, name, address }, index) => (
            <CopyField
              key={`${kind} ${id}`}
              label={kind === 'SHARED_CALENDAR' ? t`Shared calendar “${name}”` : t`Calendar address of ${name}`}
              value={address}
              copyLabel={t`Copy address`}
              focused={index === 0}
            />
          ))}
        </Stack>
      ),
      confirmLabel: t`I copied them`,
      once: true,
      run: async () => {},
    })
  }
}
