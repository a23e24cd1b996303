import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, NativeSelect, Stack, Text } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { NewsChoices } from '#contract'
import { usePreferences } from '../api/session.ts'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { formatTime } from '../time/zones.ts'
import { newsChoicesQuery, useChoosing } from './notifications-requests.ts'
import { ChoiceSelects, ChoiceTable } from './notifications-table.tsx'
import { CAUSE_WORDS, rowsOf } from './notifications-words.ts'

/** Of what the member hears, and how. */
export function Page(): ReactNode {
  const { data, error, isPending, refetch } = useQuery(newsChoicesQuery)
  return (
    <Stack gap="lg">
      <PageTitle title={t`Notifications`} />
      {isPending ? (
        <LoadingRows />
      ) : data ? (
        <Choices saved={data} />
      ) : (
        <ErrorState title={t`Your choices could not be loaded`} error={error} onRetry={() => void refetch()} />
      )}
    </Stack>
  )
}

/** When the summary of the day goes out. */
const SUMMARY_AT = '1970-01-01T08:00Z'

function Choices({ saved }: { saved: NewsChoices }) {
  const wide = useIsWide()
  const preferences = usePreferences()
  const { brand: named } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { choices, choose } = useChoosing(saved, {
    onSaved: ({ cause }) => showDone(t`Saved: ${CAUSE_WORDS[cause]}`),
    onRefused: showError,
  })
  const { mail, timezone, socialSets } = choices
  const brand = socialSets.find(({ socialSetId }) => socialSetId === named) ?? null
  const brandId = brand?.socialSetId ?? null
  const time = formatTime(SUMMARY_AT, 'UTC', preferences)
  const Rows = wide ? ChoiceTable : ChoiceSelects
  return (
    <>
      <Text>
        <Trans>
          Choose how you hear of what happens. It concerns you when it is about a post of yours, or when you are asked
          or mentioned by name. What you do yourself is never news to you.
        </Trans>
      </Text>
      {mail ? (
        <Text size="sm" c="dimmed">
          <Trans>
            The daily summary is one mail at {time}, time zone: {timezone}. Choose another zone in your profile.
          </Trans>
        </Text>
      ) : (
        <Alert role="note" color="yellow" icon={<IconMailOff aria-hidden />} title={t`No mail is sent here`}>
          <Trans>
            This installation is not set up to send mail, so only the bell reaches you. What you choose is kept until it
            is.
          </Trans>
        </Alert>
      )}
      <NativeSelect
        label={t`Settings for`}
        maw={420}
        data={[
          { value: '', label: t`All brands` },
          ...socialSets.map(({ socialSetId, name }) => ({ value: socialSetId, label: name })),
        ]}
        value={brandId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ to: '/settings/notifications', search: value ? { brand: value } : {}, replace: true })
        }
      />
      <Rows
        key={brandId}
        label={brand ? t`Settings for ${brand.name}` : t`Settings for all brands`}
        otherwise={brand ? t`Same as all brands` : t`Default`}
        rows={rowsOf(choices, brandId)}
        onChoose={(cause, choice) => choose({ brand: brandId, cause, choice })}
      />
    </>
  )
}
